"""Names the app to Django."""

from django.apps import AppConfig

# Django copies psycopg's adapters at the first connection, for good: ours must be among them by then.
from gleanery.crawling.frontier import columns  # noqa: F401


class CrawlingConfig(AppConfig):
    name = "gleanery.crawling"
    label = "crawling"
    verbose_name = "Crawling"

"""Django app configuration of crawling."""

from django.apps import AppConfig

# Django copies psycopg's adapters at the first connection, so ours must be registered before that.
from gleanery.crawling.frontier import columns  # noqa: F401


class CrawlingConfig(AppConfig):
    name = "gleanery.crawling"
    label = "crawling"
    verbose_name = "Crawling"

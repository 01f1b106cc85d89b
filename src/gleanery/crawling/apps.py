"""Names the app to Django."""

from django.apps import AppConfig


class CrawlingConfig(AppConfig):
    name = "gleanery.crawling"
    label = "crawling"
    verbose_name = "Crawling"

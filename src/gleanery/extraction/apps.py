"""Django app configuration."""

from django.apps import AppConfig


class ExtractionConfig(AppConfig):
    name = "gleanery.extraction"
    label = "extraction"
    verbose_name = "Extracted data"

"""Names the app to Django."""

from django.apps import AppConfig


class ResolutionConfig(AppConfig):
    name = "gleanery.resolution"
    label = "resolution"
    verbose_name = "Catalogue"

"""Names the app to Django."""

from django.apps import AppConfig


class DomainsConfig(AppConfig):
    name = "gleanery.domains"
    label = "domains"
    verbose_name = "Finding sources"

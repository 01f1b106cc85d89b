"""Names the app to Django."""

from django.apps import AppConfig


class DiscoveryConfig(AppConfig):
    name = "gleanery.discovery"
    label = "discovery"
    verbose_name = "Finding sources"

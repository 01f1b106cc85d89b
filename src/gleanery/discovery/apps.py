"""Django app configuration of discovery."""

from django.apps import AppConfig


class DiscoveryConfig(AppConfig):
    name = "gleanery.discovery"
    label = "discovery"
    verbose_name = "Finding sources"

"""Django app configuration."""

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "gleanery.feeds"
    label = "feeds"
    verbose_name = "Feeds"

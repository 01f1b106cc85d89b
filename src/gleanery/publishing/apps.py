"""Names the app to Django."""

from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "gleanery.publishing"
    label = "publishing"
    verbose_name = "Publishing"

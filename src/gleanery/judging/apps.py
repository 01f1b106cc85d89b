"""Django app of judging."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "gleanery.judging"
    label = "judging"
    verbose_name = "Finding sources"

"""Names the app to Django."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "gleanery.review"
    label = "review"
    verbose_name = "Review"

"""Names the app to Django, so that it finds our templates and the stylesheet."""

from django.apps import AppConfig


class PublicConfig(AppConfig):
    name = "gleanery.interfaces.public"
    label = "public"
    verbose_name = "Public pages"

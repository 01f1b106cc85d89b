"""Puts our site in the place of Django's."""

from django.apps import AppConfig
from django.contrib.admin import apps as django_admin


class ConsoleConfig(AppConfig):
    """Our templates and static files come before those of the packages below."""

    name = "gleanery.interfaces.console"
    label = "console"
    default = True


class ConsoleAdminConfig(django_admin.SimpleAdminConfig):
    default_site = "gleanery.interfaces.console.site.Console"
    default = False

"""Django apps of the console; they replace Django's admin site with ours."""

from django.apps import AppConfig
from django.contrib.admin import apps as django_admin


class ConsoleConfig(AppConfig):
    """App whose templates and static files take precedence over those of third-party packages."""

    name = "gleanery.interfaces.console"
    label = "console"
    default = True


class ConsoleAdminConfig(django_admin.SimpleAdminConfig):
    default_site = "gleanery.interfaces.console.site.Console"
    default = False

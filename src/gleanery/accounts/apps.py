"""Django app configuration of accounts, and the roles and system user that always exist."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from gleanery.roles import SYSTEM, Role


class AccountsConfig(AppConfig):
    name = "gleanery.accounts"
    label = "accounts"
    verbose_name = "Administration"

    def ready(self) -> None:
        post_migrate.connect(make_roles_and_system_user, sender=self)


def make_roles_and_system_user(**_signal: Any) -> None:
    """Create the roles and the system user, which has the role admin and a password that matches nothing."""
    from django.contrib.auth.models import Group

    from gleanery.accounts.models import User

    for role in Role:
        Group.objects.get_or_create(name=role.value)
    user, _ = User.objects.get_or_create(username=SYSTEM, defaults={"password": "!"})
    user.groups.set(Group.objects.filter(name=Role.ADMIN.value))

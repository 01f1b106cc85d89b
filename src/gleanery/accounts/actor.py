"""Actor: who performs an action: a person, a program with a key, a user at a terminal, or the system."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db import transaction

from gleanery.accounts.models import ApiKey, User
from gleanery.errors import NotAllowed
from gleanery.roles import AT_TERMINAL, DECIDER, SCOPES_OF, SYSTEM, Role, Scope, Who
from gleanery.text import clean_text

LONGEST_LOGIN = 100


@dataclass(frozen=True, slots=True)
class Actor:
    """A user, and the key in use if any."""

    user: User
    key: ApiKey | None = None

    @property
    def role(self) -> Role | None:
        """The role; a key has its owner's role only with the scope admin, otherwise it only has its scopes."""
        if self.key is not None and Scope.ADMIN not in self.key.effective_scopes:
            return None
        return self.user.role

    @property
    def who(self) -> Who | None:
        """The actor for the tables of moves; an agent's key may decide, but has no role."""
        if self.key is None and self.user.username == SYSTEM:
            return SYSTEM
        return self.role or (DECIDER if Scope.DECIDE in self.scopes else None)

    @property
    def scopes(self) -> frozenset[Scope]:
        if self.key is not None:
            return self.key.effective_scopes
        return SCOPES_OF[self.user.role] if self.user.role else frozenset()

    def must_be(self, role: Role, to: str) -> None:
        if self.role is None or not self.role.covers(role):
            raise NotAllowed(f"You need the role {role} to {to}.")


def system() -> Actor:
    """Return the system user as actor, for automatic actions; it has the role admin and cannot log in."""
    return Actor(User.objects.get(username=SYSTEM))


def at_terminal() -> Actor:
    """Return the user at the terminal as actor, by login name; it has the role admin and cannot log in."""
    login = clean_text(_login(), limit=LONGEST_LOGIN)
    if not login:
        return system()
    with transaction.atomic():
        user, made = User.objects.get_or_create(
            username=f"{AT_TERMINAL}{login}", defaults={"password": "!", "is_active": False}
        )
        if made:
            user.groups.set(Group.objects.filter(name=Role.ADMIN))
    return Actor(user)


def _login() -> str:
    """Return the login name; under sudo, that of the person who called it."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (OSError, KeyError):  # a container user without a name
        return ""

"""The permission matrix: one line for each route of the API and each page; a route without a line is closed."""

from __future__ import annotations

from enum import Enum

from gleanery.accounts.actor import Actor
from gleanery.errors import NotAllowed
from gleanery.roles import Scope


class Open(Enum):
    """Who may use a route that asks for no scope."""

    ANYBODY = "anybody"
    KNOWN = "anybody who is logged in or has a valid key"
    THIS_MACHINE = "a program on this machine, or a key with the scope read"


Need = Scope | Open

API: dict[tuple[str, str], Need] = {
    ("GET", "/me"): Open.KNOWN,
    ("GET", "/admin/journal"): Scope.READ,
}
# The pages of the console follow the role of the person: accounts/console.py, one rule for all.
PAGES: dict[str, Need] = {
    "": Open.ANYBODY,
    "admin/": Scope.READ,
    "api/v1/openapi.json": Open.ANYBODY,
    "login/<str:token>": Open.ANYBODY,
    "healthz": Open.ANYBODY,
    "readyz": Open.ANYBODY,
    "metrics": Open.THIS_MACHINE,
}


def check(need: Need | None, actor: Actor) -> None:
    """Raises NotAllowed unless this actor has what the route asks for."""
    if need is None:
        raise NotAllowed("Nobody has said who may use this route, so it is closed.")
    if isinstance(need, Scope) and need not in actor.scopes:
        raise NotAllowed(f"This takes the scope {need}.")

"""Who is asking: the actor behind a request, by bearer key or by session with its CSRF token."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.utils import check_csrf

from gleanery.accounts import services
from gleanery.accounts.actor import Actor
from gleanery.accounts.models import User
from gleanery.errors import NotAllowed, Unauthenticated


def actor_of(request: HttpRequest) -> Actor:
    """A key in the header counts alone; a wrong one is never forgiven because of a cookie beside it."""
    header = request.headers.get("Authorization")
    if header is not None:
        return _by_key(header)
    if isinstance(request.user, User) and request.user.is_active:
        if check_csrf(request):
            raise NotAllowed("The CSRF token is missing or wrong: reload the page and try again; nothing was changed.")
        return Actor(request.user)
    raise Unauthenticated("Log in, or send a key as `Authorization: Bearer glean_...`.")


def _by_key(header: str) -> Actor:
    scheme, _, text = header.partition(" ")
    actor = services.actor_of_key(text) if scheme.lower() == "bearer" else None
    if actor is None:
        raise Unauthenticated("This key is unknown, revoked or expired: ask an admin for another.")
    return actor


def actor_behind(request: HttpRequest) -> Actor:
    """Who passed the gate of the API with this request."""
    actor: Actor = request.auth  # type: ignore[attr-defined]  # the gate put it there
    return actor


def actor_if_any(request: HttpRequest) -> Actor | None:
    """For what is open to anybody: None for whoever shows nothing; what is shown must still be right."""
    shown = "Authorization" in request.headers or (isinstance(request.user, User) and request.user.is_active)
    return actor_of(request) if shown else None


def known_behind(request: HttpRequest) -> Actor | None:
    """Who passed the gate of a route that is open to anybody; None if nobody known did."""
    actor = request.auth  # type: ignore[attr-defined]  # the gate put it there
    return actor if isinstance(actor, Actor) else None

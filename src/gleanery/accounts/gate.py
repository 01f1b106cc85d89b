"""Authentication of API requests: by bearer key, or by session with a CSRF token."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.utils import check_csrf

from gleanery.accounts import services
from gleanery.accounts.actor import Actor
from gleanery.accounts.models import User
from gleanery.errors import NotAllowed, Unauthenticated


def actor_of(request: HttpRequest) -> Actor:
    """Return the actor of a request; if it has a key, only the key counts, even if it is wrong."""
    header = request.headers.get("Authorization")
    if header is not None:
        return _by_key(header)
    if isinstance(request.user, User) and request.user.is_active:
        if check_csrf(request):
            raise NotAllowed("The CSRF token is missing or wrong. Nothing was changed; reload the page and try again.")
        return Actor(request.user)
    raise Unauthenticated("Log in, or send a key as `Authorization: Bearer glean_...`.")


def _by_key(header: str) -> Actor:
    scheme, _, text = header.partition(" ")
    actor = services.actor_of_key(text) if scheme.lower() == "bearer" else None
    if actor is None:
        raise Unauthenticated("This key is unknown, revoked or expired. Ask an admin for another.")
    return actor


def actor_behind(request: HttpRequest) -> Actor:
    """Return the actor that the API authenticated for this request."""
    actor: Actor = request.auth  # type: ignore[attr-defined]  # set by the authentication
    return actor


def actor_if_any(request: HttpRequest) -> Actor | None:
    """Return the actor of a request to a public route, None if anonymous; wrong credentials are refused."""
    has_credentials = "Authorization" in request.headers or (isinstance(request.user, User) and request.user.is_active)
    return actor_of(request) if has_credentials else None


def known_behind(request: HttpRequest) -> Actor | None:
    """Return the actor authenticated on a public route, None if anonymous."""
    actor = request.auth  # type: ignore[attr-defined]  # set by the authentication
    return actor if isinstance(actor, Actor) else None

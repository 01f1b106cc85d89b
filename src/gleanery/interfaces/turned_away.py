"""Pages for those who must come again later, and for what no field takes: one sentence instead of an error."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from gleanery.accounts.hashing import for_a_request
from gleanery.errors import ComeAgain

LOCKED = (
    "Logging in as this user from this address is closed for a quarter of an hour, after too many wrong passwords. "
    "Nothing else is affected."
)
UNSTORABLE = "Something that was typed is too long, or holds characters that cannot be stored. Nothing was changed."


class TurnedAway:
    """Middleware: a request that must wait for a hash, or that the database refuses, is answered with a plain page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with for_a_request():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, ComeAgain):
            return _page(request, "Come again a little later", str(error), error.status, error.retry_after)
        return _page(request, "This cannot be stored", UNSTORABLE, 422) if isinstance(error, DataError) else None


def locked(request: HttpRequest, response: HttpResponse | None = None, credentials: object = None) -> HttpResponse:
    """Called by axes after five wrong passwords for one name from one address."""
    return _page(request, "Too many wrong passwords", LOCKED, 429, int(settings.AXES_COOLOFF_TIME.total_seconds()))


def _page(request: HttpRequest, title: str, message: str, status: int, retry_after: int = 0) -> HttpResponse:
    page = render(
        request, "console/turned_away.html", {"title": title, "message": message, "later": retry_after}, status=status
    )
    if retry_after:
        page["Retry-After"] = str(retry_after)
    return page

"""Error pages in plain words: too many requests or attempts, and values that cannot be stored."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from gleanery.accounts.hashing import limited_concurrency
from gleanery.errors import ComeAgain

LOCKED = (
    "After too many wrong passwords, this user cannot log in from this address for 15 minutes. "
    "Nothing else is affected."
)
UNSTORABLE = "A value is too long or contains characters that cannot be stored. Nothing was changed."


class ErrorPages:
    """Middleware that answers with a plain page if a request must wait or the database refuses a value."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with limited_concurrency():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, ComeAgain):
            return _page(request, "Try again later", str(error), error.status, error.retry_after)
        return _page(request, "This cannot be stored", UNSTORABLE, 422) if isinstance(error, DataError) else None


def locked(request: HttpRequest, response: HttpResponse | None = None, credentials: object = None) -> HttpResponse:
    """Return the page after five wrong passwords for one name from one address; called by axes."""
    return _page(request, "Too many wrong passwords", LOCKED, 429, int(settings.AXES_COOLOFF_TIME.total_seconds()))


def _page(request: HttpRequest, title: str, message: str, status: int, retry_after: int = 0) -> HttpResponse:
    page = render(
        request, "console/error_page.html", {"title": title, "message": message, "later": retry_after}, status=status
    )
    if retry_after:
        page["Retry-After"] = str(retry_after)
    return page

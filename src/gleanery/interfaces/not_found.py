"""Response to unknown addresses: a problem in the API, otherwise a page with links."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from gleanery.accounts.console import role_of
from gleanery.interfaces.api.problems import problem
from gleanery.interfaces.public.language import in_their_language

OURS = "There is no such"
ELSEWHERE = "There is no such page. The address may be mistyped, or what it led to is gone."


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle unknown addresses (Django's handler404)."""
    if request.path.startswith("/api/"):
        return problem(404, "urn:gleanery:not-found", "This address does not exist.")
    if request.path.startswith("/admin/") and role_of(request) is not None:
        context = {**admin.site.each_context(request), "title": "Not found", "message": _message(exception)}
        return render(request, "console/not_found.html", context, status=404)
    return _public_page(request)


@in_their_language
def _public_page(request: HttpRequest) -> HttpResponse:
    return render(request, "public/lost.html", {"message": _(ELSEWHERE)}, status=404)


def _message(exception: Exception) -> str:
    """Return our own message, or a general one instead of Django's technical text."""
    text = str(exception)
    return text if text.startswith(OURS) else f"{OURS} page."

"""What is answered where nothing is: in the API's own way, or as a page with a way on."""

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
    """Django's handler404."""
    if request.path.startswith("/api/"):
        return problem(404, "urn:gleanery:not-found", "There is no such address.")
    if request.path.startswith("/admin/") and role_of(request) is not None:
        context = {**admin.site.each_context(request), "title": "Nothing here", "message": _said(exception)}
        return render(request, "console/lost.html", context, status=404)
    return _lost(request)


@in_their_language
def _lost(request: HttpRequest) -> HttpResponse:
    return render(request, "public/lost.html", {"message": _(ELSEWHERE)}, status=404)


def _said(exception: Exception) -> str:
    """Our own sentence, if a page of ours gave one; Django's are not for people."""
    told = str(exception)
    return told if told.startswith(OURS) else f"{OURS} page."

"""Response to unexpected errors; while the database is unavailable, it says when to try again."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error

from gleanery.database import failures
from gleanery.interfaces.api.problems import of_failure


def server_failed(request: HttpRequest) -> HttpResponse:
    """Handle uncaught errors of views, middleware and templates (Django's handler500)."""
    error = sys.exc_info()[1]
    if isinstance(error, Exception) and request.path.startswith("/api/"):
        return of_failure(request, error)
    problem = failures.of(error) if error else None
    if problem is None:
        return server_error(request)
    context = {"title": "Try again later", "message": str(problem)}
    page = render(request, "console/error_page.html", context, status=problem.status)
    page["Retry-After"] = f"{problem.retry_after:.0f}"
    return page

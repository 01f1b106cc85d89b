"""What is answered where something failed on our side: wait a little while the database is lost or full, else sorry."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error

from gleanery.database import failures
from gleanery.interfaces.api.problems import of_failure


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler500: views, middleware and templates all end here with what they did not catch."""
    error = sys.exc_info()[1]
    if isinstance(error, Exception) and request.path.startswith("/api/"):
        return of_failure(request, error)
    problem = failures.of(error) if error else None
    if problem is None:
        return server_error(request)
    context = {"title": "Come again a little later", "message": str(problem)}
    page = render(request, "console/turned_away.html", context, status=problem.status)
    page["Retry-After"] = f"{problem.retry_after:.0f}"
    return page

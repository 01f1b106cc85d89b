"""Console pages of common causes: the list, and one cause with its pairs and decisions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from gleanery.accounts.console import actor_at
from gleanery.errors import GleaneryError, NotFound
from gleanery.review.together import services

LIST = "admin:review_item_causes"


def list_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    context = {"title": "Decide together", "causes": services.causes()}
    return TemplateResponse(request, "console/causes.html", {**site.each_context(request), **context})


def page(request: HttpRequest, site: AdminSite, cause_id: str, *, may: bool) -> HttpResponse:
    """Show a cause, or decide about it and return to the list with the result."""
    if request.method == "POST":
        try:
            given = request.POST.get("answer", ""), request.POST.get("seen", "")
            result = services.decide(actor_at(request), cause_id, *given)
        except GleaneryError as problem:
            messages.error(request, str(problem))
        else:
            messages.success(request, result.said)
            for pair, reason in result.refused:
                messages.warning(request, f"{pair.one.name} and {pair.other.name}: {reason}")
        return redirect(reverse(LIST))
    try:
        cause = services.find(cause_id)
    except NotFound as problem:
        raise Http404(str(problem)) from problem
    context: dict[str, Any] = {"title": "Decide together", "cause": cause, "may": may}
    return TemplateResponse(request, "console/cause.html", {**site.each_context(request), **context})

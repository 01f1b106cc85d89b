"""Pages for search engines: robots.txt and the sitemap."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from gleanery.interfaces.public.records import FRESH
from gleanery.publishing.search import sitemap

CLOSED = ("/admin/", "/api/", "/login/", "/follow/", "/language/", "/submit/", "/report/")


@require_safe
@conditional_page
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED)]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8", headers={"Cache-Control": FRESH})


@require_safe
@conditional_page
def index(request: HttpRequest) -> HttpResponse:
    """The parts of the sitemap: each of at most as many pages as search engines take."""
    return _xml(request, "public/sitemap_index.xml", {"parts": sitemap.parts()})


@require_safe
@conditional_page
def part(request: HttpRequest, number: int) -> HttpResponse:
    return _xml(request, "public/sitemap.xml", {"pages": sitemap.pages(number), "is_first": number == 1})


def _xml(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    told = {**context, "root": request.build_absolute_uri("/").rstrip("/")}
    answer = render(request, template, told, content_type="application/xml; charset=utf-8")
    answer["Cache-Control"] = FRESH
    return answer

"""The pages About and Data, and the logo of the site."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from gleanery.interfaces.public.language import in_their_language
from gleanery.interfaces.public.records import FRESH, root_of
from gleanery.publishing.models import PublicSite
from gleanery.publishing.site.about import about as counted
from gleanery.publishing.site.offers import offers

FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
@conditional_page
@in_their_language
def about(request: HttpRequest) -> HttpResponse:
    return _page(request, "public/about.html", {"about": counted(timezone.localdate())})


@require_safe
@conditional_page
@in_their_language
def data(request: HttpRequest) -> HttpResponse:
    return _page(request, "public/data.html", {"offers": offers(), "root": root_of(request)})


@require_safe
def logo(request: HttpRequest, digest: str) -> HttpResponse:
    """Nothing but a picture, whatever somebody managed to store."""
    site = PublicSite.objects.filter(logo_digest=digest).exclude(logo=None).first()
    if site is None or site.logo is None:
        raise Http404
    headers = {"Cache-Control": FOR_EVER, "Content-Security-Policy": "default-src 'none'; sandbox"}
    return HttpResponse(bytes(site.logo), content_type=site.logo_type, headers=headers)


def _page(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    page = render(request, template, {**context, "address": root_of(request) + request.path})
    page["Cache-Control"] = FRESH
    return page

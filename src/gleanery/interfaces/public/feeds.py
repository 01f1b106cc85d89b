"""Feeds of a search: its calendar and its Atom feed, under the filters of the search page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.views.decorators.http import conditional_page, require_safe

from gleanery.interfaces.public.language import chosen
from gleanery.interfaces.public.records import FRESH
from gleanery.publishing.calendars.search_file import Address, search_calendar
from gleanery.publishing.models import LANGUAGES
from gleanery.publishing.search.filters import Filters, read
from gleanery.publishing.site import presentation
from gleanery.publishing.syndication.atom import Links, atom

VARY = "Accept-Language, Cookie"


@require_safe
def calendar(request: HttpRequest) -> HttpResponseBase:
    filters, language = read(request.GET), _language(request)
    address = Address(_root(request), _address(request, "feed-calendar", filters), _address(request, "search", filters))
    with translation.override(language):
        made = search_calendar(filters, timezone.now().date(), presentation.current().name, address)
    answer: HttpResponseBase = get_conditional_response(request, etag=made.etag) or StreamingHttpResponse(
        made.chunks(),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'inline; filename="calendar.ics"'},
    )
    answer["ETag"], answer["Cache-Control"], answer["Vary"] = made.etag, FRESH, VARY
    return answer


@require_safe
@conditional_page
def newest(request: HttpRequest) -> HttpResponse:
    filters, cursor = read(request.GET), request.GET.get("cursor", "")[:1000]
    first = _address(request, "feed-atom", filters)
    links = Links(
        root=_root(request),
        first=first,
        here=request.build_absolute_uri(request.get_full_path()) if cursor else first,
        search=_address(request, "search", filters),
    )
    with translation.override(_language(request)):
        text = atom(filters, timezone.now().date(), cursor, presentation.current().name, links)
    headers = {"Cache-Control": FRESH, "Vary": VARY}
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8", headers=headers)


def _language(request: HttpRequest) -> str:
    """Return the one in the address, since programs that ask again and again send no other sign of it."""
    asked = request.GET.get("lang", "")
    return asked if asked in LANGUAGES else chosen(request)


def _address(request: HttpRequest, route: str, filters: Filters) -> str:
    query = filters.address()
    if route != "search" and (language := request.GET.get("lang", "")) in LANGUAGES:
        query = f"{query}&lang={language}".lstrip("&")
    return request.build_absolute_uri(reverse(route) + (f"?{query}" if query else ""))


def _root(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")

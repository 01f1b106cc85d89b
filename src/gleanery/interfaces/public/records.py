"""The page of a record and its calendar file; what became of a record that is not there any more."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote, urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from gleanery.interfaces.public.language import in_their_language
from gleanery.publishing.calendars.record_file import calendar_file
from gleanery.publishing.showing import reading
from gleanery.publishing.showing.addresses import path_of, slug_of
from gleanery.publishing.showing.page import page
from gleanery.publishing.showing.structured import in_a_page, structured
from gleanery.resolution.models import Record

FRESH = "public, max-age=300"
GONE = frozenset({"deleted", "withdrawn"})


@require_safe
@conditional_page
@in_their_language
def record(request: HttpRequest, record_id: UUID, slug: str = "") -> HttpResponse:
    found = reading.find(record_id)
    if (instead := _instead(request, found)) is not None:
        return instead
    assert found is not None  # noqa: S101  # what is not there was answered
    if slug and slug != slug_of(found.name):
        return _moved(found)
    today = timezone.localdate()
    of = reading.published(found, today)
    shown, root = page(of, today), root_of(request)
    address = root + shown.path
    context = {
        "page": shown,
        "record": found,
        "root": root,
        "address": address,
        "mail": f"mailto:?{urlencode({'subject': found.name, 'body': address}, quote_via=quote)}",
        "json_ld": in_a_page(structured(of, root)),
    }
    answer = render(request, "public/record.html", context)
    answer["Last-Modified"] = http_date(shown.changed.timestamp())
    answer["Cache-Control"] = FRESH
    return answer


@require_safe
@conditional_page
@in_their_language
def calendar(request: HttpRequest, record_id: UUID) -> HttpResponse:
    found = reading.find(record_id)
    if (instead := _instead(request, found)) is not None:
        return instead
    assert found is not None  # noqa: S101  # what is not there was answered
    of = reading.published(found, timezone.localdate())
    if not of.spans and not found.deadline:
        raise Http404
    text = calendar_file(of, root_of(request) + path_of(found.pk, found.name))
    name = slug_of(found.name) or "event"
    headers = {"Content-Disposition": f'attachment; filename="{name}.ics"', "Cache-Control": FRESH}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)


def _instead(request: HttpRequest, found: Record | None) -> HttpResponse | None:
    """The answer for a record that has no page now: merged into another, gone, or never published."""
    if found is not None and found.status == reading.PUBLISHED:
        return None
    if found is not None and (survivor := reading.survivor(found)) is not None:
        return _moved(survivor)
    if found is not None and found.status in GONE:
        context = {
            "heading": _("No longer here"),
            "message": _("This entry was here and has been taken off the site."),
        }
        return render(request, "public/lost.html", context, status=HTTPStatus.GONE)
    raise Http404


def _moved(to: Record) -> HttpResponse:
    return HttpResponsePermanentRedirect(path_of(to.pk, to.name), preserve_request=True)


def root_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")

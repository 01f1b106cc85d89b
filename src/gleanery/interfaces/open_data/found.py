"""One record of an open-data route, or the answer for one that is not there any more."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse

from gleanery.interfaces.open_data.answers import refused
from gleanery.interfaces.public.records import GONE
from gleanery.publishing.showing import reading
from gleanery.publishing.showing.reading import Published
from gleanery.publishing.showing.reading_many import published_many


def find(request: HttpRequest, record_id: UUID, kind: str) -> Published | HttpResponse:
    """A merged record leads to its survivor, at the same route."""
    record = reading.find(record_id)
    if record is None or record.kind != kind:
        return refused("There is no such entry.", HTTPStatus.NOT_FOUND)
    if record.status == reading.PUBLISHED:
        return published_many([record.pk])[0]
    if (survivor := reading.survivor(record)) is not None:
        assert request.resolver_match is not None  # noqa: S101  # Django set it before any view runs
        to = reverse(request.resolver_match.view_name, args=[survivor.pk])
        return HttpResponsePermanentRedirect(to, preserve_request=True)
    if record.status in GONE:
        return refused("This entry was here and has been taken off the site.", HTTPStatus.GONE)
    return refused("There is no such entry.", HTTPStatus.NOT_FOUND)

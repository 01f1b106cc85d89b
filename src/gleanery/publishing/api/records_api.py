"""Routes of published records: the list, one record, its JSON-LD."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import http_date
from django.views.decorators.http import conditional_page
from ninja import Field, Query, Router
from ninja.decorators import decorate_view

from gleanery.cursor import MOST
from gleanery.errors import Gone, NotFound
from gleanery.publishing.api import examples
from gleanery.publishing.api.documents import address_of, changed_at, detail, documents
from gleanery.publishing.api.query import RecordsQuery, filters_of, opened, sealed
from gleanery.publishing.api.shapes import PublicRecordDetail, PublicRecordPage
from gleanery.publishing.search import facets as facets_of
from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing import reading
from gleanery.publishing.showing.reading import PUBLISHED, Published
from gleanery.publishing.showing.structured import structured

router = Router(tags=["published records"])
FRESH = "public, max-age=60"
LEFT = frozenset({"deleted", "withdrawn"})
JSON_LD = "application/ld+json"
UNCHANGED = {304: {"description": "It is as it was when you asked with this `If-None-Match` or `If-Modified-Since`."}}
MOVED = {308: {"description": "It was merged into another record: `Location` is the address of that."}, **UNCHANGED}


@router.get(
    "/records", response=PublicRecordPage, summary="Search what is published", openapi_extra={"responses": UNCHANGED}
)
@decorate_view(conditional_page)
def list_published(
    request: HttpRequest,
    response: HttpResponse,
    query: Query[RecordsQuery],  # type: ignore[valid-type]  # made from the filters of the search
    facets: bool = False,
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    """Takes the filters of the search page. What is over is left out unless `from` asks for it."""
    today = timezone.now().date()
    filters = filters_of(query)
    found, following = statements.hits(filters, today, opened(cursor, filters), most=limit)
    there = documents([each.id for each in found], root_of(request))
    response["Cache-Control"] = FRESH
    return {
        "items": [there[each.id] for each in found if each.id in there],
        "next_cursor": sealed(following, filters),
        "facets": _facets(filters) if facets else None,
    }


# Before the record itself: `ID.jsonld` would pass for an id.
@router.get(
    "/records/{record_id}.jsonld",
    response=None,
    summary="A published record as JSON-LD of schema.org",
    openapi_extra={
        "responses": {
            200: {"content": {JSON_LD: {"schema": {"type": "object"}, "example": examples.JSON_LD}}},
            **MOVED,
        }
    },
)
@decorate_view(conditional_page)
def show_json_ld(request: HttpRequest, record_id: UUID) -> HttpResponse:
    of = _published(request, record_id, ".jsonld")
    if isinstance(of, HttpResponse):
        return of
    body = json.dumps(structured(of, root_of(request)), ensure_ascii=False)
    return _dated(HttpResponse(body, content_type=JSON_LD), of)


@router.get(
    "/records/{record_id}",
    response=PublicRecordDetail,
    summary="A published record, with the source of each field",
    openapi_extra={"responses": MOVED},
)
@decorate_view(conditional_page)
def show_published(request: HttpRequest, response: HttpResponse, record_id: UUID) -> object:
    of = _published(request, record_id)
    if isinstance(of, HttpResponse):
        return of
    _dated(response, of)
    return detail(of, root_of(request))


def _published(request: HttpRequest, record_id: UUID, ending: str = "") -> Published | HttpResponse:
    """The record, or the way to the one that it was merged into."""
    found = reading.find(record_id)
    if found is not None and found.status == PUBLISHED:
        return reading.published(found, timezone.now().date())
    if found is not None and (survivor := reading.survivor(found)) is not None:
        to = address_of(survivor.pk, root_of(request)) + ending
        return HttpResponse(status=HTTPStatus.PERMANENT_REDIRECT, headers={"Location": to})
    if found is not None and found.status in LEFT:
        raise Gone("This record was here and has been taken off the site.")
    raise NotFound("There is no such record.")


def _dated(answer: HttpResponse, of: Published) -> HttpResponse:
    answer["Last-Modified"] = http_date(changed_at(of).timestamp())
    answer["Cache-Control"] = FRESH
    return answer


def _facets(filters: Filters) -> dict[str, Any]:
    today = timezone.now().date()
    kinds = facets_of.kinds_of(filters, today)
    return {
        "total": facets_of.total_of(filters, today),
        "kinds": [{"value": kind, "count": count} for kind, count in kinds],
        "places": [{"value": town.name, "count": town.many} for town in facets_of.towns_of(filters, today)],
    }


def root_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")

"""The API of HSDS 3: services, organisations and services at locations, read only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from gleanery.interfaces.open_data.answers import answered, moment, number, open_data, record_id, root_of
from gleanery.interfaces.open_data.found import find
from gleanery.publishing.exports import paging
from gleanery.publishing.exports.paging import Asked, Page
from gleanery.publishing.hsds import entities
from gleanery.publishing.hsds.entities import Entity
from gleanery.publishing.search.filters import LONGEST, Filters
from gleanery.publishing.showing.reading import Published
from gleanery.text import clean_text

VERSION: Final = "3.0"
PROFILE: Final = "https://docs.openreferral.org/en/3.0/"
OPENAPI: Final = "https://raw.githubusercontent.com/openreferral/specification/3.0/schema/openapi.json"
USUAL_SIZE, MOST = 50, 200
MOST_SERVICES: Final = 200  # of one organisation
Making = Callable[[Published, str], Entity]


@open_data
def profile(request: HttpRequest) -> HttpResponse:
    return answered({"version": VERSION, "profile": PROFILE, "openapi_url": OPENAPI})


@open_data
def services(request: HttpRequest) -> HttpResponse:
    making = entities.service if _is_set(request, "full") else entities.service_listed
    return _listed(request, "service", _minimal if _is_set(request, "minimal") else making)


@open_data
def service(request: HttpRequest, record_id: UUID) -> HttpResponse:
    found = find(request, record_id, "service")
    return found if isinstance(found, HttpResponse) else answered(entities.service(found, root_of(request)))


@open_data
def organizations(request: HttpRequest) -> HttpResponse:
    making = entities.organization if _is_set(request, "full") else entities.organization_listed
    return _listed(request, "organization", lambda of, root: making(of.record, root))


@open_data
def organization(request: HttpRequest, record_id: UUID) -> HttpResponse:
    found = find(request, record_id, "organization")
    if isinstance(found, HttpResponse):
        return found
    root = root_of(request)
    asked = Asked(filters=Filters(kind="service"), size=MOST_SERVICES, organization=found.record.pk)
    run = [entities.service_listed(each, root) for each in paging.page(asked, _today()).records]
    for each in run:
        del each["organization"]
    return answered(entities.organization(found.record, root) | ({"services": run} if run else {}))


@open_data
def service_at_locations(request: HttpRequest) -> HttpResponse:
    return _listed(request, "service", _at_location)


@open_data
def service_at_location(request: HttpRequest, record_id: UUID) -> HttpResponse:
    found = find(request, record_id, "service")
    return found if isinstance(found, HttpResponse) else answered(_at_location(found, root_of(request)))


@open_data
def nothing(request: HttpRequest) -> HttpResponse:
    """Taxonomies and their terms: none is used."""
    return answered(_shape(Page(_asked(request, "service"), 0, []), []))


def _at_location(of: Published, root: str) -> Entity:
    at = entities.service_at_location(of, root) or {"id": str(of.record.pk)}
    return at | {"service": entities.service_listed(of, root)}


def _minimal(of: Published, root: str) -> Entity:
    return {"id": str(of.record.pk), "modified_date": of.record.updated_at.isoformat()}


def _listed(request: HttpRequest, kind: str, making: Making) -> HttpResponse:
    page = paging.page(_asked(request, kind), _today())
    root = root_of(request)
    return answered(_shape(page, [making(each, root) for each in page.records]))


def _asked(request: HttpRequest, kind: str) -> Asked:
    given = request.GET
    return Asked(
        filters=Filters(kind=kind, q=clean_text(given.get("search", "")[: 2 * LONGEST], limit=LONGEST)),
        page=number(given, "page", 1),
        size=number(given, "per_page", USUAL_SIZE, MOST),
        organization=record_id(given, "organization_id"),
        changed_since=moment(given, "modified_after"),
    )


def _shape(page: Page, contents: list[Entity]) -> dict[str, Any]:
    return {
        "total_items": page.total,
        "total_pages": page.count,
        "page_number": page.asked.page,
        "size": len(contents),
        "first_page": page.asked.page == 1,
        "last_page": page.asked.page >= page.count,
        "empty": not contents,
        "contents": contents,
    }


def _is_set(request: HttpRequest, name: str) -> bool:
    return request.GET.get(name, "").lower() in ("true", "1")


def _today() -> date:
    return timezone.now().date()

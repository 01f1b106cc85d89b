"""The API of CommonGrants: funding opportunities, listed, one by one, and searched."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from gleanery.errors import Invalid
from gleanery.interfaces.open_data.answers import answered, number, open_data, refused, root_of
from gleanery.interfaces.open_data.found import find
from gleanery.publishing.commongrants import wanted
from gleanery.publishing.commongrants.opportunity import opportunity
from gleanery.publishing.exports import paging
from gleanery.publishing.exports.paging import Asked, Page
from gleanery.publishing.search.filters import Filters

USUAL_SIZE, MOST = 10, 100
LONGEST_BODY: Final = 64 * 1024


@open_data
def opportunities(request: HttpRequest) -> HttpResponse:
    page, size = _place(request.GET)
    asked = Asked(filters=Filters(kind="funding"), page=page, size=size, order="changed")
    return answered(_listed(request, paging.page(asked, timezone.now().date())))


@open_data
def one(request: HttpRequest, record_id: UUID) -> HttpResponse:
    found = find(request, record_id, "funding")
    if isinstance(found, HttpResponse):
        return found
    data = opportunity(found, root_of(request), timezone.now().date())
    return answered({"status": HTTPStatus.OK, "message": "Success", "data": data})


@csrf_exempt  # it changes nothing, and asks for no session
@require_http_methods(["POST", "OPTIONS"])
def search(request: HttpRequest) -> HttpResponse:
    if request.method == "OPTIONS":
        return _allowed()
    try:
        body = _body(request)
        page, size = _place(body.get("pagination") or {})
    except Invalid as problem:
        return refused(str(problem), HTTPStatus.BAD_REQUEST)
    asked = wanted.search(body, page, size)
    found = paging.page(asked.asked, timezone.now().date())
    sorting = {"sortBy": asked.sort_by, "sortOrder": asked.sort_order, "errors": asked.sort_errors}
    filtering = {"filters": asked.filters, "errors": asked.filter_errors}
    return answered(_listed(request, found) | {"sortInfo": sorting, "filterInfo": filtering})


def _listed(request: HttpRequest, page: Page) -> dict[str, Any]:
    root, today = root_of(request), timezone.now().date()
    return {
        "status": HTTPStatus.OK,
        "message": "Success",
        "items": [opportunity(each, root, today) for each in page.records],
        "paginationInfo": {
            "page": page.asked.page,
            "pageSize": page.asked.size,
            "totalItems": page.total,
            "totalPages": page.count,
        },
    }


def _place(given: Any) -> tuple[int, int]:
    if not isinstance(given, Mapping):
        raise Invalid("pagination must be an object with page and pageSize.")
    return number(given, "page", 1), number(given, "pageSize", USUAL_SIZE, MOST)


def _body(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > LONGEST_BODY:
        raise Invalid(f"A search has at most {LONGEST_BODY:,} bytes.")
    try:
        body = json.loads(request.body or b"{}")
    except (ValueError, RecursionError):
        raise Invalid("The body must be a JSON object.") from None
    if not isinstance(body, dict):
        raise Invalid("The body must be a JSON object.")
    return body


def _allowed() -> HttpResponse:
    """A browser asks first whether a page of another site may send JSON here."""
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "POST, OPTIONS",
        "Access-Control-Allow-Headers": "Content-Type",
    }
    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)

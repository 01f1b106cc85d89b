"""Answers of the open-data routes: JSON that any site may read, and parameters that are read or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from gleanery.errors import Invalid
from gleanery.interfaces.public.records import FRESH
from gleanery.publishing.exports.paging import MOST_PAGES

NUMBER = re.compile(r"[1-9][0-9]{0,8}")
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def answered(value: Any, status: int = HTTPStatus.OK) -> HttpResponse:
    answer = HttpResponse(json.dumps(value, ensure_ascii=False), content_type="application/json", status=status)
    answer["Access-Control-Allow-Origin"] = "*"
    answer["Cache-Control"] = FRESH if status == HTTPStatus.OK else "no-store"
    return answer


def refused(message: str, status: int) -> HttpResponse:
    """In the words of CommonGrants; HSDS has none of its own."""
    return answered({"status": int(status), "message": message, "errors": [message]}, status)


def open_data(view: View[P]) -> View[P]:
    """A route that is only read, is not sent again while unchanged, and says what it cannot read."""

    @require_safe
    @conditional_page
    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Invalid as problem:
            return refused(str(problem), HTTPStatus.BAD_REQUEST)

    return wrapped


def root_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def number(given: Mapping[str, Any], name: str, usual: int, most: int = MOST_PAGES) -> int:
    """A number from 1 on; one above the most is the most."""
    value = given.get(name, usual)
    if isinstance(value, bool) or not NUMBER.fullmatch(str(value)):
        raise Invalid(f"{name} must be a number from 1 on.")
    return min(int(value), most)


def moment(given: Mapping[str, Any], name: str) -> datetime | None:
    if not (text := given.get(name, "")):
        return None
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        raise Invalid(f"{name} must be a date and time such as 2027-03-12T19:00:00Z.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def record_id(given: Mapping[str, Any], name: str) -> UUID | None:
    if not (text := given.get(name, "")):
        return None
    try:
        return UUID(str(text))
    except ValueError:
        raise Invalid(f"{name} must be the id of a record.") from None

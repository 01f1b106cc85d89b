"""A search of CommonGrants as a page of records; what it asks for that we cannot do is named."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from gleanery.publishing.exports.paging import Asked
from gleanery.publishing.search.filters import LONGEST, Filters
from gleanery.text import clean_text

STATUSES: Final = ("forecasted", "open", "closed")
# Their name for an order -> ours, ascending and descending.
ORDERS: Final = {
    "lastModifiedAt": ("oldest change", "changed"),
    "title": ("title", "title backwards"),
    "keyDates.closeDate": ("deadline", "deadline backwards"),
}
USUAL: Final = "lastModifiedAt"


class Search(NamedTuple):
    asked: Asked
    filters: dict[str, Any]  # those that were followed
    filter_errors: list[str]
    sort_by: str
    sort_order: str
    sort_errors: list[str]


def search(body: Mapping[str, Any], page: int, size: int) -> Search:
    text = body.get("search")
    followed: dict[str, Any] = {}
    errors: list[str] = []
    narrowed = _narrowed(_object(body.get("filters")), followed, errors)
    by, order, sort_errors = _sorting(_object(body.get("sorting")))
    words = clean_text(text[: 2 * LONGEST], limit=LONGEST) if isinstance(text, str) else ""
    order_name = ORDERS[by][order == "desc"]
    asked = Asked(filters=Filters(kind="funding", q=words), page=page, size=size, order=order_name, **narrowed)
    return Search(asked, followed, errors, by, order, sort_errors)


def _narrowed(filters: Mapping[str, Any], followed: dict[str, Any], errors: list[str]) -> dict[str, Any]:
    narrowed: dict[str, Any] = {}
    for name, given in filters.items():
        found = READERS[name](_object(given)) if name in READERS else None
        if found is not None:
            narrowed |= found
            followed[name] = given
        elif given is not None:
            errors.append(f"The filter {clean_text(str(name), limit=60)} was not followed.")
    return narrowed


def _status(given: Mapping[str, Any]) -> dict[str, Any] | None:
    values = given.get("value")
    if not isinstance(values, list) or given.get("operator") not in ("in", "notIn"):
        return None
    is_in = given["operator"] == "in"
    return {"standings": tuple(each for each in STATUSES if (each in values) == is_in)}


def _closing(given: Mapping[str, Any]) -> dict[str, Any] | None:
    ends = _object(given.get("value"))
    try:
        first, last = (date.fromisoformat(str(day)) if (day := ends.get(name)) else None for name in ("min", "max"))
    except ValueError:
        return None
    return {"closes_from": first, "closes_until": last} if given.get("operator") == "between" else None


READERS: Final = {"status": _status, "closeDateRange": _closing}


def _sorting(given: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    by, order = given.get("sortBy", USUAL), given.get("sortOrder")
    order = order if order in ("asc", "desc") else "desc"
    if by in ORDERS:
        return str(by), order, []
    return USUAL, order, [f"Sorting by {clean_text(str(by), limit=60)} is not possible here."]


def _object(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}

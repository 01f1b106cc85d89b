"""The query of the records list: the filters of the search page, each with its type, none passed over in silence."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qs, parse_qsl

from ninja import Field, Schema
from pydantic import create_model

from gleanery.errors import Invalid
from gleanery.publishing.search.filters import FARTHEST, LONGEST, PARAMETERS, PERIODS, SORTS, Filters, read
from gleanery.publishing.search.positions import located
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.text import clean_text

CHOICES: Final[dict[str, Mapping[str, object]]] = {"kind": KIND_WORDS, "when": PERIODS, "sort": SORTS}
TYPES: Final[dict[str, Any]] = {"date | None": date | None, "bool": bool | None, "bool | None": bool | None}
KILOMETRES = Annotated[int, Field(ge=1, le=FARTHEST)] | None
SAYS: Final = {
    "q": "Words to look for.",
    "first": "On this day or later. What is over is listed only if this asks for it.",
    "last": "On this day or earlier.",
    "deadline": "Closes on this day or earlier.",
    "place": "A town, in any alphabet.",
    "near": "A point such as 42.7,23.3, or the name of a place that is known here.",
    "within": "Kilometres from there.",
    "topic": "The name of a topic of this site.",
    "language": "A code such as bg.",
    "accessible": "Only what says that wheelchairs can get in.",
    "source": "Only what this source speaks of: a domain, or another name.",
}
SEAL = 8  # characters
TEXT = Annotated[str, Field(max_length=LONGEST)] | None


def _type_of(name: str, annotation: str) -> Any:
    if name in CHOICES:
        return Literal[tuple(CHOICES[name])] | None
    if name == "within":
        return KILOMETRES
    return TYPES.get(annotation, TEXT)


_ANNOTATIONS: Final = {each.name: str(each.type) for each in fields(Filters)}
# One parameter for each parameter of the search page: a new one there is a new one here.
RecordsQuery: Final[type[Schema]] = create_model(  # type: ignore[call-overload]
    "RecordsQuery",
    __base__=Schema,
    **{
        each.name: (
            _type_of(each.field, _ANNOTATIONS[each.field]),
            Field(None, description=SAYS.get(each.field)),
        )
        for each in PARAMETERS
    },
)


def filters_of(query: Schema) -> Filters:
    """Return the filters; raise Invalid for a value that the search would pass over."""
    filters = _strictly({name: _text(value) for name, value in query.model_dump(exclude_none=True).items()})
    if (found := located(filters)).near and found.position is None:
        raise Invalid("No place of this name is known here: give a point such as near=42.7,23.3 instead.")
    return found


def filters_of_address(search: str) -> Filters:
    """Return the filters of a search as its address has them, with or without what stands before the `?`."""
    given = dict(parse_qsl(search.rpartition("?")[2], keep_blank_values=True))
    known = sorted(RecordsQuery.model_fields)
    if unknown := sorted(set(given) - set(known)):
        raise Invalid(
            f"{clean_text(', '.join(unknown), limit=LONGEST)} is no filter. The search knows {', '.join(known)}."
        )
    return _strictly(given)


def _strictly(given: Mapping[str, str]) -> Filters:
    filters = read(given)
    taken = parse_qs(filters.address())
    for name, value in given.items():
        if value not in ("", "0") and name not in taken:
            raise Invalid(f"{name} cannot be {value[:LONGEST]} here: leave it out, or see the OpenAPI document.")
    return filters


def _text(value: Any) -> str:
    return {True: "1", False: "0"}[value] if isinstance(value, bool) else str(value)


def sealed(cursor: str, filters: Filters) -> str | None:
    """A cursor of the search that only fits the same filters."""
    return f"{_seal(cursor, filters)}{cursor}" if cursor else None


def opened(given: str | None, filters: Filters) -> str:
    """Return the cursor of the search; a cursor of another search is refused, not read as the first page."""
    if not given:
        return ""
    cursor = given[SEAL:]
    if given[:SEAL] != _seal(cursor, filters):
        raise Invalid("This cursor belongs to another search, or is not one of ours: begin again without it.")
    return cursor


def _seal(cursor: str, filters: Filters) -> str:
    """A checksum against mistakes; a forged cursor leads to another page of public records, nothing more."""
    return f"{zlib.crc32(f'{filters.address()} {cursor}'.encode()):08x}"

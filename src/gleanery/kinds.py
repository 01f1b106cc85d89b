"""The kinds of record, each declared once: its words, its fields, what makes two the same, what is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# The types of fields; values.py knows how each is read.
TEXT, LONG, URL, MOMENT, DAY = "text", "long text", "web address", "moment", "day"
NUMBER, FLAG, TEXTS, LATITUDE, LONGITUDE, SPANS = "number", "yes or no", "texts", "latitude", "longitude", "times"

ABOUT: Final = {"name": TEXT, "description": LONG, "url": URL, "public_url": URL, "image_url": URL, "keywords": TEXTS}
WHERE: Final = {
    "address": TEXT,
    "locality": TEXT,
    "region": TEXT,
    "postal_code": TEXT,
    "country": TEXT,
    "lat": LATITUDE,
    "lon": LONGITUDE,
}
REACH: Final = {"phone": TEXT, "email": TEXT}
WHEN: Final = {"start": MOMENT, "end": MOMENT}
VENUE: Final = {"name": "venue_name", "url": "venue_url", **{name: name for name in WHERE}}


@dataclass(frozen=True, slots=True)
class Named:
    """A place or an organisation that a thing names: it is an observation of its own, by the same source."""

    reference: str  # place or organization: the column, and the kind of what is named
    role: str  # the end of its external id
    fields: Mapping[str, str]  # its field -> the field of the thing that names it


@dataclass(frozen=True, slots=True)
class Kind:
    """`identity` names parts that identity.py knows, `checks` ones that quality.py knows."""

    one: str
    many: str
    fields: Mapping[str, str]
    identity: tuple[str, ...]
    anchors: tuple[str, ...]  # the parts of which one at least must be there: a name alone makes nothing the same
    checks: tuple[str, ...] = ()
    names: tuple[Named, ...] = ()
    ties: tuple[str, ...] = ()  # parts of which one, with name and start, makes two the same as well
    may_conflict: bool = False  # two of equal identity may differ in house number, position or official id
    run_by: str = ""  # the role of whoever runs it: `{run_by}_name` is a field
    is_referenced: bool = False  # others name it: it is resolved before them, and joined unasked where that is sure


def _by(field: str) -> Mapping[str, str]:
    return {"name": f"{field}_name", "url": f"{field}_url"}


KINDS: Final[Mapping[str, Kind]] = {
    "event": Kind(
        one="event",
        many="events",
        fields={
            **ABOUT,
            **WHERE,
            **REACH,
            **WHEN,
            "occurrences": SPANS,
            "venue_name": TEXT,
            "venue_url": URL,
            "organizer_name": TEXT,
            "organizer_url": URL,
            "virtual_url": URL,
            "in_language": TEXT,
            "is_accessible_for_free": FLAG,
            "event_status": TEXT,
            "attendance_mode": TEXT,
            "cost": TEXT,
            "eligibility": LONG,
        },
        identity=("name", "venue", "day"),
        anchors=("venue",),
        ties=("uid", "page", "text", "venue", "organization", "host"),
        checks=("start", "description", "venue", "dates", "far"),
        names=(Named("place", "venue", VENUE), Named("organization", "organizer", _by("organizer"))),
        run_by="organizer",
    ),
    "funding": Kind(
        one="funding programme",
        many="funding programmes",
        fields={
            **ABOUT,
            **REACH,
            **WHEN,
            "funder_name": TEXT,
            "funder_url": URL,
            "deadline": MOMENT,
            "year": NUMBER,
            "amount_min": NUMBER,
            "amount_max": NUMBER,
            "currency": TEXT,
            "eligibility": LONG,
            "region": TEXT,
            "locality": TEXT,
            "country": TEXT,
            "in_language": TEXT,
            "official_id": TEXT,
        },
        identity=("name", "organization", "call"),
        anchors=("organization", "call"),
        checks=("description", "dates", "far", "amounts"),
        names=(Named("organization", "funder", _by("funder")),),
        run_by="funder",
    ),
    "service": Kind(
        one="service",
        many="services",
        fields={
            **ABOUT,
            **WHERE,
            **REACH,
            "provider_name": TEXT,
            "provider_url": URL,
            "venue_name": TEXT,
            "venue_url": URL,
            "opening_hours": LONG,
            "eligibility": LONG,
            "cost": TEXT,
            "in_language": TEXT,
            "is_accessible_for_free": FLAG,
            "official_id": TEXT,
        },
        identity=("name", "organization", "site"),
        anchors=("organization", "site"),
        checks=("description",),
        names=(Named("place", "venue", VENUE), Named("organization", "provider", _by("provider"))),
        may_conflict=True,
        run_by="provider",
    ),
    "opportunity": Kind(
        one="opportunity",
        many="opportunities",
        fields={
            **ABOUT,
            **WHERE,
            **REACH,
            **WHEN,
            "organizer_name": TEXT,
            "organizer_url": URL,
            "venue_name": TEXT,
            "venue_url": URL,
            "deadline": MOMENT,
            "eligibility": LONG,
            "employment_type": TEXT,
            "cost": TEXT,
            "in_language": TEXT,
            "official_id": TEXT,
        },
        identity=("name", "organization", "site", "term"),
        anchors=("organization", "site"),
        checks=("description", "dates", "far"),
        names=(Named("place", "venue", VENUE), Named("organization", "organizer", _by("organizer"))),
        run_by="organizer",
    ),
    "place": Kind(
        one="place",
        many="places",
        fields={**ABOUT, **WHERE, **REACH, "opening_hours": LONG, "official_id": TEXT},
        identity=("name", "address", "locality", "region"),
        anchors=("name",),
        may_conflict=True,
        is_referenced=True,
    ),
    "organization": Kind(
        one="organisation",
        many="organisations",
        fields={**ABOUT, **WHERE, **REACH, "legal_name": TEXT, "official_id": TEXT, "founding_date": DAY},
        identity=("bare_name", "home"),
        anchors=("bare_name",),
        may_conflict=True,
        is_referenced=True,
    ),
}
REFERENCED: Final = tuple(name for name, kind in KINDS.items() if kind.is_referenced)


def having(field: str) -> tuple[str, ...]:
    """Return the kinds that have this field."""
    return tuple(name for name, kind in KINDS.items() if field in kind.fields)

"""Records of every kind with every field, for tests of what leaves the house; and an empty store for its copies."""

from __future__ import annotations

from typing import Any

from django.db import connection

from gleanery.kinds import KINDS
from gleanery.resolution.models import Record
from tests.resolution.shop import record_of, tell

PHONE, EMAIL = "+359 2 806 3800", "desk@planted.example"
CONTACTS = {"phone": PHONE, "email": EMAIL}
WHERE = {
    "address": "12 Vitosha Street",
    "locality": "Sofia",
    "region": "Sofia City",
    "postal_code": "1000",
    "country": "BG",
    "lat": 42.6954,
    "lon": 23.3217,
}
ABOUT = {
    "description": "First line, with “quotes”, and a comma.\nSecond line; it ends in a backslash \\",
    "url": "https://rex.example/a?b=1&c=2",
    "public_url": "https://tickets.example/7",
    "image_url": "https://rex.example/a.jpg",
    "keywords": ["jazz", "club, late", "вечер"],
}
DATES = [
    {"start": "2027-03-12T19:00:00+02:00", "end": "2027-03-12T22:00:00+02:00"},
    {"start": "2027-03-19T19:00:00+02:00", "end": "2027-03-19T22:00:00+02:00"},
]
FULL: dict[str, dict[str, Any]] = {
    "place": {
        "name": "The Rex",
        **ABOUT,
        **WHERE,
        "opening_hours": "Mo-Fr 10:00-18:00\nSa 10:00-14:00",
        "official_id": "P-1",
    },
    "organization": {
        "name": "Jazz Foundation",
        **ABOUT,
        **WHERE,
        "url": "https://jazz.example/",
        "legal_name": "Jazz Foundation Ltd",
        "official_id": "0012345",
        "founding_date": "1998",
    },
    "event": {
        "name": "=Jazz & Blues",
        **ABOUT,
        **WHERE,
        **DATES[0],
        "occurrences": DATES,
        "venue_name": "The Rex",
        "venue_url": "https://rex.example/",
        "organizer_name": "Jazz Foundation",
        "organizer_url": "https://jazz.example/",
        "virtual_url": "https://stream.example/1",
        "in_language": "bg",
        "is_accessible_for_free": False,
        "event_status": "scheduled",
        "attendance_mode": "mixed",
        "cost": "12 lv",
        "eligibility": "Everybody",
    },
    "funding": {
        "name": "Small grants",
        **ABOUT,
        "start": "2027-01-01",
        "end": "2027-02-01",
        "funder_name": "Jazz Foundation",
        "funder_url": "https://jazz.example/",
        "deadline": "2027-02-01T17:00",
        "year": 2027,
        "amount_min": 12.345,
        "amount_max": 5000,
        "currency": "EUR",
        "eligibility": "Clubs\nand schools",
        "region": "Sofia City",
        "locality": "Sofia",
        "country": "BG",
        "in_language": "en",
        "official_id": "F-7",
    },
    "service": {
        "name": "'-tis a quoted desk",
        **ABOUT,
        **WHERE,
        "provider_name": "Jazz Foundation",
        "provider_url": "https://jazz.example/",
        "venue_name": "The Rex",
        "venue_url": "https://rex.example/",
        "opening_hours": "Mo-Fr 10:00-18:00",
        "eligibility": "Anybody",
        "cost": "-5",
        "in_language": "bg",
        "is_accessible_for_free": True,
        "official_id": "S-1",
    },
    "opportunity": {
        "name": "Volunteers wanted",
        **ABOUT,
        **WHERE,
        "start": "2027-04-01",
        "end": "2027-04-30",
        "organizer_name": "Jazz Foundation",
        "organizer_url": "https://jazz.example/",
        "venue_name": "The Rex",
        "venue_url": "https://rex.example/",
        "deadline": "2027-03-20",
        "eligibility": "From 16 years",
        "employment_type": "volunteer",
        "cost": "free",
        "in_language": "bg",
        "official_id": "O-1",
    },
}


def fill() -> dict[str, Record]:
    """One full record of each kind with planted contacts, and some that say little or are told of by several."""
    assert {kind: set(KINDS[kind].fields) - {"phone", "email"} for kind in FULL} == {
        kind: set(fields) for kind, fields in FULL.items()
    }, "a new field belongs into these tests"
    made = {kind: record_of(tell("town.example", kind, kind, **fields, **CONTACTS)) for kind, fields in FULL.items()}
    tell("town.example", "event", "day", name="Open day", start="2027-05-09", venue_name="The Rex", **WHERE)
    tell("town.example", "event", "over", name="Long ago", start="2020-05-09T10:00", venue_name="The Rex", **WHERE)
    several = {"name": "Tango lesson", "venue_name": "Hall of Mirrors", "locality": "Varna", "country": "BG"}
    tell("town.example", "event", "t", **several, start="2027-06-01T18:00:00+03:00")
    tell(
        "other.example",
        "event",
        "t",
        **several,
        start="2027-06-01T18:00:00+03:00",
        occurrences=[{"start": "2027-06-01T18:00:00+03:00"}, {"start": "2027-06-08", "end": "2027-06-09"}],
    )
    tell("town.example", "organization", "lean", name="Читалище Светлина", locality="Ruse")
    return made


def emptied() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("TRUNCATE record, source, likeness, likeness_key CASCADE")

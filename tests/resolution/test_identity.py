"""The identity hash decides what is the same thing and what is not."""

from __future__ import annotations

from typing import Any

import pytest

from gleanery.kinds import KINDS, REFERENCED
from gleanery.resolution.intake.observation_draft import PARTS
from gleanery.resolution.records.conflicts import in_conflict
from gleanery.resolution.records.identity import Subject, identities, identity


def of(kind: str, place: str | None = None, organization: str | None = None, /, **fields: Any) -> bytes | None:
    return identity(kind, Subject(fields, place, organization))


def test_an_event_is_its_name_its_venue_and_its_day() -> None:
    event = of("event", "p1", name="Jazz & Blues", start="2027-03-12T19:00:00+02:00")
    assert event is not None
    assert event == of("event", "p1", name="JAZZ AND BLUES", start="2027-03-12T15:00:00+02:00")
    assert event != of("event", "p2", name="Jazz & Blues", start="2027-03-12T19:00:00+02:00")
    assert event != of("event", "p1", name="Jazz & Blues", start="2027-03-13T19:00:00+02:00")


def test_a_time_in_utc_is_put_on_the_clock_of_the_country() -> None:
    there = of("event", "p1", name="A", start="2027-03-13T00:30:00+02:00", country="BG")
    assert there == of("event", "p1", name="A", start="2027-03-12T22:30:00Z", country="Bulgaria")


def test_the_same_instant_on_another_day_of_the_calendar_is_found() -> None:
    start = Subject({"name": "A", "start": "2027-07-01T23:30:00-04:00"}, "p1")
    assert of("event", "p1", name="A", start="2027-07-02T03:30:00Z") in identities("event", start)[1]


def test_an_online_event_is_at_its_address() -> None:
    event = of("event", name="A", start="2027-03-12", virtual_url="https://meet.example/1/")
    assert event is not None
    assert event == of("event", name="A", start="2027-03-12", virtual_url="http://meet.example/1")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("event", {"name": "Concert", "start": "2027-03-12"}),
        ("event", {"name": "Concert", "virtual_url": "https://meet.example/1"}),
        ("funding", {"name": "Small grants"}),
        ("service", {"name": "Advice"}),
        ("opportunity", {"name": "Volunteers"}),
        ("place", {"name": "!!!"}),
        ("organization", {"name": ""}),
    ],
)
def test_too_little_makes_nothing_the_same(kind: str, fields: dict[str, str]) -> None:
    assert of(kind, **fields) is None


def test_outlets_of_a_chain_with_different_addresses_differ() -> None:
    first = of("place", name="Corner shop", address="5 Main St.", locality="Corrabeg")
    assert first == of("place", name="CORNER SHOP", address="5 Main Street", locality="Corrabeg")
    assert first != of("place", name="Corner shop", address="7 Main St.", locality="Corrabeg")


def test_an_organisation_is_its_name_and_its_domain_or_town() -> None:
    first = of("organization", name="Helping Hands Ltd", url="https://www.hands.example.org/about")
    assert first == of("organization", name="Helping hands", url="http://example.org/")
    assert first != of("organization", name="Helping hands", locality="Ruse")


def test_next_years_call_is_another_programme() -> None:
    call = of("funding", None, "o1", name="Small grants", deadline="2027-02-15")
    assert call == of("funding", None, "o1", name="small GRANTS", deadline="2027-02-15T17:00:00+02:00")
    assert call != of("funding", None, "o1", name="Small grants", deadline="2028-02-15")
    assert of("funding", None, "o1", name="A", year=2027) != of("funding", None, "o1", name="A", year=2028)


def test_a_service_is_its_name_its_provider_and_its_place() -> None:
    service = of("service", "p1", "o1", name="Advice")
    assert service != of("service", "p2", "o1", name="Advice")
    assert service != of("service", "p1", "o2", name="Advice")


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({"official_id": "115 999 021"}, {"official_id": "115999021"}, ""),
        ({"official_id": "115999021"}, {"official_id": "115999022"}, "official_id"),
        ({"address": "Main St 5"}, {"address": "7 Main St"}, "house_number"),
        ({"address": "Main St 5"}, {"address": "Main St"}, ""),
        ({"lat": 42.0, "lon": 23.0}, {"lat": 42.004, "lon": 23.0}, ""),
        ({"lat": 42.0, "lon": 23.0}, {"lat": 42.006, "lon": 23.0}, "distance"),
        ({"lat": 42.0, "lon": 23.0}, {}, ""),
    ],
)
def test_a_conflict_separates_two_of_equal_identity(one: dict[str, Any], other: dict[str, Any], why: str) -> None:
    assert in_conflict(one, other) == why == in_conflict(other, one)


@pytest.mark.parametrize("kind", REFERENCED)
def test_places_and_organisations_are_what_these_fields_tell_and_nothing_else(kind: str) -> None:
    fields: dict[str, Any] = {name: f"a {name} 7" for name in KINDS[kind].fields} | {"url": "https://a.example/x"}
    telling = {name: fields[name] for name in PARTS if name in fields}
    assert of(kind, **fields) == of(kind, **telling) is not None

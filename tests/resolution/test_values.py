"""Values are read by the type of their field, or refused with a sentence; doubts have a sentence too."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from gleanery.errors import Invalid
from gleanery.kinds import KINDS
from gleanery.resolution.records.identity import PARTS
from gleanery.resolution.records.quality import CHECKS, CODES, doubts
from gleanery.resolution.records.values import READERS, checked, value_of

TODAY = date(2027, 1, 1)


def test_every_kind_is_declared_with_words_that_are_known() -> None:
    for kind in KINDS.values():
        assert set(kind.fields.values()) <= READERS.keys()
        assert set(kind.identity) | set(kind.anchors) <= PARTS.keys()
        assert set(kind.checks) <= CHECKS.keys()
        for named in kind.names:
            assert set(named.fields) <= KINDS[named.reference].fields.keys()
            assert set(named.fields.values()) <= kind.fields.keys()


@pytest.mark.parametrize(
    ("kind", "field", "given", "read"),
    [
        ("place", "lat", "42.7", 42.7),
        ("place", "postal_code", 1000, "1000"),
        ("funding", "amount_max", "5000", 5000),
        ("funding", "amount_max", 12.5, 12.5),
        ("event", "is_accessible_for_free", "Yes", True),
        ("event", "is_accessible_for_free", "не", False),
        ("organization", "founding_date", "1982-05-14", "1982-05-14"),
        ("organization", "founding_date", 1982, "1982"),
        ("event", "keywords", "a, b,a", ["a", "b"]),
        ("event", "start", " 2027-03-12T19:00:00Z ", "2027-03-12T19:00:00Z"),
        ("event", "description", "a\n\n\n\nb\x00", "a\n\nb"),
        ("event", "occurrences", [{"start": "2027-03-12", "x": 1}], [{"start": "2027-03-12"}]),
    ],
)
def test_a_value_is_read_by_the_type_of_its_field(kind: str, field: str, given: Any, read: Any) -> None:
    assert value_of(kind, field, given) == read


@pytest.mark.parametrize(
    ("kind", "field", "given"),
    [
        ("place", "lat", 91),
        ("place", "lon", "east"),
        ("place", "url", "javascript:alert(1)"),
        ("event", "start", "tomorrow"),
        ("event", "start", 7),
        ("event", "occurrences", [{"end": "2027-03-12"}]),
        ("event", "is_accessible_for_free", "perhaps"),
        ("funding", "amount_max", float("inf")),
        ("funding", "amount_max", True),
        ("organization", "founding_date", "2003-05-14T10:00:00Z"),
        ("event", "name", {"a": 1}),
        ("event", "party", "x"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(kind: str, field: str, given: Any) -> None:
    with pytest.raises(Invalid, match=field):
        value_of(kind, field, given)


def test_unknown_names_stay_behind_and_half_a_position_is_none() -> None:
    assert checked("place", {"name": "Hall", "lat": 1, "colour": "red", "phone": ""}) == {"name": "Hall"}
    with pytest.raises(Invalid):
        checked("place", {"name": " "})


@pytest.mark.parametrize(
    ("kind", "fields", "codes"),
    [
        ("event", {"start": "2027-03-12", "description": "x", "venue_name": "Hall"}, []),
        ("event", {}, ["missing_start", "missing_description", "missing_venue"]),
        (
            "event",
            {"start": "2027-03-12", "end": "2027-03-11", "description": "x", "address": "A 1"},
            ["reversed_dates"],
        ),
        ("event", {"start": "2027-03-12", "end": "2027-03-12", "description": "x", "virtual_url": "x"}, []),
        (
            "event",
            {"start": "2027-03-12T19:00:00Z", "end": "2027-03-12T21:00:00+02:00", "description": "x", "lat": 42.0},
            ["zero_length"],
        ),
        ("event", {"start": "2029-03-12", "description": "x", "attendance_mode": "online"}, ["too_far_in_future"]),
        ("funding", {"description": "x", "amount_min": 2, "amount_max": 1}, ["reversed_amounts"]),
        ("funding", {"description": "x", "amount_min": -2}, ["negative_amount"]),
        ("place", {}, []),
        ("organization", {}, []),
    ],
)
def test_what_to_look_at_twice(kind: str, fields: dict[str, Any], codes: list[str]) -> None:
    found = doubts(kind, fields, TODAY)
    assert [each.code for each in found] == codes
    assert set(codes) <= set(CODES)
    assert all(each.sentence.endswith(".") for each in found)


def test_what_only_a_model_has_read_is_looked_at_twice() -> None:
    assert [each.code for each in doubts("place", {}, TODAY, by_model=True)] == ["low_confidence"]


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), 10**5_000], ids=["nan", "infinite", "endless"])
def test_a_number_that_is_none_is_no_text(odd: float) -> None:
    with pytest.raises(Invalid, match="name should be"):
        value_of("place", "name", odd)

"""Work done before the write lock does not change the result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gleanery.matching.facts import facts
from gleanery.matching.live import stored
from gleanery.resolution.intake import copy_rows, precompute
from gleanery.resolution.intake.observation_draft import Observation, read
from gleanery.resolution.models import Likeness, Record
from gleanery.resolution.services import intake
from tests.resolution.shop import given, source

JAZZ = {
    "name": "Jazz Night",
    "start": "2027-03-12T19:00:00+02:00",
    "description": 'A "long" evening\nwith a \\ in it.',
    "venue_name": "Kobalt Hall",
    "locality": "Ruse",
    "organizer_name": "Jazz Club",
}


def observed(**fields: Any) -> Observation:
    return read(given("event", "1", **{**JAZZ, **fields}), "01900000-0000-7000-8000-000000000001")


def test_what_a_thing_names_only_adds_keys() -> None:
    alone = facts("event", JAZZ)
    place = "01900000-0000-7000-8000-00000000000a"
    named = facts("event", JAZZ, place=place)
    assert stored.digests(alone) < stored.digests(named)
    assert stored.digests(named) == frozenset(stored.key_sets(named).wanted)
    more = stored.digests(named) - stored.digests(alone)
    assert {stored.key_sets(named).wanted[key] for key in more} == {"day and venue"}


@pytest.mark.django_db
def test_only_what_is_new_or_changed_is_worked_out() -> None:
    intake(source("a"), [given("event", "1", **JAZZ)])
    same, changed = observed(), observed(description="Another.")
    precompute.precompute(str(source("a").pk), [same])
    precompute.precompute(str(source("a").pk), [changed])
    assert "facts" not in vars(same)
    assert vars(changed)["facts"] == facts("event", changed.payload)


@pytest.mark.django_db
def test_the_likeness_of_a_record_is_that_of_its_fields_and_of_what_it_names() -> None:
    intake(source("a"), [given("event", "1", **JAZZ)])
    record = Record.objects.get(kind="event")
    place, organization = str(record.place_id), str(record.organization_id)
    wanted = facts("event", record.fields, place=place, organization=organization)
    assert stored.read([str(record.pk)]) == {str(record.pk): wanted}
    assert set(Likeness.objects.get(pk=record.pk).keys) == stored.digests(wanted)


@pytest.mark.django_db
@pytest.mark.parametrize("original", [None, {"name": "Jazz Night", "seats": 5.0, "bad": "a\tb\\c\n"}, [1, "x"]])
def test_what_the_source_sent_is_stored_as_it_was_sent(original: Any) -> None:
    event = given("event", "1", **JAZZ)
    answer = intake(source("a"), [type(event)(kind="event", external_id="1", payload=JAZZ, original=original)])[0]
    observation = source("a").observations.get(kind="event")
    assert observation.payload == Record.objects.get(pk=answer.record).fields == JAZZ
    assert observation.original == (JAZZ if original is None else _clean(original))


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["\\N", "\\.", "a\\tb", "C:\\\\new", 'say "\\u0041"', "{1,2}", "tab\there"])
def test_text_that_means_something_to_the_server_is_stored_as_text(text: str) -> None:
    intake(source("a"), [given("place", text, name=f"Hall {text}", locality="Sofia", description=text)])
    record = Record.objects.get(kind="place")
    read = " ".join(text.split())
    assert (record.name, record.fields["description"]) == (f"Hall {read}", read)
    assert source("a").observations.get(kind="place").external_id in (text, read)
    assert set(Likeness.objects.get(pk=record.pk).keys)


def _clean(original: Any) -> Any:
    return {**original, "bad": "a b\\c"} if isinstance(original, dict) else original


def test_numbers_that_are_written_otherwise_are_not_taken_for_the_same_text() -> None:
    event = observed(lat=42.0, lon=23)
    assert not copy_rows.is_as_given(replace(event, original={**event.payload, "lon": 23}))
    assert copy_rows.is_as_given(replace(event, original=dict(event.payload)))

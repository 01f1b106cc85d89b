"""Records written, changed or deleted between the search before the write lock and the lock are found as they are."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import hypothesis
import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gleanery.accounts.actor import Actor
from gleanery.extraction.write_lock import take_write_lock
from gleanery.ids import uuid7
from gleanery.matching.facts import facts
from gleanery.matching.live import candidates, stored
from gleanery.resolution import services
from gleanery.resolution.intake import precompute
from gleanery.resolution.intake.answer import Answer
from gleanery.resolution.intake.observation_draft import Assigned, Version, read, version_after
from gleanery.resolution.intake.record_draft import RecordDraft, new_row
from gleanery.resolution.models import Record
from gleanery.resolution.near import likeness
from tests.resolution.shop import given, record_of, somebody_waits_for_the_write_lock, source, tell

CHERRY = {
    "name": "The Cherry Orchard by Chekhov",
    "start": "2027-03-12T19:00:00+02:00",
    "venue_name": "Sava Ognyanov Theatre",
    "locality": "Ruse",
    "description": "The theatre plays its last comedy of the season.",
}
RETOLD = {**CHERRY, "name": "Chekhov: The Cherry Orchard", "start": "2027-03-12T19:30:00+02:00"}
REX = {"name": "The Rex Jazz Bar", "address": "194 Queen St W", "locality": "Toronto", "country": "CA"}


def while_it_waits(others: Callable[[], Any], kind: str, **fields: Any) -> Answer:
    """The answer to one who has looked before its turn, and gets it only when the others have written."""
    answers: list[Answer] = []

    def take_in() -> None:
        answers.extend(services.intake(source("b"), [given(kind, "1", **fields)]))
        connection.close()

    source("b")
    waiting = threading.Thread(target=take_in)
    with transaction.atomic():
        take_write_lock()
        waiting.start()
        while not somebody_waits_for_the_write_lock():
            time.sleep(0.01)
        others()
    waiting.join(timeout=30)
    return answers[0]


def codes(answer: Answer) -> set[str]:
    return {each.code for each in answer.warnings}


@pytest.mark.django_db(transaction=True)
def test_what_was_written_meanwhile_is_found() -> None:
    answer = while_it_waits(lambda: tell("a", "event", "1", **CHERRY), "event", **RETOLD)
    assert (answer.outcome, codes(answer)) == ("in_review", {"potential_duplicate"})


@pytest.mark.django_db(transaction=True)
def test_what_was_written_meanwhile_is_found_by_a_word_alone() -> None:
    """Of one name, phone or address, or with a venue that is new, it would be looked for anew anyway."""
    there, here = ({name: value for name, value in each.items() if name != "venue_name"} for each in (CHERRY, RETOLD))
    answer = while_it_waits(lambda: tell("a", "event", "1", **there), "event", **{**here, "name": "The Cherry Orchard"})
    assert (answer.outcome, codes(answer)) == ("in_review", {"potential_duplicate"})


@pytest.mark.django_db(transaction=True)
def test_a_record_deleted_meanwhile_is_not_reported(admin: Actor) -> None:
    there = record_of(tell("a", "event", "1", **CHERRY))
    answer = while_it_waits(lambda: services.delete(admin, there, "It is cancelled."), "event", **RETOLD)
    assert (answer.outcome, codes(answer)) == ("created", set())


@pytest.mark.django_db(transaction=True)
def test_what_was_changed_meanwhile_is_compared_as_it_is_now(admin: Actor) -> None:
    there = record_of(tell("a", "event", "1", **CHERRY))
    moved = {"name": "Physics Olympiad", "start": "2027-05-01"}
    answer = while_it_waits(lambda: services.edit(admin, there, moved), "event", **RETOLD)
    assert codes(answer) == set()


@pytest.mark.django_db(transaction=True)
def test_a_place_that_was_written_meanwhile_is_joined() -> None:
    rex = {**REX, "phone": "+1 416-598-2475", "lat": 43.65, "lon": -79.388}
    answer = while_it_waits(lambda: tell("a", "place", "1", **rex), "place", **{**rex, "name": "Rex Jazz Bar"})
    assert answer.outcome == "merged"
    assert Record.objects.filter(kind="place", status="published").count() == 1


HALLS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Alfa Center", "Alfa Centre Hall", "Beta Hall", "Zvezdichka House", "Gama"]),
        "locality": st.sampled_from(["Sofia", "Ruse"]),
    },
    optional={
        "phone": st.sampled_from(["02 812 3456", "02 812 3457"]),
        "address": st.sampled_from(["ul. Rila 5", "ul. Rila 7"]),
        "lat": st.sampled_from([42.6975, 42.6994]),
        "lon": st.just(23.3242),
    },
)


@pytest.mark.django_db
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@hypothesis.given(st.lists(HALLS, max_size=4), st.lists(HALLS, max_size=4), st.lists(HALLS, min_size=1, max_size=3))
def test_all_that_a_search_under_the_lock_finds_is_found(
    there: list[dict[str, Any]], meanwhile: list[dict[str, Any]], asked: list[dict[str, Any]]
) -> None:
    """Whatever is there, is written or rewritten meanwhile, or comes in the same batch; not more than are scored.

    More may have been foreseen: by a key that fewer had then, and that now would tell too little to look at.
    """
    with transaction.atomic():
        before = {_id(number): facts("place", fields) for number, fields in enumerate(there)}
        _write(before)
        wanted = {_id(100 + number): facts("place", fields) for number, fields in enumerate(asked)}
        precomputed = candidates.precompute(wanted, 0.3)
        rewritten = {_id(2 * number): facts("place", fields) for number, fields in enumerate(meanwhile)}
        _write(rewritten)
        found, plainly = candidates.near(wanted, 0.3, precomputed), candidates.near(wanted, 0.3)
        told, looked, plain = _likely(found), _likely(plainly), defaultdict(list, _likely(candidates.near(wanted, 0.2)))
        for record in told.keys() | looked.keys():
            earlier = {each.record for each in precomputed[record].near}
            # How rare a word is changes a little with each record: what is near the bound may be on either side of it.
            sure = {each for each, likely in looked.get(record, ()) if likely >= 0.4}
            assert sure <= {each for each, _ in told.get(record, ())} <= {each for each, _ in plain[record]} | earlier
        transaction.set_rollback(True)


def _write(some: dict[str, Any]) -> None:
    ids = [each for each in some if not Record.objects.filter(pk=each).exists()]
    Record.objects.bulk_create(Record(pk=each, kind="place", status="in_review", name="x") for each in ids)
    stored.write(stored.changed(some, anyway=some))


def _likely(found: dict[str, list[candidates.Near]]) -> dict[str, list[tuple[str, float]]]:
    return {record: [(each.record, each.match.probability) for each in listed] for record, listed in found.items()}


@pytest.mark.django_db
def test_what_becomes_another_thing_than_was_thought_is_looked_for_again() -> None:
    tell("a", "event", "1", **CHERRY)
    observation = read(given("event", "1", **RETOLD), _id(1))
    precomputed = precompute.precompute(str(source("b").pk), [observation])[observation.id]
    version = replace(version_after(None, observation, timezone.now()), precomputed=precomputed)
    elsewhere, there = row_of(version, None), row_of(version, precomputed.facts.at)
    assert likeness.valid_precomputed([elsewhere, there]) == {there.id: precomputed}


def row_of(version: Version, place: str | None) -> RecordDraft:
    row = new_row(str(uuid7()), version, None)
    row.join(Assigned(version, row.id, "created"))
    row.fields, row.place = dict(version.payload), place
    return row


def _id(number: int) -> str:
    return f"01900000-0000-7000-8000-{number:012x}"

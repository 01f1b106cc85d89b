"""Different things that share an id, a batch or a name do not affect one another."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import connection

from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.extraction.models import Observation
from gleanery.resolution import services
from gleanery.resolution.intake import collisions
from gleanery.resolution.intake.observation_draft import named_by
from gleanery.resolution.models import Merge, Record
from tests.resolution.shop import JAZZ, given, record_of, source, tell

pytestmark = pytest.mark.django_db

BAR = {"name": "Rex Jazz Bar", "locality": "Toronto", "country": "CA"}
HERE = {"lat": 43.65, "lon": -79.388}
CLUB = {"name": "The Rex Jazz Club", "locality": "Toronto", "country": "CA", "phone": "+1 416-598-2475"}


def test_an_event_and_a_service_of_one_number_name_a_venue_each_for_itself() -> None:
    where = {"venue_name": "The Rex", "locality": "Sofia", "address": "ul. Shipka 7"}
    tell("a", "event", "1", **{**JAZZ, **where, "postal_code": "1504"})
    tell("a", "service", "1", name="Free lunch", provider_name="Caritas", **where)
    assert Record.objects.get(kind="place").fields["postal_code"] == "1504"
    tell("a", "service", "1", name="Free lunch", provider_name="Caritas", venue_name="Elsewhere", locality="Ruse")
    named = Observation.objects.filter(kind="place", record=Record.objects.get(name="The Rex").pk)
    assert sorted(each.not_seen_since is None for each in named) == [False, True]


def test_what_was_named_under_the_keys_of_before_is_found_under_those_of_now(admin: Actor) -> None:
    """As it is in a store of an earlier version, in all of its versions."""
    tell("a", "event", "1", **JAZZ)
    tell("a", "event", "2#b", **{**JAZZ, "name": "Blues"})
    now = set(Observation.objects.filter(kind="place").values_list("external_id", flat=True))
    place = Record.objects.get(kind="place").pk
    for each in Observation.objects.filter(kind="place"):
        each.external_id = each.external_id.replace("#event.", "#")
        each.save(update_fields=["external_id"])
    renaming = import_module("gleanery.resolution.migrations.0007_keys_of_the_named")
    for _ in range(2):
        with connection.cursor() as cursor:
            cursor.execute(renaming.RENAME)
        assert set(Observation.objects.filter(kind="place").values_list("external_id", flat=True)) == now
    for event in Record.objects.filter(kind="event"):
        services.edit(admin, event, {"description": "By heart."})  # it is projected anew
        event.refresh_from_db()
        assert event.place_id == place


def test_things_in_the_batch_itself_are_not_marked_as_no_longer_named() -> None:
    ((_, (kind, key), _),) = named_by("event", "1", JAZZ)
    tell("a", "event", "1", **JAZZ)
    moved = {**JAZZ, "venue_name": "Elsewhere"}
    services.intake(source("a"), [given("event", "1", **moved), given(kind, key, name="The Rex", locality="Sofia")])
    assert Observation.objects.get(kind=kind, external_id=key, superseded_at=None).not_seen_since is None


def test_a_thing_with_the_id_of_what_another_names_costs_nobody_anything() -> None:
    ((_, (kind, key), _),) = named_by("event", "1", JAZZ)
    answers = services.intake(
        source("a"),
        [given("event", "1", **JAZZ), given(kind, key, name="The Rex", locality="Sofia"), given("place", "2", **BAR)],
    )
    assert [each.outcome for each in answers] == ["created"] * 3
    assert str(Record.objects.get(kind="event").place_id) == answers[1].record


def test_who_joins_one_of_the_same_batch_is_not_joined_against_a_verdict(admin: Actor) -> None:
    queen = {"address": "194 Queen St W"}
    bar = record_of(tell("k", "place", "1", **BAR, **queen, **HERE))
    club = record_of(tell("k", "place", "2", **CLUB, url="https://rexclub.ca", lat=43.70, lon=-79.30))
    services.give_verdict(admin, bar, club, "different")
    reached = {"email": "info@rexbar.ca"}
    joins = {**BAR, "name": "Rex Jazz-Bar Toronto", **queen, **HERE, **reached, "url": "https://rexbar.ca"}
    torn = {**CLUB, "name": "The Rex Jazz Bar & Club", **queen, **reached}
    first, second = services.intake(source("n"), [given("place", "1", **joins), given("place", "2", **torn)])
    assert (first.outcome, first.record) == ("merged", str(bar.pk))
    assert second.outcome == "in_review"
    assert "conflicting_matches" in {each.code for each in second.warnings}


def test_what_the_machine_joined_is_kept_and_given_back_as_after_a_merge_by_a_person(admin: Actor) -> None:
    reached = {"phone": "+1 416-598-2475", **HERE}
    told = {**BAR, **reached, "address": "194 Queen Street West"}
    bar = record_of(tell("a", "place", "1", **BAR, **reached))
    assert tell("b", "place", "1", **told).outcome == "merged"
    merge = Merge.objects.get()
    assert merge.moved["survivor"]["fields"] == bar.fields
    tell("c", "place", "1", **told)
    loser = services.unmerge(admin, merge)
    holders = Observation.objects.values_list("source__name", "record")
    assert dict(holders) == {"a": bar.pk, "b": loser.pk, "c": loser.pk}


def test_a_collision_respects_a_verdict_about_what_was_merged_since(admin: Actor) -> None:
    one, other, into = (
        record_of(tell("a", "organization", str(n), name=name, locality="Ruse"))
        for n, name in enumerate(["Amber", "Birch", "Cobalt"])
    )
    services.give_verdict(admin, one, other, "different")
    services.merge(admin, other, into)
    services.edit(admin, into, {"name": "Amber"})
    assert collisions.of([into.pk]) == {}


@pytest.mark.parametrize("nothing", ["", "   ", "\u200b"])
def test_a_name_is_never_edited_away(admin: Actor, nothing: str) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    with pytest.raises(Invalid, match="needs a name"):
        services.edit(admin, record, {"name": nothing})
    services.edit(admin, record, {"description": nothing})
    record.refresh_from_db()
    assert "description" not in record.fields

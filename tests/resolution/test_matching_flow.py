"""Near duplicates on intake: sure matches are merged, possible ones shown to a person, none asked about twice."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.matching.facts import facts
from gleanery.matching.live import stored
from gleanery.matching.live.candidates import MOST_SHARING, near
from gleanery.matching.trigrams import similarity
from gleanery.resolution import services
from gleanery.resolution.intake import recompute
from gleanery.resolution.intake.batch import intake
from gleanery.resolution.models import Likeness, LikenessKey, Merge, Record, Verdict
from gleanery.resolution.records.life import LIVE
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from tests.resolution.history import likeness_is_kept
from tests.resolution.shop import JAZZ, WORDS, given, record_of, source, tell

pytestmark = pytest.mark.django_db

REX = {"name": "The Rex Jazz Bar", "address": "Queen Street West", "locality": "Toronto", "country": "CA"}
REX_HOTEL = {**REX, "name": "Rex Hotel Jazz & Blues Bar"}
HALL = {
    "name": "Kobalt Theatre",
    "address": "12 River Street",
    "locality": "Ruse",
    "country": "BG",
    "phone": "+359 82 123 456",
    "url": "https://kobalt-theatre.example/",
}
TYPO = {**HALL, "name": "Kobalt Teatre"}


def pending(**about: Any) -> list[Item]:
    return list(Item.objects.filter(status="pending", **about))


def warnings(code: str) -> list[Row]:
    return list(Row.objects.filter(code=code, item__status="pending"))


def test_the_example_of_the_jazz_bar_is_flagged() -> None:
    one = tell("a", "place", "1", **REX)
    other = tell("b", "place", "2", **REX_HOTEL)
    assert other.outcome == "in_review"
    (warning,) = warnings("place_possible_duplicate")
    assert warning.item.record_id == record_of(other).pk
    detail = warning.detail
    assert detail["duplicate_of"] == one.record
    assert REX["name"] not in f"{detail} {warning.sentence}", "names are read when they are shown"
    assert detail["probability"] >= 0.6
    assert detail["similarity_score"] > 0
    assert detail["model"].startswith("place-")
    assert {"field", "level", "points"} == set(detail["points"][0])
    assert "word and area" in detail["rules"]
    likeness_is_kept()


def test_a_slip_in_a_name_joins_and_can_be_split_for_ever(admin: Actor) -> None:
    hall = record_of(tell("a", "place", "1", **HALL))
    answer = tell("b", "place", "2", **TYPO)
    assert (answer.outcome, answer.record) == ("merged", str(hall.pk))
    merge = Merge.objects.get()
    assert (merge.survivor, merge.loser.name, merge.loser.status) == (hall, TYPO["name"], "merged")
    assert merge.moved["match"]["probability"] >= 0.95
    told = JournalEntry.objects.get(action="merge", subject_id=str(merge.loser_id))
    assert "name close" in told.reason
    assert "name" in told.reason
    assert tell("b", "place", "2", **TYPO).outcome == "unchanged"
    assert tell("c", "place", "3", **TYPO).record == str(hall.pk), "what was merged leads to its survivor"
    likeness_is_kept()
    back = services.unmerge(admin, merge)
    assert back.status == "published"
    assert tell("b", "place", "2", **TYPO, description="New.").record == str(back.pk)
    assert Verdict.objects.get(superseded_at=None).verdict == "different"
    tell("a", "place", "1", **HALL, description="Now with a garden.")
    tell("b", "place", "2", **{**TYPO, "name": "Kobalt Theater"}, description="New.")
    assert Record.objects.filter(kind="place", status__in=LIVE).count() == 2
    assert Merge.objects.filter(undone_at=None).count() == 0
    assert not pending()
    likeness_is_kept()


def test_events_follow_the_venue_that_joined() -> None:
    where = {f"venue_{name}" if name in ("name", "url") else name: value for name, value in HALL.items()}
    one = tell("a", "event", "1", name="Hamlet", start="2027-03-12", description="A play.", **where)
    told = {**where, "venue_name": "Kobalt Teatre"}
    other = tell("b", "event", "9", name="Hamlet", start="2027-03-12", description="A play.", **told)
    assert (other.outcome, other.record) == ("merged", one.record)
    likeness_is_kept()


def test_of_many_spellings_in_one_batch_the_first_survives() -> None:
    names = ["Kobalt Theatre", "Kobalt Teatre", "Theatre Kobalt", "The Kobalt Theatre"]
    answers = intake(source(), [given("place", str(n), **{**HALL, "name": name}) for n, name in enumerate(names)])
    assert len({each.record for each in answers}) == 1
    assert [each.outcome for each in answers] == ["created", "merged", "merged", "merged"]
    assert {each.survivor_id for each in Merge.objects.all()} == {record_of(answers[0]).pk}
    likeness_is_kept()


def test_a_verdict_is_respected_when_either_was_merged_since(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", **REX))
    other = record_of(tell("b", "place", "2", **REX_HOTEL))
    services.give_verdict(admin, one, other, "different")
    assert not pending(), "it was asked, and is answered"
    assert record_of(tell("b", "place", "2", **REX_HOTEL)).status == "published"
    third = record_of(tell("c", "place", "3", name="Unlike", locality="Elsewhere"))
    services.merge(admin, one, third, {name: REX[name] for name in ("name", "address", "locality", "country")})
    tell("b", "place", "2", **REX_HOTEL, phone="+1 416 598 2475")
    assert not warnings("place_possible_duplicate")


def test_unsure_does_not_silence(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", **REX))
    other = record_of(tell("b", "place", "2", **REX_HOTEL))
    services.give_verdict(admin, one, other, "unsure")
    tell("b", "place", "2", **REX_HOTEL, phone="+1 416 598 2475")
    assert len(warnings("place_possible_duplicate")) == 1, "one warning for a pair, that of now"


def test_events_of_a_doubtful_venue_are_one_question() -> None:
    def night(number: int, **where: Any) -> Any:
        told = {"name": f"{WORDS[number]} evening", "start": f"2027-03-{number + 1:02}T20:00:00-05:00"}
        rest = {name: value for name, value in where.items() if name != "name"}
        return given("event", str(number), **told, description="Music.", venue_name=where["name"], **rest)

    intake(source("a"), [night(number, **REX) for number in range(20)])
    intake(source("b"), [night(number, **REX_HOTEL) for number in range(20)])
    (item,) = pending()
    assert item.record is not None
    assert item.record.kind == "place"
    assert Record.objects.filter(kind="event", status="published").count() == 40


def test_a_match_with_two_records_judged_different_is_a_conflict(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", **HALL))
    merge_loser = record_of(tell("b", "place", "2", **{**HALL, "name": "Kobalt Teatre"}))
    assert merge_loser == one
    other = services.unmerge(admin, Merge.objects.get())
    third = tell("c", "place", "3", **{**HALL, "name": "Kobalt Theattre"})
    assert third.outcome == "in_review", "nobody but a person can say which of the two it is"
    (warning,) = warnings("conflicting_matches")
    assert set(warning.detail["records"]) == {str(one.pk), str(other.pk)}


def test_two_events_on_one_stage_with_names_much_alike_are_flagged() -> None:
    tell("a", "event", "1", **JAZZ)
    other = tell("b", "event", "2", **{**JAZZ, "name": "Jazz Nights"})
    assert similarity("jazz night", "jazz nights") > 0.4
    assert [each.code for each in other.warnings] == ["potential_duplicate"]
    part = tell("c", "event", "3", **{**JAZZ, "name": "Film, part 1", "start": "2027-04-01"})
    assert not part.warnings
    assert not tell("c", "event", "4", **{**JAZZ, "name": "Film, part 2", "start": "2027-04-01T12:00"}).warnings


def test_a_published_record_that_becomes_like_another_stays_published() -> None:
    one = tell("a", "place", "1", **REX)
    other = tell("b", "place", "2", name="Rex Hotel", locality="Toronto", country="CA", address="1 Elm Street")
    assert record_of(other).status == "published"
    assert tell("b", "place", "2", **REX_HOTEL).outcome == "updated"
    assert record_of(other).status == "published"
    (item,) = pending()
    assert item.record_id == record_of(other).pk
    assert [each.detail["duplicate_of"] for each in item.warnings.all()] == [one.record]
    tell("b", "place", "2", name="Rex Hotel", locality="Toronto", country="CA", address="1 Elm Street")
    assert not warnings("place_possible_duplicate"), "what its source says now is like nobody"


def test_at_most_a_few_are_shown() -> None:
    for number, town in enumerate("abcdefg"):
        tell(town, "place", str(number), **{**REX, "name": f"Rex {WORDS[number]} Bar"})
    told = tell("z", "place", "9", **REX)
    assert len([each for each in told.warnings if each.code == "place_possible_duplicate"]) <= 3


def test_likeness_follows_what_becomes_of_a_record(admin: Actor) -> None:
    record = record_of(tell("a", "place", "1", **HALL))
    other = record_of(tell("a", "place", "2", name="Far away", locality="Varna"))
    services.delete(admin, record, "No good.")
    likeness_is_kept()
    services.restore(admin, record)
    likeness_is_kept()
    services.merge(admin, record, other)
    likeness_is_kept()
    services.unmerge(admin, record)
    likeness_is_kept()
    services.edit(admin, record, {"name": "Another name"})
    likeness_is_kept()
    Likeness.objects.all().delete()
    LikenessKey.objects.all().delete()
    Record.objects.update(rules=0)
    assert recompute.catch_up() == 2
    likeness_is_kept()


def test_a_key_that_very_many_share_is_passed_over() -> None:
    intake(source(), [given("place", name, name=f"{name} Hall", locality="Sofia") for name in MANY])
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(many) FROM (SELECT count(*) AS many FROM likeness_key GROUP BY key) AS counted")
        assert cursor.fetchall()[0][0] > MOST_SHARING
    asked = facts("place", {"name": "Amber Hall", "locality": "Sofia"})
    found = near({"asked": asked})
    assert all("amber" in each.facts.name for each in found["asked"])


def test_whoever_comes_later_is_not_kept_under_a_key_that_very_many_share() -> None:
    there = {"locality": "Sofia", "url": "https://halls.example/"}
    intake(source(), [given("place", name, name=f"{name} Hall", **there) for name in MANY])
    (late,) = intake(source(), [given("place", "late", name="Zebrano Hall", **there)])
    own = stored.digests(facts("place", {"name": "Zebrano Hall", **there}))
    listed = set(LikenessKey.objects.filter(record=late.record).values_list("key", flat=True))
    assert listed < own
    likeness_is_kept()
    found = near({"asked": facts("place", {"name": "The Zebrano Hall", "locality": "Sofia"})})
    assert [each.record for each in found["asked"]] == [late.record]
    Likeness.objects.filter(record=late.record).delete()
    LikenessKey.objects.filter(record=late.record).delete()
    Record.objects.filter(pk=late.record).update(rules=0)
    assert recompute.catch_up() == 1
    assert set(LikenessKey.objects.filter(record=late.record).values_list("key", flat=True)) == listed


def test_trigrams_are_those_of_the_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")  # gone with the test
        for one, other in (("Jazz Night", "jazz nights!"), ("Фондация", "фондации"), ("a-b c", "ab c"), ("x", "y")):
            cursor.execute("SELECT similarity(%s, %s)", [one, other])
            assert cursor.fetchall()[0][0] == pytest.approx(similarity(one, other), abs=1e-6)


@pytest.mark.django_db(transaction=True)
def test_two_who_tell_of_near_duplicates_at_once_make_one_record() -> None:
    gate = threading.Barrier(2)

    def take(who: str, name: str) -> str:
        gate.wait(timeout=30)
        try:
            return tell(who, "place", "1", **{**HALL, "name": name}).outcome
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = set(pool.map(take, "ab", (HALL["name"], TYPO["name"])))
    assert outcomes == {"created", "merged"}
    assert Record.objects.filter(status__in=LIVE).count() == 1
    likeness_is_kept()


MANY = [f"{one} {other}" for one in WORDS[:6] for other in WORDS[6:12]]

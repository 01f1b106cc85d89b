"""Possible duplicates of one cause are seen together and decided together, each as if it were decided alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from hypothesis import given as having
from hypothesis import strategies as st

from gleanery.errors import Conflict, Invalid, NotAllowed, NotFound
from gleanery.resolution.models import Record, Verdict
from gleanery.resolution.records.quality import Doubt
from gleanery.review.models import Item
from gleanery.review.opening import open_records
from gleanery.review.queue import claims
from gleanery.review.services import decide as decide_one
from gleanery.review.together import services
from gleanery.review.together.causes import Pair, Side, grouped
from gleanery.roles import Role
from tests.resolution.shop import BACKWARDS, WORDS, record_of, tell
from tests.review.shop import somebody

LoggedIn = Callable[[Role], Client]


def flagged(who: str, name: str, day: int, other_name: str = "") -> tuple[Record, Record]:
    """An event that waits since it may be another source's."""
    times = {"start": f"2027-03-{day:02}T19:00:00+02:00", "end": f"2027-03-{day:02}T18:00:00+02:00"}
    there = record_of(
        tell("paper", "event", f"{name} {day}", **{**BACKWARDS, **times, "name": other_name or f"{name}s"})
    )
    waits = record_of(tell(who, "event", f"{name} {day}", **{**BACKWARDS, **times, "name": name, "venue_name": "Yard"}))
    detail = {"duplicate_of": str(there.pk), "candidate_name": there.name, "probability": 0.8, "model": "test"}
    backwards = Doubt("reversed_dates", "It ends before it begins.")
    open_records({waits.pk: [backwards, Doubt("potential_duplicate", f"It may be {there.name}.", detail)]})
    return waits, there


def only(kind: str) -> services.Cause:
    (cause,) = [each for each in services.causes() if each.kind == kind]
    return cause


@pytest.mark.django_db
def test_pairs_of_two_sources_are_one_cause_and_those_of_one_title_another() -> None:
    for day in (11, 12, 13):
        flagged("hall", WORDS[0], day)
    flagged("hall", WORDS[1], 11)
    flagged("club", WORDS[2], 11)
    sources, series = services.causes()
    assert (sources.kind, sources.sentence) == ("sources", "4 pairs of hall and paper.")
    assert series.sentence == f"“{WORDS[0]}” and “{WORDS[0]}s”, on several days: 3 pairs of hall and paper."


@pytest.mark.django_db
def test_merging_a_cause_merges_every_pair_and_each_can_be_undone_alone() -> None:
    pairs = [flagged("hall", name, 11) for name in WORDS[:3]]
    cause = only("sources")
    result = services.decide(somebody(Role.REVIEWER), cause.id, "same", cause.seen)
    assert (result.said, result.refused) == ("3 pairs merged.", [])
    for waits, there in pairs:
        waits.refresh_from_db()
        assert (waits.status, waits.merged_into_id) == ("merged", there.pk)
    item = Item.objects.get(record=pairs[0][0])
    decide_one(somebody(Role.REVIEWER), claims.find(item.pk), "undo")
    assert [Record.objects.get(pk=waits.pk).status for waits, _ in pairs] == ["in_review", "merged", "merged"]


@pytest.mark.django_db
def test_keeping_a_cause_separate_marks_each_pair_and_keeps_other_warnings() -> None:
    pairs = [flagged("hall", name, 11) for name in WORDS[:2]]
    cause = only("sources")
    services.decide(somebody(Role.REVIEWER), cause.id, "different", cause.seen)
    assert Verdict.objects.filter(verdict="different", superseded_at=None).count() == 2
    for waits, _ in pairs:
        assert [each.code for each in Item.objects.get(record=waits, status="pending").warnings.all()] == [
            "reversed_dates"
        ]
    with pytest.raises(NotFound):
        services.find(cause.id)


@pytest.mark.django_db
def test_items_claimed_by_others_are_skipped_and_named() -> None:
    (held, _), _ = [flagged("hall", name, 11) for name in WORDS[:2]]
    claims.claim(somebody(Role.ADMIN), claims.find(Item.objects.get(record=held, status="pending").pk))
    cause = only("sources")
    result = services.decide(somebody(Role.REVIEWER), cause.id, "same", cause.seen)
    assert result.said == "1 pair merged; 1 pair could not be decided."
    assert [pair.one.record for pair, _ in result.refused] == [held.pk]


@pytest.mark.django_db
def test_pairs_that_were_not_shown_are_not_decided() -> None:
    for name in WORDS[:2]:
        flagged("hall", name, 11)
    cause = only("sources")
    flagged("hall", WORDS[2], 11)
    with pytest.raises(Conflict, match="Reload it"):
        services.decide(somebody(Role.REVIEWER), cause.id, "same", cause.seen)
    with pytest.raises(Invalid):
        services.decide(somebody(Role.REVIEWER), cause.id, "unsure", cause.seen)
    with pytest.raises(NotAllowed):
        services.decide(somebody(Role.VIEWER), cause.id, "same", cause.seen)
    assert not Record.objects.filter(status="merged").exists()


@pytest.mark.django_db
def test_the_api_and_the_console_show_and_decide_a_cause(logged_in: LoggedIn) -> None:
    for name in WORDS[:3]:
        flagged("hall", name, 11)
    client = logged_in(Role.REVIEWER)
    (listed,) = client.get("/api/v1/admin/review-causes").json()
    assert listed["count"] == 3
    shown = client.get(f"/api/v1/admin/review-causes/{listed['id']}").json()
    assert {pair["one"]["source"] for pair in shown["pairs"]} == {"hall"}
    assert client.get("/api/v1/admin/review-causes/none").status_code == 404
    assert listed["sentence"] in client.get("/admin/review/item/causes/").content.decode()
    page = f"/admin/review/item/causes/{listed['id']}/"
    text = client.get(page).content.decode()
    assert "Merge all 3 pairs" in text
    assert "Merge all" not in logged_in(Role.VIEWER).get(page).content.decode()
    stale = client.post(page, {"answer": "same", "seen": "old"}, follow=True).content.decode()
    assert "Reload it" in stale
    answer = {"answer": "different", "seen": listed["seen"]}
    decided = client.post(f"/api/v1/admin/review-causes/{listed['id']}/decide", answer, content_type="application/json")
    assert decided.json()["said"] == "3 pairs kept separate."
    assert client.get(page).status_code == 404


sides = st.builds(
    Side,
    st.builds(uuid4),
    st.sampled_from(["Quiz", "QUIZ!", "Choir"]),
    st.just(date(2027, 3, 11)),
    st.sampled_from("abc"),
)
pairs = st.lists(st.builds(Pair, st.builds(uuid4), sides, sides, st.just(0.8)), max_size=12)


@having(pairs)
def test_a_cause_has_at_least_two_pairs_and_causes_are_ordered(found: list[Pair]) -> None:
    causes = grouped(found)
    assert {each.id: each.seen for each in causes} == {each.id: each.seen for each in grouped(found[::-1])}
    assert all(len(each.pairs) >= 2 for each in causes)
    assert len({each.id for each in causes}) == len(causes)

"""What a merge had settled is asked again when the merge is taken back: the pair, and what to do about it."""

from __future__ import annotations

from typing import Any

import pytest

from gleanery.accounts.actor import Actor
from gleanery.resolution import services
from gleanery.resolution.models import Record, Verdict
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.services import allowed_actions, decide
from gleanery.roles import Role
from tests.resolution.shop import record_of, tell
from tests.resolution.test_matching_flow import REX, REX_HOTEL
from tests.review.shop import somebody

pytestmark = pytest.mark.django_db

NIGHT = {
    "start": "2027-03-12T19:00:00+02:00",
    "venue_name": "Town hall",
    "locality": "Corrabeg",
    "description": "Jazz.",
}
CLUB = {"locality": "Toronto", "address": "194 Queen St W", "country": "CA"}
PAIRS: tuple[tuple[str, str, dict[str, Any], dict[str, Any]], ...] = (
    ("place", "place_possible_duplicate", REX, REX_HOTEL),
    (
        "organization",
        "org_possible_duplicate",
        {"name": "The Rex Jazz Society", **CLUB},
        {"name": "Rex Jazz and Blues Society", **CLUB},
    ),
    (
        "event",
        "potential_duplicate",
        {"name": "Alpha Choir sings Bach", **NIGHT},
        {"name": "Bach sung by the Alpha Choir", **NIGHT},
    ),
)


def two(kind: str, one: dict[str, Any], other: dict[str, Any]) -> tuple[Record, Record]:
    first, second = tell("a", kind, "1", **one), tell("b", kind, "2", **other)
    assert second.outcome == "in_review"
    return record_of(first), record_of(second)


@pytest.mark.parametrize(("kind", "code", "one", "other"), PAIRS)
@pytest.mark.parametrize("turned", [False, True])
def test_an_undone_merge_flags_the_pair_again(
    admin: Actor, kind: str, code: str, one: dict[str, Any], other: dict[str, Any], turned: bool
) -> None:
    """Whichever of the two went into the other; it is asked once, of the one that waits."""
    public, waiting = two(kind, one, other)
    loser, survivor = (public, waiting) if turned else (waiting, public)
    services.merge(admin, loser, survivor)
    assert not Item.objects.filter(status="pending").exists()
    services.unmerge(admin, loser)
    item = claims.find(Item.objects.get(status="pending").pk)
    assert (item.record_id, [each.code for each in item.warnings.all()]) == (waiting.pk, [code])
    assert item.warnings.get().detail["duplicate_of"] == str(public.pk)
    assert Verdict.objects.get(superseded_at=None).verdict == "unsure"
    assert "merge" in allowed_actions(somebody(Role.REVIEWER), item)
    decide(somebody(Role.REVIEWER), item, "merge", merge_into=public.pk)
    waiting.refresh_from_db()
    assert waiting.merged_into == public


def test_undoing_flags_two_public_records_again(admin: Actor) -> None:
    """The one became like the other after it was published."""
    one = record_of(tell("a", "place", "1", **REX))
    tell("b", "place", "2", name="Quartz house", locality="Elsewhere")
    other = record_of(tell("b", "place", "2", **REX_HOTEL))
    assert (one.status, other.status) == ("published", "published")
    assert Item.objects.get(status="pending").record == other
    services.merge(admin, other, one)
    assert not Item.objects.filter(status="pending").exists()
    services.unmerge(admin, other)
    item = claims.find(Item.objects.get(status="pending").pk)
    assert (item.record, item.warnings.get().detail["duplicate_of"]) == (other, str(one.pk))
    assert "merge" in allowed_actions(somebody(Role.REVIEWER), item)


def test_two_public_records_are_not_flagged_again(admin: Actor) -> None:
    one, other = (record_of(tell("a", "place", name, name=name, locality="x")) for name in ("Amber", "Quartz"))
    services.merge(admin, other, one)
    services.unmerge(admin, other)
    assert Verdict.objects.get(superseded_at=None).verdict == "different"
    assert not Item.objects.filter(status="pending").exists()

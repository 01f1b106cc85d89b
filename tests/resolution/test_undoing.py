"""Many merges and edits can be undone to the start; journal, verdicts and versions keep the history."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.db.models import Q

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.resolution import services
from gleanery.resolution.intake.batch import intake
from gleanery.resolution.models import Edit, Merge, Record, Verdict
from gleanery.resolution.near.flagging import ALL_CODES
from gleanery.resolution.records.life import LIVE
from gleanery.review.models import Warning as Row
from tests.resolution import history
from tests.resolution.shop import WORDS, given, source

pytestmark = pytest.mark.django_db

STEPS = 50
EDITS: list[tuple[str, Any]] = [
    ("name", "By hand"),
    ("description", "Written by a curator."),
    ("description", None),
    ("locality", "Elsewhere"),
    ("url", "https://edited.example/"),
]


def begin() -> None:
    """A town with its halls, clubs and nights, as four sources tell of them; some of it waits for review."""
    for number, who in enumerate("abcd"):
        drafts = []
        for n in range(8):
            own = WORDS[n * 4 + (number if n % 2 else 0)]
            where = {"locality": "Sofia", "phone": f"{number}{n}"}
            drafts.append(given("place", f"p{n}", name=f"{own} Hall", **where))
            drafts.append(
                given(
                    "organization",
                    f"o{n}",
                    name=f"{WORDS[n * 4 + (number if n % 3 else 0)]} Club{'' if n % 3 else ' Ltd'}",
                    locality="Sofia",
                )
            )
            said = {"description": f"As {who} says."} if n % 4 else {}
            venue = {"venue_name": f"{own} Hall", "locality": "Sofia"}
            drafts.append(
                given(
                    "event",
                    f"e{n}",
                    name=f"{own} Night",
                    start=f"2027-0{number + 1}-1{n}",
                    organizer_name=f"{own[::-1].capitalize()} Union",
                    **venue,
                    **said,
                )
            )
        intake(source(who, trust=4 + number), drafts)


def mess(admin: Actor, chance: random.Random) -> list[tuple[str, Any]]:
    """Fifty steps, each of which touches what the ones before have made; what undoes each."""
    done: list[tuple[str, Any]] = []
    while len(done) < STEPS:
        live = list(Record.objects.filter(status__in=LIVE).order_by("pk"))
        record = chance.choice(live)
        others = [each for each in live if each.kind == record.kind and each != record]
        if others and chance.random() < 0.6:
            fields = chance.choice([None, None, ["name"], {"description": "Taken over."}])
            merge = services.merge(admin, record, chance.choice(others), fields)
            done.append(("merge", merge))
        else:
            name, value = chance.choice(EDITS)
            services.edit(admin, record, {name: value})
            done.append(("edit", (record, name)))
    return done


def undo(admin: Actor, step: tuple[str, Any]) -> None:
    what, which = step
    if what == "merge":
        services.unmerge(admin, which)
    else:
        record, name = which
        services.unedit(admin, record, [name])


def queue() -> set[tuple[Any, ...]]:
    """Who waits, and why; but for what is merely alike: a pair that was merged and split is told apart from then on."""
    alike = Row.objects.filter(Q(code__in=("undone", *ALL_CODES)) & ~Q(detail__has_key="by"))
    told = Row.objects.filter(item__status="pending").exclude(pk__in=alike)
    return set(told.values_list("item__record", "code", "sentence"))


@pytest.mark.parametrize("seed", range(3))
def test_fifty_merges_and_edits_are_undone_to_the_start(admin: Actor, seed: int) -> None:
    begin()
    start, versions = history.snapshot(), dict(Record.objects.values_list("pk", "version"))
    asked = queue()
    done = mess(admin, random.Random(seed))
    assert history.snapshot() != start
    history.check()
    for step in reversed(done):
        undo(admin, step)
    assert history.snapshot() == start
    history.check()
    assert queue() == asked
    _all_is_remembered(done, versions)


def test_merges_are_undone_in_any_order_to_the_same_start(admin: Actor) -> None:
    """Each record is edited before the mess of merges, and is afterwards what it was, whichever is split off first."""
    begin()
    chance = random.Random(11)
    for record in Record.objects.order_by("pk"):
        if chance.random() < 0.3:
            services.edit(admin, record, {"description": f"Edited {record.name}."})
    start = history.snapshot()
    for _ in range(STEPS):
        live = list(Record.objects.filter(status__in=LIVE).order_by("pk"))
        record = chance.choice(live)
        others = [each for each in live if each.kind == record.kind and each != record]
        if others:
            services.merge(admin, record, chance.choice(others), chance.choice([None, ["name"]]))
    merges = list(Merge.objects.all())
    chance.shuffle(merges)
    for number, merge in enumerate(merges):
        services.unmerge(admin, merge)
        if number % 10 == 0:
            history.check()
    assert history.snapshot() == start


def _all_is_remembered(done: list[tuple[str, Any]], versions: dict[Any, int]) -> None:
    counts = Counter(what for what, _ in done)
    told = Counter(JournalEntry.objects.filter(subject_kind="record").values_list("action", flat=True))
    assert (told["merge"], told["absorb"], told["release"]) == (counts["merge"],) * 3
    assert (told["edit"], told["unedit"]) == (counts["edit"],) * 2
    assert told["unmerge_published"] + told["unmerge_in_review"] == counts["merge"]
    assert Merge.objects.exclude(undone_at=None).count() == Merge.objects.count() == counts["merge"]
    assert not Edit.objects.filter(withdrawn_at=None).exists()
    pairs = {frozenset((merge.loser_id, merge.survivor_id)) for what, merge in done if what == "merge"}
    assert Verdict.objects.filter(verdict="same").exclude(superseded_at=None).count() >= len(pairs)
    current = Verdict.objects.filter(superseded_at=None)
    assert {frozenset((each.low_id, each.high_id)) for each in current} == pairs
    # "unsure" is for a pair that somebody was being asked about, or of which one waited again.
    assert {each.verdict for each in current} <= {"different", "unsure"}
    touched = {merge.loser_id for what, merge in done if what == "merge"} | {
        which[0].pk for what, which in done if what == "edit"
    }
    now = dict(Record.objects.values_list("pk", "version"))
    assert all(now[each] > versions[each] for each in touched)
    assert all(now[each] >= versions[each] for each in versions)

"""Rows judged together: groups, what joins them and what keeps out of them; and the pairs that come of it."""

from __future__ import annotations

import io
import json
from datetime import date
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.resolution.matches.dedupe import Found, dedupe
from gleanery.resolution.matches.gathering import ENOUGH, SPEAKERS, Groups
from gleanery.resolution.matches.scoring import LISTED, REVIEW
from gleanery.resolution.matches.sheet import File

Pairs = dict[tuple[int, int], float]
UNLIKE = 0.1
# Two sources tell of one house, each in its own way; the third knows both ways.
ENGLISH = {"name": "Quiet Harbour", "locality": "Varna", "phone": "+359 52 555 609"}
SPELLED = {"name": "Tiho Pristanishte", "locality": "Varna", "address": "ul. Petar Raychev 12"}
BOTH = {
    "name": "Тихо пристанище (Quiet Harbour)",
    "locality": "Варна",
    "phone": "+359 52 555 609",
    "address": "ул. Петър Райчев 12",
}


def groups(likely: Pairs) -> Groups:
    """What is not among them is not likely at all."""
    return Groups(likely.items(), lambda one, other: likely.get((one, other), UNLIKE))


def find(kind: str, *files: list[dict[str, Any]], **more: Any) -> Found:
    opened = [File("rows.jsonl", io.BytesIO("\n".join(map(json.dumps, rows)).encode())) for rows in files]
    return dedupe(kind, opened, today=date(2027, 1, 10), **more)


def test_two_rows_alone_are_judged_by_what_they_tell() -> None:
    assert groups({(1, 2): 0.60}).found() == [[1, 2]]
    assert groups({(1, 2): 0.59}).found() == []
    assert groups({}).found() == []


def test_who_is_one_with_a_third_is_one_with_another_that_hardly_looks_alike() -> None:
    told = groups({(1, 2): 0.97, (2, 3): 0.97, (1, 3): 0.35})
    assert told.found() == [[1, 2, 3]]
    assert told.between(1, 3) >= ENOUGH


def test_who_is_like_one_of_a_group_but_unlike_the_others_stays_out() -> None:
    told = groups({(1, 2): 0.99, (2, 3): 0.99, (1, 3): 0.98, (3, 4): 0.7, (1, 4): 0.05, (2, 4): 0.05})
    assert told.found() == [[1, 2, 3]]
    assert told.between(3, 4) < ENOUGH


def test_of_two_that_are_alike_each_finds_its_own() -> None:
    likely = {(1, 11): 0.99, (2, 12): 0.99, (1, 12): 0.7, (2, 11): 0.7, (1, 2): 0.05, (11, 12): 0.05}
    assert groups(likely).found() == [[1, 11], [2, 12]]


def test_many_that_are_in_doubt_do_not_make_it_likely() -> None:
    alike = dict.fromkeys(combinations(range(5), 2), 0.94)
    assert groups(alike | {(row, 9): 0.55 for row in range(5)}).found() == [[0, 1, 2, 3, 4]]


def test_a_group_of_any_size_is_asked_a_few_times_only() -> None:
    asked = []

    def ask(one: int, other: int) -> float:
        asked.append((one, other))
        return 0.99

    chain = {(row, row + 1): 0.99 for row in range(300)}
    assert Groups(chain.items(), ask).found() == [list(range(301))]
    assert len(asked) <= SPEAKERS**2 * len(chain)


@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(7, 12)), st.floats(0.3, 0.99), max_size=20))
def test_rows_of_one_group_are_likely_one_and_others_are_not(likely: Pairs) -> None:
    told = groups(likely)
    group_of = {row: number for number, rows in enumerate(told.found()) for row in rows}
    for one, other in likely:
        together = one in group_of and group_of[one] == group_of.get(other)
        assert (told.between(one, other) >= ENOUGH) == together


@given(
    st.dictionaries(st.tuples(st.integers(0, 3), st.integers(4, 7)), st.integers(30, 99), max_size=12),
    st.permutations(range(8)),
)
def test_the_order_of_rows_makes_no_difference(points: dict[tuple[int, int], int], order: list[int]) -> None:
    # None has the probability of another, so that the likeliest is the same one in any order.
    likely = {pair: hundredths / 100 + number / 10_000 for number, (pair, hundredths) in enumerate(points.items())}
    moved = {tuple(sorted((order[one], order[other]))): each for (one, other), each in likely.items()}
    there = {frozenset(order[row] for row in rows) for rows in groups(likely).found()}
    assert there == {frozenset(rows) for rows in groups(moved).found()}  # type: ignore[arg-type]  # pairs, in order


def test_a_row_that_knows_both_ways_of_telling_brings_them_together() -> None:
    alone = find("organization", [ENGLISH, SPELLED])
    assert [each for each in alone.pairs if each.probability >= REVIEW] == []
    found = find("organization", [ENGLISH, SPELLED, BOTH])
    assert found.clusters == 1
    pairs = {(each.id_a, each.id_b): each for each in found.pairs}
    assert len(pairs) == 3
    told = json.loads(pairs["a:1", "a:2"].points)
    assert told[-1]["field"] == "company"
    assert told[-1]["level"] == "for"
    assert all(each.cluster == "1" and each.band != "none" for each in pairs.values())


def test_points_add_up_with_those_of_company_and_only_two_themselves_make_it_sure() -> None:
    for pair in find("organization", [ENGLISH, SPELLED, BOTH]).pairs:
        told = json.loads(pair.points)
        total = sum(each["points"] for each in told)
        if told[-1]["field"] == "company" or not any(each["field"] == "veto" for each in told):
            assert pair.probability == pytest.approx(1 / (1 + 2**-total), abs=0.002)
        if told[-1]["field"] == "company" and told[-1]["level"] == "for":
            assert pair.band != "auto"


def test_between_two_files_only_their_pairs_are_listed_though_all_rows_are_judged() -> None:
    found = find("organization", [ENGLISH, SPELLED], [BOTH], link_only=True)
    assert {(each.id_a, each.id_b) for each in found.pairs} == {("a:1", "b:1"), ("a:2", "b:1")}
    assert all(each.probability >= LISTED for each in found.pairs)

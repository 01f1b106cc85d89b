"""Rows judged together: clusters, what joins them and what keeps out of them; and the pairs that come of it."""

from __future__ import annotations

import io
import json
from datetime import date
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.matching.scoring import LISTED, REVIEW, chance
from gleanery.matching.tables.clusters import ENOUGH, SPEAKERS, Clusters
from gleanery.resolution.tables.dedupe import Found, dedupe
from gleanery.resolution.tables.sheet import File

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


def clusters(likely: Pairs) -> Clusters:
    """What is not among them is not likely at all."""
    return Clusters(likely.items(), lambda one, other: likely.get((one, other), UNLIKE))


def find(kind: str, *files: list[dict[str, Any]], **more: Any) -> Found:
    opened = [File("rows.jsonl", io.BytesIO("\n".join(map(json.dumps, rows)).encode())) for rows in files]
    return dedupe(kind, opened, today=date(2027, 1, 10), **more)


def test_two_rows_alone_are_judged_by_what_they_tell() -> None:
    assert clusters({(1, 2): 0.60}).found() == [[1, 2]]
    assert clusters({(1, 2): 0.59}).found() == []
    assert clusters({}).found() == []


def test_who_is_one_with_a_third_is_one_with_another_that_hardly_looks_alike() -> None:
    told = clusters({(1, 2): 0.97, (2, 3): 0.97, (1, 3): 0.35})
    assert told.found() == [[1, 2, 3]]
    assert told.between(1, 3) >= ENOUGH


def test_who_is_like_one_of_a_group_but_unlike_the_others_stays_out() -> None:
    told = clusters({(1, 2): 0.99, (2, 3): 0.99, (1, 3): 0.98, (3, 4): 0.7, (1, 4): 0.05, (2, 4): 0.05})
    assert told.found() == [[1, 2, 3]]
    assert told.between(3, 4) < ENOUGH


def test_of_two_that_are_alike_each_finds_its_own() -> None:
    likely = {(1, 11): 0.99, (2, 12): 0.99, (1, 12): 0.7, (2, 11): 0.7, (1, 2): 0.05, (11, 12): 0.05}
    assert clusters(likely).found() == [[1, 11], [2, 12]]


def test_many_that_are_in_doubt_do_not_make_it_likely() -> None:
    alike = dict.fromkeys(combinations(range(5), 2), 0.94)
    assert clusters(alike | {(row, 9): 0.55 for row in range(5)}).found() == [[0, 1, 2, 3, 4]]


@pytest.mark.parametrize(
    "likely",
    [
        {(row, row + 1): 0.99 for row in range(1_000)},
        {(0, row): 0.99 for row in range(1, 1_001)},
        {(row, other): 0.99 for row in range(1_000) for other in range(row + 1, min(row + 6, 1_001))},
    ],
    ids=["one after the other", "all like one", "each like ten"],
)
def test_a_cluster_of_any_size_costs_no_more_than_its_rows(likely: Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    linked, link = [], Clusters._link
    monkeypatch.setattr(Clusters, "_link", lambda self, one, other: linked.append(one) or link(self, one, other))
    told = Clusters(likely.items(), lambda one, other: 0.99)
    assert told.found() == [list(range(1_001))]
    assert all(told.between(*two) >= ENOUGH for two in likely)
    assert len(linked) <= 2 * SPEAKERS * len(likely)


@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(7, 12)), st.floats(0.3, 0.99), max_size=20))
def test_rows_of_one_cluster_are_shown_as_likely_one_and_others_are_not(likely: Pairs) -> None:
    told = clusters(likely)
    cluster_of = {row: number for number, rows in enumerate(told.found()) for row in rows}
    for one, other in likely:
        together = one in cluster_of and cluster_of[one] == cluster_of.get(other)
        assert (round(chance(told.between(one, other)), 4) >= REVIEW) == together


@given(
    st.dictionaries(st.tuples(st.integers(0, 3), st.integers(4, 7)), st.integers(30, 99), max_size=12),
    st.permutations(range(8)),
)
def test_in_small_clusters_the_order_of_rows_makes_no_difference(
    points: dict[tuple[int, int], int], order: list[int]
) -> None:
    # None has the probability of another, so that the likeliest is the same one in any order.
    likely = {pair: hundredths / 100 + number / 10_000 for number, (pair, hundredths) in enumerate(points.items())}
    moved = {tuple(sorted((order[one], order[other]))): each for (one, other), each in likely.items()}
    there = {frozenset(order[row] for row in rows) for rows in clusters(likely).found()}
    assert there == {frozenset(rows) for rows in clusters(moved).found()}  # type: ignore[arg-type]  # pairs, in order


def test_rows_that_are_told_in_two_ways_are_found_through_one_that_knows_both() -> None:
    found = find("organization", [ENGLISH, SPELLED, BOTH])
    assert {(each.id_a, each.id_b) for each in found.pairs} >= {("a:1", "a:3")}
    assert found.clusters == 1


def test_points_add_up_with_those_of_company_and_only_two_themselves_make_it_sure() -> None:
    for pair in find("organization", [ENGLISH, SPELLED, BOTH]).pairs:
        told = {each["field"]: each for each in json.loads(pair.points)}
        total = sum(each["points"] for each in told.values())
        if "company" in told or "veto" not in told:
            assert pair.probability == pytest.approx(1 / (1 + 2**-total), abs=0.002)
        if told.get("company", {}).get("level") == "for":
            assert pair.band != "auto"


def test_where_others_say_the_same_nothing_is_said_of_company() -> None:
    hotel = {"name": "Hotel Rila", "address": "Kaloyan 6", "locality": "Sofia", "phone": "+35929377100"}
    hotel |= {"official_id": "831000000"}  # so sure that others cannot make it surer
    for rows in ([hotel, hotel, hotel], [hotel, hotel, hotel | {"name": "Hotel Rila Panorama"}]):
        found = find("organization", rows)
        assert (len(found.pairs), found.clusters) == (3, 1)
        assert all("company" not in each.points for each in found.pairs)


def test_between_two_files_only_their_pairs_are_listed_though_all_rows_are_judged() -> None:
    found = find("organization", [ENGLISH, SPELLED], [BOTH], link_only=True)
    assert {("a:1", "b:1")} <= {(each.id_a, each.id_b) for each in found.pairs} <= {("a:1", "b:1"), ("a:2", "b:1")}
    assert all(each.probability >= LISTED for each in found.pairs)

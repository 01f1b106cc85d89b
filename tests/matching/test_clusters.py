"""Clusters of rows: what joins them, what stays out, and the pairs that result."""

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
# Two sources describe the same house differently; the third has both names.
ENGLISH = {"name": "Quiet Harbour", "locality": "Varna", "phone": "+359 52 555 609"}
SPELLED = {"name": "Tiho Pristanishte", "locality": "Varna", "address": "ul. Petar Raychev 12"}
BOTH = {
    "name": "Тихо пристанище (Quiet Harbour)",
    "locality": "Варна",
    "phone": "+359 52 555 609",
    "address": "ул. Петър Райчев 12",
}


def clusters(likely: Pairs) -> Clusters:
    """Pairs that are not listed are unlikely."""
    return Clusters(likely.items(), lambda one, other: likely.get((one, other), UNLIKE))


def find(kind: str, *files: list[dict[str, Any]], **more: Any) -> Found:
    opened = [File("rows.jsonl", io.BytesIO("\n".join(map(json.dumps, rows)).encode())) for rows in files]
    return dedupe(kind, opened, today=date(2027, 1, 10), **more)


def test_two_rows_alone_are_judged_by_their_own_probability() -> None:
    assert clusters({(1, 2): 0.60}).found() == [[1, 2]]
    assert clusters({(1, 2): 0.59}).found() == []
    assert clusters({}).found() == []


def test_two_dissimilar_rows_join_through_a_third_that_matches_both() -> None:
    result = clusters({(1, 2): 0.97, (2, 3): 0.97, (1, 3): 0.35})
    assert result.found() == [[1, 2, 3]]
    assert result.between(1, 3) >= ENOUGH


def test_a_row_similar_to_only_one_member_of_a_cluster_stays_out() -> None:
    result = clusters({(1, 2): 0.99, (2, 3): 0.99, (1, 3): 0.98, (3, 4): 0.7, (1, 4): 0.05, (2, 4): 0.05})
    assert result.found() == [[1, 2, 3]]
    assert result.between(3, 4) < ENOUGH


def test_two_similar_things_form_two_clusters() -> None:
    likely = {(1, 11): 0.99, (2, 12): 0.99, (1, 12): 0.7, (2, 11): 0.7, (1, 2): 0.05, (11, 12): 0.05}
    assert clusters(likely).found() == [[1, 11], [2, 12]]


def test_many_doubtful_pairs_do_not_add_up() -> None:
    alike = dict.fromkeys(combinations(range(5), 2), 0.94)
    assert clusters(alike | {(row, 9): 0.55 for row in range(5)}).found() == [[0, 1, 2, 3, 4]]


@pytest.mark.parametrize(
    "likely",
    [
        {(row, row + 1): 0.99 for row in range(1_000)},
        {(0, row): 0.99 for row in range(1, 1_001)},
        {(row, other): 0.99 for row in range(1_000) for other in range(row + 1, min(row + 6, 1_001))},
    ],
    ids=["a chain", "a star", "each with ten neighbours"],
)
def test_the_cost_of_a_cluster_is_linear_in_its_pairs(likely: Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    linked, link = [], Clusters._link
    monkeypatch.setattr(Clusters, "_link", lambda self, one, other: linked.append(one) or link(self, one, other))
    result = Clusters(likely.items(), lambda one, other: 0.99)
    assert result.found() == [list(range(1_001))]
    assert all(result.between(*two) >= ENOUGH for two in likely)
    assert len(linked) <= 2 * SPEAKERS * len(likely)


@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(7, 12)), st.floats(0.3, 0.99), max_size=20))
def test_only_rows_of_the_same_cluster_are_shown_as_likely(likely: Pairs) -> None:
    result = clusters(likely)
    cluster_of = {row: number for number, rows in enumerate(result.found()) for row in rows}
    for one, other in likely:
        together = one in cluster_of and cluster_of[one] == cluster_of.get(other)
        assert (round(chance(result.between(one, other)), 4) >= REVIEW) == together


@given(
    st.dictionaries(st.tuples(st.integers(0, 3), st.integers(4, 7)), st.integers(30, 99), max_size=12),
    st.permutations(range(8)),
)
def test_small_clusters_do_not_depend_on_the_order_of_rows(
    points: dict[tuple[int, int], int], order: list[int]
) -> None:
    # All probabilities differ, so that the likeliest pair is the same in any order.
    likely = {pair: hundredths / 100 + number / 10_000 for number, (pair, hundredths) in enumerate(points.items())}
    moved = {tuple(sorted((order[one], order[other]))): each for (one, other), each in likely.items()}
    there = {frozenset(order[row] for row in rows) for rows in clusters(likely).found()}
    assert there == {frozenset(rows) for rows in clusters(moved).found()}  # type: ignore[arg-type]  # pairs, in order


def test_a_row_with_both_names_connects_rows_with_one_each() -> None:
    found = find("organization", [ENGLISH, SPELLED, BOTH])
    assert {(each.id_a, each.id_b) for each in found.pairs} >= {("a:1", "a:3")}
    assert found.clusters == 1


def test_points_of_other_rows_add_up_but_never_make_a_pair_certain() -> None:
    for pair in find("organization", [ENGLISH, SPELLED, BOTH]).pairs:
        points = {each["field"]: each for each in json.loads(pair.points)}
        total = sum(each["points"] for each in points.values())
        if "company" in points or "veto" not in points:
            assert pair.probability == pytest.approx(1 / (1 + 2**-total), abs=0.002)
        if points.get("company", {}).get("level") == "for":
            assert pair.band != "auto"


def test_other_rows_are_not_mentioned_if_they_change_nothing() -> None:
    hotel = {"name": "Hotel Rila", "address": "Kaloyan 6", "locality": "Sofia", "phone": "+35929377100"}
    hotel |= {"official_id": "831000000"}  # so sure that others cannot make it surer
    for rows in ([hotel, hotel, hotel], [hotel, hotel, hotel | {"name": "Hotel Rila Panorama"}]):
        found = find("organization", rows)
        assert (len(found.pairs), found.clusters) == (3, 1)
        assert all("company" not in each.points for each in found.pairs)


def test_two_linked_files_list_only_pairs_between_them() -> None:
    found = find("organization", [ENGLISH, SPELLED], [BOTH], link_only=True)
    assert {("a:1", "b:1")} <= {(each.id_a, each.id_b) for each in found.pairs} <= {("a:1", "b:1"), ("a:2", "b:1")}
    assert all(each.probability >= LISTED for each in found.pairs)

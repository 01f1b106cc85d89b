"""Sources of table rows: whether a source lists things twice is learned from the table."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gleanery.matching.scoring import REVIEW
from gleanery.matching.tables.sources import Sources
from gleanery.resolution.tables.dedupe import Found, dedupe
from gleanery.resolution.tables.sheet import File

BOTH, FEW = ["a", "a", "b", "b"], [(0, 2), (1, 3)]
ALL = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
# Two similar offers of one organisation; by themselves they do not show whether they are the same.
ADVICE = {"name": "Advice for tenants", "provider_name": "Tenants Union", "locality": "Leeds", "phone": "0113 496 0000"}
OFFERS = [ADVICE, ADVICE | {"name": "Advice for tenants and neighbours"}]


def find(*files: list[dict[str, Any]], **more: Any) -> Found:
    opened = [File("rows.jsonl", io.BytesIO("\n".join(map(json.dumps, rows)).encode())) for rows in files]
    return dedupe("service", opened, today=date(2027, 1, 10), **more)


def listed_by(*sources: str) -> list[dict[str, Any]]:
    """Thirty things, each listed by all these sources in the same words."""
    return [
        {"name": f"{word} kitchen", "locality": "Leeds", "phone": f"0113 497 {number:04}", "source": source}
        for number, word in enumerate(f"{a}{b}{c}ol" for a in "BDFGK" for b in "aeo" for c in "rn")
        for source in sources
    ]


def test_a_source_without_duplicates_gives_points_against_its_own_pairs() -> None:
    assert Sources(BOTH).learned(FEW * 20, ALL).points < -2
    assert Sources(BOTH).learned(FEW, ALL).points > -1  # too few to conclude much


def test_lists_with_duplicates_or_without_sources_give_no_points() -> None:
    assert Sources(BOTH).learned(ALL * 20, ALL).points == 0.0
    assert Sources(["", "", "", ""]).learned(ALL * 20, ALL).points == 0.0
    assert Sources(BOTH).learned([], []).points == 0.0


def test_many_small_sources_give_few_points() -> None:
    sources = [f"{number}" for number in range(100)] + ["twice", "twice"]
    sure = [(row, row + 1) for row in range(0, 100, 2)]
    assert Sources(sources).learned(sure, [*sure, (100, 101)]).points > -1


def test_points_against_are_bounded_and_spare_rows_without_a_source() -> None:
    assert Sources(BOTH).learned(FEW * 100_000, ALL).points == -5.0
    assert Sources(["", "", "b", "b"], -5.0).points_for(0, 1) == 0.0
    assert Sources(["", "", "b", "b"], -5.0).points_for(2, 3) == -5.0


@given(
    st.lists(st.sampled_from("ab"), min_size=4, max_size=4),
    st.lists(st.sampled_from(ALL)),
    st.lists(st.sampled_from(ALL)),
)
def test_a_common_source_never_adds_points(sources: list[str], sure: list[Any], met: list[Any]) -> None:
    assert Sources(sources).learned(sure, met).points <= 0.0


def test_rows_of_a_source_without_duplicates_become_less_likely() -> None:
    asked = [{"name": "Legal aid", "locality": "York"}, *(each | {"source": "town"} for each in OFFERS)]
    (unlearned,) = (each for each in find(asked).pairs if "Advice" in each.name_a)
    (learned,) = (each for each in find([*asked, *listed_by("town", "map")]).pairs if "Advice" in each.name_a)
    assert learned.probability < unlearned.probability
    points = json.loads(learned.points)
    assert {"field": "source", "level": "same"}.items() <= next(e for e in points if e["field"] == "source").items()
    (repeated,) = (each for each in find([*asked, *listed_by("town", "town")]).pairs if "Advice" in each.name_a)
    assert "source" not in {each["field"] for each in json.loads(repeated.points)}


def test_rows_without_a_source_are_not_treated_as_one_source() -> None:
    (offers,) = (each for each in find([*OFFERS, *listed_by("town", "map")]).pairs if "Advice" in each.name_a)
    assert "source" not in {each["field"] for each in json.loads(offers.points)}


def test_each_of_two_files_without_sources_counts_as_one_source() -> None:
    unsourced = [{name: value for name, value in each.items() if name != "source"} for each in listed_by("any")]
    found = find([*OFFERS, *unsourced], unsourced)
    (offers,) = (each for each in found.pairs if "Advice" in each.name_a)
    assert "source" in {each["field"] for each in json.loads(offers.points)}
    assert sum(each.probability >= REVIEW for each in found.pairs) >= len(unsourced)

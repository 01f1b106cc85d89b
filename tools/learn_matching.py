"""Learns the weights of places from real data sets and writes them with the counts behind them.

    .venv/bin/python tools/learn_matching.py [--data ../shared/data]

It uses the four geo sets and the development halves of chicago, fodors_zagat and overture (bench/real_sets.py).
bench/matching.py measures the other halves, and each geo set with weights learned without it. BOUNDS limit what may be
learned, with reasons.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import real_sets  # noqa: E402 - found by the line above
from real_sets import Pairs  # noqa: E402

from gleanery.matching.pair import Pair  # noqa: E402
from gleanery.matching.scoring import OF_KIND, levels_of  # noqa: E402
from gleanery.matching.weights import Weights  # noqa: E402
from tools.learning import PRIOR, Bounds, Counted, Level, counted, fit  # noqa: E402

TARGET = ROOT / "src" / "gleanery" / "matching" / "weights" / "place.toml"
HEAD = """\
# Points are logarithms to base 2: each additional point doubles the odds that two records are the same. Learned by
# tools/learn_matching.py from real places. The counts beside them include pairs that also agree in other fields.
"""
ANY = math.inf
BOUNDS: Mapping[Level, Bounds] = {
    # All pairs have these levels, so their share cannot be learned; a matching name alone should be doubtful.
    PRIOR: Bounds(most=-1.2),
    ("name", "same"): Bounds(most=5.0),
    ("name", "more than half"): Bounds(most=1.0),
    ("name", "half"): Bounds(most=0.0),
    ("name", "some"): Bounds(most=-1.6),
    ("name", "little"): Bounds(most=-2.4),
    ("name", "other"): Bounds(most=-3.0),
    ("spelling", "nearly all"): Bounds(most=1.5),
    ("shared words", "several"): Bounds(0.0, 0.0),
    ("spelling", "some"): Bounds(most=0.5),
    ("own words", "none"): Bounds(most=0.0),
    ("own words", "common"): Bounds(most=-0.3),
    ("own words", "telling"): Bounds(most=-0.6),
    ("own words", "rare"): Bounds(most=-1.5),
    ("number in the name", "other"): Bounds(most=-4.0),  # School 5 is not School 15; some labels are wrong
    ("number in the name", "some"): Bounds(most=0.0),
    ("part", "part"): Bounds(most=-2.0),  # a part is not the whole, whatever they share
    ("part", "inside"): Bounds(most=-2.0),
    ("sort", "other"): Bounds(most=-2.5),  # a hotel and its restaurant share everything else
    ("address", "crowd"): Bounds(most=1.5),  # in chicago a crowd is one site with many names
    ("address", "number"): Bounds(most=2.5),
    ("address", "house"): Bounds(most=-4.0),  # outlets of a chain share a web site, and often a phone
    ("phone", "crowd"): Bounds(-1.0, 1.0),
    ("phone", "other"): Bounds(-2.5, -0.1),
    ("web", "crowd"): Bounds(-1.0, 1.0),
    ("web", "other"): Bounds(-2.5, 0.0),
    ("country", "other"): Bounds(most=-4.0),
    ("e-mail", "same"): Bounds(2.5, 4.0),  # rare in the sets
    ("e-mail", "other"): Bounds(-1.0, 0.0),
    ("shared words", "none"): Bounds(most=-3.2),
}
BY_HAND: Mapping[str, Mapping[str, tuple[float, str]]] = {
    "name": {"translated": (-1.6, "not in the sets: names in two scripts are rarely similar")},
    "official id": {
        "same": (8.0, "not in the sets: registered once"),
        "other": (-9.0, "not in the sets: registered twice"),
    },
    "description": {
        "same": (3.0, "not in the sets: copied from one text"),
        "much": (2.0, "not in the sets: rare words in common are hardly coincidence"),
        "some": (1.0, "not in the sets: some rare words in common"),
        "little": (0.0, "not in the sets: texts about the same sort of thing"),
        "other": (-0.3, "not in the sets: no rare word in common"),
    },
}
LADDERS = [[(each.field, level.name) for level in each.levels] for each in OF_KIND["place"] if each.is_ranked]


def to_learn_from(without: str = "") -> list[Pairs]:
    """Return the sets to learn from, without one geo set if it is named."""
    found = [pairs for name, pairs in real_sets.geo().items() if name != without]
    for name, rows in real_sets.tables().items():
        found.append(real_sets.met([row for row in rows if row.to_choose_by], of_countries=name == "overture"))
    return found


def seen(sets: Iterable[Pairs]) -> list[Counted]:
    return counted(
        (levels_of(Pair(each.one, each.other, pairs.rarity)), each.same) for pairs in sets for each in pairs.judged
    )


def learned(rows: list[Counted]) -> Weights:
    points = fit(rows, BOUNDS, LADDERS)
    by_field: dict[str, dict[str, float]] = {
        field: {level: value for level, (value, _) in levels.items()} for field, levels in BY_HAND.items()
    }
    for (field, level), value in points.items():
        if (field, level) != PRIOR:
            by_field.setdefault(field, {})[level] = round(value, 2)
    return Weights("place", round(points[PRIOR], 2), by_field)


def written(weights: Weights, rows: list[Counted]) -> str:
    same: Counter[Level] = Counter()
    every: Counter[Level] = Counter()
    for row in rows:
        for level in row.levels:
            same[level] += int(row.same)
            every[level] += int(row.same + row.different)
    lines = [HEAD, 'kind = "place"', f'prior = [{weights.prior}, "learned"]']
    for comparison in OF_KIND["place"]:
        lines += ["", f'["{comparison.field}"]']
        for level in comparison.levels:
            at = (comparison.field, level.name)
            hand = BY_HAND.get(comparison.field, {}).get(level.name)
            why = hand[1] if hand else f"{same[at]} of {every[at]} pairs with it were the same"
            if every[at] or hand:
                lines.append(f'"{level.name}" = [{weights.of(*at)}, "{why}"]')
    return "\n".join(line for number, line in enumerate(lines) if not _is_empty(lines, number)) + "\n"


def _is_empty(lines: list[str], number: int) -> bool:
    """Return True for a heading without lines below it, or a blank line without a heading."""
    after = lines[number + 1 : number + 3]
    is_heading = lines[number].startswith("[") and (not after or after[0] == "")
    return is_heading or (lines[number] == "" and len(after) > 1 and after[0].startswith("[") and after[1] == "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=real_sets.SHARED, help="folder of the real sets")
    real_sets.SHARED = parser.parse_args().data
    rows = seen(to_learn_from())
    TARGET.write_text(written(learned(rows), rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

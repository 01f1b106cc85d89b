"""Learns the points of places from the real sets and writes them with what was counted.

    .venv/bin/python tools/learn_matching.py [--data ../shared/data]

Learned from: the four sets of geo, and of chicago, fodors_zagat and overture the halves that are there to choose by
(bench/real_sets.py). bench/matching.py measures the other halves, and each set of geo with points that were learned
without it. BOUNDS say what no set may teach, each with its reason.
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
# Points are logarithms to base 2: one more makes it twice as likely that two are one. Learned by
# tools/learn_matching.py from real places; beside each stands how often pairs with it were one, which is not what it
# says by itself: fields that agree often agree together.
"""
ANY = math.inf
BOUNDS: Mapping[Level, Bounds] = {
    # All pairs have levels of these, so the sets cannot say how much is theirs: a name alone is to make two doubtful.
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
    ("number in the name", "other"): Bounds(most=-4.0),  # School 5 is not School 15; some labels are slips
    ("number in the name", "some"): Bounds(most=0.0),
    ("part", "part"): Bounds(most=-2.0),  # a part is not the whole, however much they share
    ("part", "inside"): Bounds(most=-2.0),
    ("sort", "other"): Bounds(most=-2.5),  # a hotel and its restaurant share all but this
    ("address", "crowd"): Bounds(most=1.5),  # in chicago a crowd is one site under many names
    ("address", "number"): Bounds(most=2.5),
    ("address", "house"): Bounds(most=-4.0),  # outlets of a chain share a web site, and often a phone
    ("phone", "crowd"): Bounds(-1.0, 1.0),
    ("phone", "other"): Bounds(-2.5, -0.1),
    ("web", "crowd"): Bounds(-1.0, 1.0),
    ("web", "other"): Bounds(-2.5, 0.0),
    ("country", "other"): Bounds(most=-4.0),
    ("e-mail", "same"): Bounds(2.5, 4.0),  # hardly any set has them
    ("e-mail", "other"): Bounds(-1.0, 0.0),
    ("shared words", "none"): Bounds(most=-3.2),
}
BY_HAND: Mapping[str, Mapping[str, tuple[float, str]]] = {
    "name": {"translated": (-1.6, "no set has them: names in two scripts are seldom alike")},
    "official id": {
        "same": (8.0, "no set has them: registered once"),
        "other": (-9.0, "no set has them: registered twice"),
    },
    "description": {
        "same": (3.0, "no set has them: copied from one text"),
        "much": (2.0, "no set has them: rare words in common are hardly chance"),
        "some": (1.0, "no set has them: some rare words in common"),
        "little": (0.0, "no set has them: two texts about things of one sort"),
        "other": (-0.3, "no set has them: two texts without a rare word in common"),
    },
}
LADDERS = [[(each.field, level.name) for level in each.levels] for each in OF_KIND["place"] if each.is_ranked]


def to_learn_from(without: str = "") -> list[Pairs]:
    """Return what may be learned from; of geo all but one set, where one is named."""
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
            why = hand[1] if hand else f"{same[at]} of {every[at]} pairs with it were one"
            if every[at] or hand:
                lines.append(f'"{level.name}" = [{weights.of(*at)}, "{why}"]')
    return "\n".join(line for number, line in enumerate(lines) if not _is_empty(lines, number)) + "\n"


def _is_empty(lines: list[str], number: int) -> bool:
    """Return whether a heading has no line below it, or a gap no heading."""
    after = lines[number + 1 : number + 3]
    is_heading = lines[number].startswith("[") and (not after or after[0] == "")
    return is_heading or (lines[number] == "" and len(after) > 1 and after[0].startswith("[") and after[1] == "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=real_sets.SHARED, help="where the real sets stand")
    real_sets.SHARED = parser.parse_args().data
    rows = seen(to_learn_from())
    TARGET.write_text(written(learned(rows), rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

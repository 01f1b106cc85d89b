"""What a table teaches of its sources: whether one of them tells of a thing twice. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Pair = tuple[int, int]
DOUBT = 5  # sure pairs that it takes to believe it


def points_of_one_source(sources: Sequence[str], sure: Iterable[Pair], met: Iterable[Pair]) -> float:
    """For two rows of one source: how much rarer sure pairs are of one source than all pairs that were compared.

    A list that nobody has cleaned has its own duplicates, and there it tells nothing; never does it speak for two being
    one. With few sure pairs little is said.
    """
    usual = _share(sources, list(met))
    if not usual:
        return 0.0
    surely = list(sure)
    seen = _share(sources, surely) * len(surely)
    return round(min(0.0, math.log2((seen / usual + DOUBT) / (len(surely) + DOUBT))), 1)


def _share(sources: Sequence[str], pairs: Sequence[Pair]) -> float:
    return sum(sources[one] == sources[other] for one, other in pairs) / (len(pairs) or 1)

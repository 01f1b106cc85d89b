"""Points of each level, read from one TOML file per kind that gives a reason for each number. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "weights"


class Weights(NamedTuple):
    """Points are logarithms to base 2: one more doubles the odds that two records are the same."""

    kind: str
    prior: float
    points: Mapping[str, Mapping[str, float]]
    version: str = ""

    def of(self, field: str, level: str) -> float:
        return self.points.get(field, {}).get(level, 0.0)


@cache
def weights(kind: str) -> Weights:
    return read((_FOLDER / f"{kind}.toml").read_text("utf-8"))


def read(text: str) -> Weights:
    parsed = tomllib.loads(text)
    points = {
        field: {level: float(points) for level, (points, _) in levels.items()}
        for field, levels in parsed.items()
        if isinstance(levels, dict)
    }
    digest = blake2b(text.encode(), digest_size=3).hexdigest()
    return Weights(str(parsed["kind"]), float(parsed["prior"][0]), points, f"{parsed['kind']}-{digest}")

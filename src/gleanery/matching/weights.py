"""Points of each level, one TOML file a kind, each number with its reason. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "weights"


class Weights(NamedTuple):
    """Points are logarithms to base 2: one more makes it twice as likely that two are one."""

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
    told = tomllib.loads(text)
    points = {
        field: {level: float(points) for level, (points, _) in levels.items()}
        for field, levels in told.items()
        if isinstance(levels, dict)
    }
    digest = blake2b(text.encode(), digest_size=3).hexdigest()
    return Weights(str(told["kind"]), float(told["prior"][0]), points, f"{told['kind']}-{digest}")

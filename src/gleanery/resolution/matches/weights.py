"""The weights of each kind, read from the files beside this one: points for each level of each field, with a reason."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from gleanery.resolution.matches.own_weights import own_path, own_text, unusable


class Weights(NamedTuple):
    """`prior`: what speaks against any two being one before anything is known of them, in the same points."""

    kind: str
    prior: float
    points: Mapping[tuple[str, str], float]
    reasons: Mapping[tuple[str, str], str]
    version: str  # the same as long as no weight changes; kept with each match

    def of(self, field: str, level: str) -> float:
        return self.points.get((field, level), 0.0)


@lru_cache
def weights(kind: str) -> Weights:
    """The operator's own, else those that come with Gleanery; so do levels that a file does not have."""
    ours = read(kind, resources.files(__package__).joinpath("weights", f"{kind}.toml").read_text("utf-8"))
    own = own_text(kind)
    if own is None:
        return ours
    try:
        return read(kind, own, ours)
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise unusable(own_path(kind), str(problem)) from None


def read(kind: str, text: str, beside: Weights | None = None) -> Weights:
    """`beside`: where a level is looked for that the text does not have."""
    data = tomllib.loads(text)
    told = [(field, level, each) for field, levels in data["points"].items() for level, each in levels.items()]
    points, reasons = (dict(beside.points), dict(beside.reasons)) if beside else ({}, {})
    points |= {(field, level): float(each["points"]) for field, level, each in told}
    reasons |= {(field, level): each["because"] for field, level, each in told}
    digest = hashlib.sha256(repr((data["prior"]["points"], sorted(points.items()))).encode()).hexdigest()
    return Weights(
        kind,
        float(data["prior"]["points"]),
        points,
        reasons,
        f"{kind}-{digest[:8]}",
    )


def written(given: Weights, prior_because: str) -> str:
    """As the files are: whoever trains weights gets a file to look at."""
    lines = [
        "# Points are logarithms to base 2: one more makes it twice as likely that two records are one thing.",
        f'prior = {{ points = {given.prior:.1f}, because = "{prior_because}" }}',
    ]
    field = ""
    for (name, level), points in given.points.items():
        if name != field:
            lines += ["", f"[points.{name}]"]
            field = name
        lines.append(f'{level} = {{ points = {points:.1f}, because = "{given.reasons[name, level]}" }}')
    return "\n".join(lines) + "\n"

"""The same rows given to Splink on DuckDB, set up as its own documentation does for people and places."""

from __future__ import annotations

from matching_sets import Row

Numbers = tuple[int, int]
LEAST = 0.6


def splink_pairs(rows: list[Row]) -> set[Numbers]:
    """Pairs at probability 0.60 and above; trained on the rows themselves, as it is meant to be."""
    raise NotImplementedError

"""Labelled sets and the one way to load them; README.md says whose they are and what was ever looked at."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).parent
Use = Literal["learn", "choose", "held_out"]


def text(use: Use, name: str) -> str:
    with gzip.open(HERE / use / f"{name}.gz", "rt", encoding="utf-8", newline="") as file:
        return file.read()


def rows(use: Use, name: str) -> list[dict[str, Any]]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in text(use, f"{name}.jsonl").splitlines()]


def table(use: Use, name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(text(use, f"{name}.csv").splitlines()))

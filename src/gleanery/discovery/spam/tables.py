"""Word tables of the spam rules, loaded once from the files in words/, each of which explains its words."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gleanery.discovery.spam.phrases import Phrases

WORDS = Path(__file__).parent / "words"
TRADE_NAMES = (
    "gambling",
    "essays",
    "pharmacy",
    "loans",
    "adult",
    "crypto",
    "counterfeits",
    "piracy",
    "grants",
    "domains",
    "links",
    "lines",
)
GENERAL = ("selling", "signs", "filler", "strays", "shopping")


@dataclass(frozen=True, slots=True)
class Trade:
    """Something sold in unrelated results."""

    name: str
    sells: str
    endings: frozenset[str]
    goods: str  # names of its tables: goods, words of sellers, words only sellers use
    hints: str
    offers: str
    weights: dict[str, int]  # of other kinds of signs
    everyday: bool  # its goods are common words (grant, film, call), so they prove little


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((WORDS / f"{name}.toml").read_text(encoding="utf-8"))


def entries(table: dict[str, list[str]]) -> list[str]:
    """Return the entries of a table; its keys are languages, for readers only."""
    return [entry for language in table.values() for entry in language]


def _groups() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in (*TRADE_NAMES, *GENERAL):
        tables = {key: table for key, table in load(name).items() if isinstance(table, dict) and key != "weights"}
        groups |= {f"{name}.{key}": entries(table) for key, table in tables.items()}
    return groups


def _host_words() -> dict[str, re.Pattern[str]]:
    """Return a pattern per trade for words within host names."""
    named = load("hosts")["trades"]
    return {
        trade: re.compile("|".join(sorted(words, key=len, reverse=True))) for trade, words in named.items() if words
    }


def _trades() -> tuple[Trade, ...]:
    files = {name: load(name) for name in TRADE_NAMES}
    return tuple(
        Trade(
            name,
            file["sells"],
            frozenset(file.get("endings", ())),
            f"{name}.goods",
            f"{name}.hints",
            f"{name}.offers",
            {f"signs.{kind}": weight for kind, weight in file.get("weights", {}).items()},
            file.get("everyday", False),
        )
        for name, file in files.items()
    )


GROUPS = _groups()
PHRASES = Phrases(GROUPS)
TRADES = _trades()
STRAY_FAMILIES = tuple(group for group in GROUPS if group.startswith("strays."))
THROWAWAY_ENDINGS = frozenset(load("endings")["throwaway"])
LURES = frozenset(load("hosts")["lures"])
HOST_WORDS = _host_words()

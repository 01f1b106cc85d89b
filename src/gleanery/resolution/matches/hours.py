"""When something is open: the times of day and the days of the week, in whatever language. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.spelling import name as spelled

MIDNIGHT = 24 * 60
NOON = 12
_TIME = re.compile(
    r"(?<![\d.:])(\d{1,2})(?:[:.h](\d{2}))?(?!\d)(?:\s?([ap])\.?m\b|(?=\s?[-–]\s?(\d{1,2})(?:[:.]\d{2})?\s?p\.?m\b))?",
    re.IGNORECASE,
)
_ALWAYS = re.compile(r"24\s?/\s?7|\b24\s?h(?:rs?|ours?)?\b|\b0?0[:.]00\s?[-–]\s?24[:.]00", re.IGNORECASE)
WEEK = 7
EIGHT = 8 * 60  # o'clock
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# As opening hours cut them short, a line for each; those in capitals only so, for in small letters they are words.
_CUT_DAYS = """
    mon lun lu пон пн pon pn hét δευ pzt mån må seg Mo
    tue tues mar вто вт wto wt út τρι tir tirs tis ter Tu Di
    wed mer mié mie сря ср śro śr sze τετ çar woe ons qua We Mi
    thu thur thurs jeu jue gio чет чт czw cz čt csü πεμ tor tors qui Th Do
    fri ven vie пет пт pią pt pá pén παρ vri fre vr fr Fr
    sat sam sáb sab съб сб sob σαβ cmt zat lør lör lö Sa
    sun dim dom нед нд κυρ paz zon søn sön sö zo Su So
"""
_SHORT_DAYS = {word: number for number, listed in enumerate(_CUT_DAYS.strip().splitlines()) for word in listed.split()}
# In small letters these are days only where a day may stand, "do 10-12" and not "8 do 16", or in a range, "ma-to".
_SMALL_DAYS = {
    "ma": "Mo",
    "man": "Mo",
    "po": "Mo",
    "di": "Tu",
    "ti": "Tu",
    "ke": "We",
    "wo": "We",
    "st": "We",
    "do": "Th",
}
_SMALL_DAYS |= {"pe": "Fr", "ve": "Fr", "sex": "Fr", "za": "Sa", "su": "Su"}
_RANGED_DAYS = {"on": "We", "to": "Th", "la": "Sa"}
_SMALL = re.compile(
    rf"(?:(?<=^)|(?<=[,;/&+–-])|(?<=en)|(?<=ja))(\s*)({'|'.join(_SMALL_DAYS)})(?=\s*(?:\d|[,;/&+–-]|(?:en|ja|klo?)\b|$))"
    rf"|(?<=[^\W\d_][–-])()({'|'.join(_RANGED_DAYS)})\b"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_TO = re.compile(r"\.?\s*(?:[-–—]|to|bis|do|au|à|a|al|até|до|through|thru|tot|til|till|asti|ig)\s*", re.IGNORECASE)


def hours(text: str) -> str:
    """The times of day in it, in minutes, and the days of the week; nothing for round the clock."""
    if not text:
        return ""
    found = {_minutes(*each) for each in _TIME.findall(_ALWAYS.sub(" ", text))}
    return " ".join([*(str(each) for each in sorted(found) if each <= MIDNIGHT), *days(text)])


def _in_capitals(day: re.Match[str]) -> str:
    return f"{day[1]}{_SMALL_DAYS[day[2]]}" if day[2] else _RANGED_DAYS[day[4]]


def days(text: str) -> list[str]:
    """The days of the week in it, with those between the ends of a range."""
    found: set[int] = set()
    last, end = None, 0
    text = _SMALL.sub(_in_capitals, text)
    for word in _LETTERS.finditer(text):
        day = _day(word[0])
        if day is None:
            continue
        if last is not None and _TO.fullmatch(text[end : word.start()]):
            found.update((last + each) % WEEK for each in range((day - last) % WEEK))
        found.add(day)
        last, end = day, word.end()
    return [DAYS[each] for each in sorted(found)]


@lru_cache(maxsize=4_096)
def _day(word: str) -> int | None:
    known = _SHORT_DAYS.get(word, _SHORT_DAYS.get(word.casefold()))
    if known is not None:
        return known
    named = {each.partition(".")[2] for each in lexicon.contrasts().of(spelled(word)) if each.startswith("weekday.")}
    return DAYS.index(named.pop()) if len(named) == 1 else None


def _minutes(hour: str, minute: str, half: str, end: str) -> int:
    """Of "6–7.30 pm" both are in the afternoon, of "9–5 pm" only the end."""
    before = int(end) % NOON if end else NOON if half in ("p", "P") else 0
    return (int(hour) + NOON * (int(hour) < before)) * 60 + int(minute or 0)


def compare_hours(one: str, other: str) -> str:
    """By the times of day, unless they are open on other days."""
    here, there = set(one.split()), set(other.split())
    days_here, days_there = here.intersection(DAYS), there.intersection(DAYS)
    if days_here and days_there and days_here.isdisjoint(days_there):
        return "other"
    here, there = here - days_here, there - days_there
    if not here or not there:
        return ""
    if here.isdisjoint(there) and (_may_be_afternoon(here) or _may_be_afternoon(there)):
        here, there = _on_the_dial(here), _on_the_dial(there)
    return "same" if here == there else "some" if here & there else "other"


def _may_be_afternoon(times: set[str]) -> bool:
    """Of "1-4" nobody knows; what begins at eight is most likely in the morning."""
    return all(int(each) < EIGHT for each in times)


def _on_the_dial(times: set[str]) -> set[str]:
    return {str(int(each) % (NOON * 60)) for each in times}

"""Finder of venue names in the text before a street, which may also be a day, a time or a sentence."""

from __future__ import annotations

import re

from gleanery.extraction.values.calendar_words import WEEKDAY_OF
from gleanery.extraction.values.times import find_times

# Bulgarian addresses begin with the town; these words mark a building there instead.
HOUSES = frozenset(
    str.split(
        "Адрес Офис Склад Централа Клуб Театър Библиотека Галерия Музей Читалище Училище Болница Клиника Кабинет "
        "Център Зала Дом Приют Община Кметство Фондация Сдружение Ресторант Кафе Хотел Парк Площад Магазин "
        "Пекарна Градина"
    )
)
LONGEST_DAY = 40  # characters of a part that is only a day
LONGEST_VENUE = 8  # words
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\d\d?[./]\d\d?[./]\d\d")
_AT = re.compile(r"^.*\b(?:at|in|в|във|на|im|à|au|en|la)\s(?:the\s)?(?=[A-ZА-ЯÀ-Ý„“\"«])")
_LEADS_ON = re.compile(r"\s(?:на|в|във|до|при|at|in|to|near|in der|an der|à|au|en)$", re.IGNORECASE)


def venue_of(parts: list[str]) -> str:
    """Return the venue named before a street, or "" if those parts are a day, a time or a sentence."""
    named = [part for part in parts if not _is_time(part)]
    venue = ", ".join(named)
    if _LEADS_ON.search(venue):
        return ""
    if len(venue.split()) > LONGEST_VENUE:
        match = _AT.match(venue)
        return venue[match.end() :] if match and len(venue[match.end() :].split()) <= LONGEST_VENUE else ""
    return venue


def is_house(word: str) -> bool:
    """Return True if the word marks a building, such as hall, club or office, and not a town."""
    return word.split(maxsplit=1)[0] in HOUSES


def _is_time(part: str) -> bool:
    first = re.match(r"[^\W\d_]+", part)
    return bool(
        find_times(part)
        or _YEAR.search(part)
        or (first and first.group().casefold() in WEEKDAY_OF and len(part) < LONGEST_DAY)
    )

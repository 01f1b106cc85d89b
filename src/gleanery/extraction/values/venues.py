"""What stands before a street: the name of a house, or only the day, the time or a sentence that leads there."""

from __future__ import annotations

import re

from gleanery.extraction.values.calendar_words import WEEKDAY_OF
from gleanery.extraction.values.times import find_times

# Bulgarian addresses begin with the town; these words stand there for the house instead.
HOUSES = frozenset(
    str.split(
        "Адрес Офис Склад Централа Клуб Театър Библиотека Галерия Музей Читалище Училище Болница Клиника Кабинет "
        "Център Зала Дом Приют Община Кметство Фондация Сдружение Ресторант Кафе Хотел Парк Площад Магазин "
        "Пекарна Градина"
    )
)
LONGEST_DAY = 40  # characters of a part that is a day and nothing else
LONGEST_VENUE = 8  # words
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\d\d?[./]\d\d?[./]\d\d")
_AT = re.compile(r"^.*\b(?:at|in|в|във|на|im|à|au|en|la)\s(?:the\s)?(?=[A-ZА-ЯÀ-Ý„“\"«])")
_LEADS_ON = re.compile(r"\s(?:на|в|във|до|при|at|in|to|near|in der|an der|à|au|en)$", re.IGNORECASE)


def venue_of(parts: list[str]) -> str:
    """What stands before a street names the house; the day, the time or a sentence before it does not."""
    named = [part for part in parts if not _is_time(part)]
    told = ", ".join(named)
    if _LEADS_ON.search(told):
        return ""
    if len(told.split()) > LONGEST_VENUE:
        match = _AT.match(told)
        return told[match.end() :] if match and len(told[match.end() :].split()) <= LONGEST_VENUE else ""
    return told


def is_house(word: str) -> bool:
    """A hall, a club, an office: a word that houses are called, and no town."""
    return word.split(maxsplit=1)[0] in HOUSES


def _is_time(part: str) -> bool:
    first = re.match(r"[^\W\d_]+", part)
    return bool(
        find_times(part)
        or _YEAR.search(part)
        or (first and first.group().casefold() in WEEKDAY_OF and len(part) < LONGEST_DAY)
    )

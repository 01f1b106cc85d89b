"""Checks and converts field values by the type of their field; unreadable values are refused. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from gleanery.errors import Invalid
from gleanery.extraction.payload import PLACES
from gleanery.extraction.values import clock
from gleanery.kinds import (
    DAY,
    FLAG,
    KINDS,
    LATITUDE,
    LONG,
    LONGITUDE,
    MOMENT,
    NUMBER,
    SPANS,
    TEXT,
    TEXTS,
    URL,
)
from gleanery.text import clean_text

LONGEST_TEXT = 500
LONGEST_LONG = 20_000
LONGEST_URL = 2_000
NAMELESS = "It has no name."
MOST_TEXTS = 100
MOST_SPANS = 1_000
YES, NO = ("true", "yes", "y", "1", "да"), ("false", "no", "n", "0", "не")
EMPTY: tuple[Any, ...] = (None, "", [], {})
PAIR = ("lat", "lon")
_YEAR = re.compile(r"[12][0-9]{3}")


def checked(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the known fields that are not empty. Unknown ones remain only in the original."""
    known = KINDS[kind].fields
    read: dict[str, Any] = {}
    for name, given in fields.items():
        if name in known and given not in EMPTY and (value := value_of(kind, name, given)) not in EMPTY:
            read[name] = value
    if ("lat" in read) != ("lon" in read):  # a position needs both, from one source
        read = {name: value for name, value in read.items() if name not in PAIR}
    for name in PAIR:
        if name in read:
            read[name] = round(read[name], PLACES)
    if not read.get("name"):
        raise Invalid(NAMELESS)
    return read


def value_of(kind: str, name: str, given: Any) -> Any:
    """Return the checked value; raise Invalid with the name of the field."""
    type_name = KINDS[kind].fields.get(name)
    if type_name is None:
        raise Invalid(f"A record of kind {kind} has no field {clean_text(name, limit=60)}.")
    try:
        return READERS[type_name](given)
    except (ValueError, TypeError, OverflowError):
        raise Invalid(f"{name} should be {_article(type_name)}, not “{_shown(given)}”.") from None


def _shown(given: Any) -> str:
    try:
        return clean_text(str(given), limit=60)
    except ValueError:  # a number of thousands of digits
        return "…"


def _text(given: Any) -> str:
    if isinstance(given, str):
        return clean_text(given, limit=LONGEST_TEXT)
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise TypeError
    return str(given)


def _long(given: Any) -> str:
    return clean_text(given, limit=LONGEST_LONG, multiline=True) if isinstance(given, str) else _text(given)


def _url(given: Any) -> str:
    url = clean_text(given) if isinstance(given, str) else ""
    if not url[:8].lower().startswith(("http://", "https://")) or len(url) > LONGEST_URL or " " in url:
        raise ValueError
    return url


def _moment(given: Any) -> str:
    text = clean_text(given) if isinstance(given, str) else ""
    if clock.read(text) is None:
        raise ValueError
    return text


def _day(given: Any) -> str:
    """Return a day, or a year alone, as is usual for founding dates."""
    text = str(given) if isinstance(given, int) else given
    if isinstance(text, str) and _YEAR.fullmatch(text.strip()):
        return text.strip()
    text = _moment(text)
    if len(text) != clock.DAY_LENGTH:
        raise ValueError
    return text


def _number(given: Any) -> float | int:
    if isinstance(given, bool):
        raise TypeError
    number = float(given)
    if not math.isfinite(number):
        raise ValueError
    return int(number) if number.is_integer() else number


def _flag(given: Any) -> bool:
    if isinstance(given, bool):
        return given
    word = str(given).strip().casefold()
    if word not in YES + NO:
        raise ValueError
    return word in YES


def _texts(given: Any) -> list[str]:
    listed = _listed(given)
    parts = listed.split(",") if isinstance(listed, str) else listed
    if not isinstance(parts, list | tuple) or len(parts) > MOST_TEXTS:
        raise TypeError
    return list(dict.fromkeys(text for part in parts if (text := _text(part))))


def _latitude(given: Any) -> float:
    return _within(given, 90)


def _longitude(given: Any) -> float:
    return _within(given, 180)


def _within(given: Any, most: float) -> float:
    number = float(_number(given))
    if abs(number) > most:
        raise ValueError
    return number


def _listed(given: Any) -> Any:
    """A list in a cell of a table is JSON; what only looks so is text."""
    if not isinstance(given, str) or not given.startswith("["):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


def _spans(given: Any) -> list[dict[str, str]]:
    listed = _listed(given)
    if not isinstance(listed, list | tuple) or len(listed) > MOST_SPANS:
        raise TypeError
    spans = []
    for each in listed:
        span = {"start": _moment(each["start"])} if isinstance(each, dict) and "start" in each else None
        if span is None:
            raise ValueError
        if each.get("end"):
            span["end"] = _moment(each["end"])
        spans.append(span)
    return spans


READERS: Mapping[str, Callable[[Any], Any]] = {
    TEXT: _text,
    LONG: _long,
    URL: _url,
    MOMENT: _moment,
    DAY: _day,
    NUMBER: _number,
    FLAG: _flag,
    TEXTS: _texts,
    LATITUDE: _latitude,
    LONGITUDE: _longitude,
    SPANS: _spans,
}


def _article(type_name: str) -> str:
    plain = {
        MOMENT: "a date, or a date and time, like 2027-03-12 or 2027-03-12T19:00:00+02:00",
        DAY: "a date like 2027-03-12, or a year",
        URL: "a web address that begins with http:// or https://",
        TEXTS: "a list of words",
        SPANS: "a list of times, each with a start",
        FLAG: "true or false",
        LATITUDE: "a latitude from -90 to 90",
        LONGITUDE: "a longitude from -180 to 180",
    }
    return plain.get(type_name, f"a {type_name}")

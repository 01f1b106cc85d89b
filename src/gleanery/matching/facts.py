"""Normalised features of a record, used to compare it with others. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.extraction.values import clock
from gleanery.extraction.values.countries import country_code
from gleanery.extraction.values.phones import e164
from gleanery.kinds import KINDS
from gleanery.matching import normal, web
from gleanery.matching.address import split_address
from gleanery.matching.lists import words_in
from gleanery.matching.spelling import latin, name, script

VERSION = 1  # of the stored features; a new version recomputes them for all records
_READ = """
    name legal_name address locality region postal_code country lat lon phone email url official_id venue_name
    organizer_name funder_name provider_name start end deadline year amount_min amount_max currency description
"""
READ = tuple(_READ.split())
LONGEST, MOST_WORDS, SHORTEST_WORD = 300, 80, 4  # characters of a text; words of a description; letters of a word
FEWEST_DIGITS = 6
MORNING = 7  # o'clock
_SEVERAL = re.compile(r"[,;|]|\s/\s|(?i:\bext|\bx\d)")
_BESIDE_TOWN = re.compile(r"\([^()]*\)|\d+")
_TOWNS = frozenset(["gr", "grad", "s", "selo", "kk", "obl", "city", "town", "of", "cedex"])
_WHOLE = re.compile(r"\s@\s*|\s(?:at|inside|within|im|v|във?)\s|\s[-–—|]\s|,\s", re.IGNORECASE)
_LEGAL_FORM = re.compile(r"[\s,]+(?:inc|llc|ltd|limited|corp|gmbh|e\.?v|plc|ood|eood|оод|еоод|ад)\.?$", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d/–-])(20\d\d)(?![\d/–-])")
_WORDS = re.compile(r"[^\W\d_]+")


class Facts(NamedTuple):
    """Features of a record; empty is unknown. `at` and `by` are the ids of its venue and organiser, if known."""

    kind: str
    name: str = ""
    also: str = ""
    script: str = ""
    whole: str = ""  # what it may be part of: the mall of "Food Court, Ross Park Mall"
    street: str = ""
    house: str = ""
    unit: str = ""
    town: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = ""
    lat: float | None = None
    lon: float | None = None
    phone: str = ""
    email: str = ""
    site: str = ""
    page: str = ""
    host: str = ""
    official_id: str = ""
    venue: str = ""
    run_by: str = ""
    at: str = ""
    by: str = ""
    begins: datetime | None = None
    minute: int | None = None  # minute of the day in local time
    day: date | None = None
    last_day: date | None = None
    deadline: date | None = None
    year: int | None = None
    least: float | None = None
    most: float | None = None
    currency: str = ""
    about: tuple[str, ...] = ()  # words of the description


def facts(kind: str, fields: Mapping[str, Any], *, place: str | None = None, organization: str | None = None) -> Facts:
    """Return the features of a record with these fields."""
    texts = {field: value for field, value in fields.items() if isinstance(value, str) and value}

    def text(field: str) -> str:
        return texts.get(field, "")[:LONGEST]

    called, url, locality = _LEGAL_FORM.sub("", text("name")), text("url"), text("locality")
    country = country_code(text("country"))
    where = split_address(text("address"), locality)
    begin, end = _without_midnight(clock.read(text("start"), country)), clock.read(text("end"), country)
    deadline = clock.day_of(fields.get("deadline"), country)
    lat, lon = _position(fields)
    return Facts(
        kind=kind,
        name=name(called),
        also=name(_LEGAL_FORM.sub("", text("legal_name"))),
        script=script(called),
        whole=_whole(called),
        street=where.street,
        house=where.house,
        unit=where.unit,
        town=town(locality),
        region=name(text("region")),
        postal_code="".join(normal.words(text("postal_code").removesuffix(".0"))) or where.postal_code,
        country=country,
        lat=lat,
        lon=lon,
        phone=phone(text("phone"), country),
        email=text("email").strip().casefold(),
        site=web.site(url),
        page=web.page(url),
        host=web.host(url),
        official_id="".join(normal.words(text("official_id"))),
        venue=name(text("venue_name")),
        run_by=name(text(f"{role}_name")) if (role := KINDS[kind].run_by) else "",
        at=place or "",
        by=organization or "",
        begins=begin.exact if begin and begin.wall else None,
        minute=begin.wall.hour * 60 + begin.wall.minute if begin and begin.wall else None,
        day=begin.day if begin else None,
        last_day=_last_day(begin, end),
        deadline=deadline,
        year=_year(fields.get("year"), called, deadline),
        least=_number(fields.get("amount_min")),
        most=_number(fields.get("amount_max")),
        currency=text("currency").upper(),
        about=_about(texts.get("description", "")),
    )


@lru_cache(maxsize=16_384)
def phone(text: str, country: str) -> str:
    """Return a phone number as E.164 if the country is known, otherwise its digits."""
    text = _SEVERAL.split(text, maxsplit=1)[0]
    if not text:
        return ""
    digits = re.sub(r"\D", "", text)
    return e164(text, country) or (digits if len(digits) >= FEWEST_DIGITS else "")


@lru_cache(maxsize=16_384)
def town(text: str) -> str:
    """Return a town without postal code, brackets and words such as "city" or "village"."""
    words = latin(_BESIDE_TOWN.sub(" ", text))
    return " ".join([word for word in words if word not in _TOWNS] or words)


def _without_midnight(begin: clock.Moment | None) -> clock.Moment | None:
    """Drop the time of day if it is local midnight, which calendars write if they know only the day.

    Midnight in UTC is kept, because it is a different local hour.
    """
    if begin is None or begin.wall is None or begin.wall.hour or begin.wall.minute:
        return begin
    if begin.exact is not None and begin.exact.hour == 0:
        return begin
    return begin._replace(exact=None, wall=None)


def _last_day(begin: clock.Moment | None, end: clock.Moment | None) -> date | None:
    """Return the last day; an event that ends in the early morning ends on the day before."""
    if begin is None or end is None:
        return None
    is_a_night = end.wall is not None and end.wall.hour < MORNING and end.day > begin.day
    return end.day - timedelta(days=1) if is_a_night else end.day


def _whole(called: str) -> str:
    """Return the text after "at", a comma or a dash: the record may be part of what it names."""
    found = list(_WHOLE.finditer(called))
    return name(called[found[-1].end() :]) if found else ""


def _about(description: str) -> tuple[str, ...]:
    """Return the first distinct words of a description, without short ones."""
    found = dict.fromkeys(word.casefold() for word in _WORDS.findall(description[:4_000]) if len(word) >= SHORTEST_WORD)
    return tuple(found)[:MOST_WORDS]


def _year(given: Any, called: str, deadline: date | None) -> int | None:
    if year_given := _number(given):
        return int(year_given) if 0 < year_given <= date.max.year else None
    named = set(_YEAR.findall(called))
    year = int(named.pop()) if len(named) == 1 else None
    return deadline.year if deadline and (year is None or year - deadline.year not in (0, 1)) else year


def _number(value: Any) -> float | None:
    try:
        number = float(value) if value not in (None, "") else None
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number is not None and math.isfinite(number) else None


def _position(fields: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return latitude and longitude, or None for both if either is missing or out of range."""
    lat, lon = _number(fields.get("lat")), _number(fields.get("lon"))
    if lat is None or lon is None or abs(lat) > 90 or abs(lon) > 180:  # noqa: PLR2004 - degrees
        return None, None
    return lat, lon


def significant_words(text: str) -> list[str]:
    """Return the words of a normalised name without small words such as "the", unless it has no others."""
    words = text.split()
    return [word for word in words if word not in words_in("links")] or words

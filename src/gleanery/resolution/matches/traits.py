"""What of a record is compared with others, in normal form; computed when it is written. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.extraction.values.countries import country_code
from gleanery.extraction.values.phones import e164
from gleanery.resolution import clock, normal
from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.abbreviations import written_out
from gleanery.resolution.matches.ages import ages
from gleanery.resolution.matches.aliases import BRACKETS, in_brackets, in_description
from gleanery.resolution.matches.announced import amount_in, unannounced, year_of
from gleanery.resolution.matches.descriptions import about
from gleanery.resolution.matches.hours import hours
from gleanery.resolution.matches.spelling import as_written
from gleanery.resolution.matches.spelling import name as spelled
from gleanery.resolution.matches.streets import named_house, split_address
from gleanery.resolution.matches.tongues import tongue
from gleanery.resolution.matches.web import page, site

FEWEST_DIGITS = 6  # of an official id; of a phone as a town's paper gives it, one less
_TOWNS = frozenset(["gr", "grad", "s", "selo", "kk", "obl", "city", "town", "of", "der", "bei", "cedex"])
# What is left of quarters: København N, Odense SØ, Paris 11e.
_QUARTERS = frozenset(["c", "e", "k", "m", "n", "nv", "o", "s", "so", "sv", "v", "er", "eme"])
_BESIDE_TOWN = re.compile(r"\([^()]*\)|\d+")
_SEVERAL = re.compile(r"[,;|]|\s/\s")  # phones: the first of them
_BEHIND_NUMBER = re.compile(r"(?<=\d)[\s,]+[^\W\d_]{3,}.*$")  # VR 48110 Stendal
_PARTED_NUMBER = re.compile(r"\d[-/. ]?[^\W\d_]{2,}[-/. ]?\d")  # KA210-SCH-2025, which is not KA210-YOU-2025
_BEFORE_NUMBER = re.compile(r"^[^\W\d_]+(?=\d)")
_NO_DIGITS = re.compile(r"\D")
_QUOTED = re.compile('[„“”«"]([^„“”«»"]{3,})[“”»"]|[‘‚]([^‘’‚]{3,})[’‘](?!\\w)')
_PARTED = re.compile(r": |\s[-–—|•/]\s")
PARTED = " | "
_COUNCIL = re.compile(
    r"^(?:ville de|city of|town of|citta di|ciudad de|villa de|(?:landeshaupt|hanse|kreis|universitats)?stadt|miasto|"
    r"mesto|orasul|municipiul|kommune|gemeente|gemeinde) (?=\w)"
)
_ASIDE = re.compile(r"[(),|]|\s[-–—/]\s")
# Rooms, not houses: an English hall may be either.
ROOMS = frozenset(
    ["zala", "salon", "stsena", "saal", "salle", "sala", "aula", "room", "raum", "stage", "foyer", "auditorium"]
)
TITLED = ("event", "funding", "service", "opportunity")  # names of places and organisations quote their patrons
CROWDED = ("place", "organization")  # which may be in one house, with one phone; of what happens there very many are
MONTHS = "months"  # and the ages in months, from and to, where they are told as numbers
PEOPLE = ("ages.", "sex.", "who.")  # of contrasts: by what those are told apart whom something is for
LONGEST = 300
# The fields that traits are made of; nothing else of a record is compared.
_READ = """
    name legal_name address locality region postal_code country lat lon phone email url official_id venue_name
    organizer_name funder_name provider_name start end deadline year amount_min amount_max currency founding_date
    opening_hours eligibility description
"""
READ = tuple(_READ.split())


class Traits(NamedTuple):
    """Empty is unknown. `at` and `by` are the records of the venue and of whoever runs it, where they are known."""

    kind: str
    name: str = ""
    also: str = ""
    title: str = ""  # what stands in quotation marks, or the parts around a colon or a dash; of a place its room
    tongue: str = ""
    street: str = ""
    house: str = ""
    unit: str = ""
    locality: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = ""
    lat: float | None = None
    lon: float | None = None
    phone: str = ""
    email: str = ""
    site: str = ""
    page: str = ""
    official_id: str = ""
    venue: str = ""
    run_by: str = ""
    at: str = ""
    by: str = ""
    begins: datetime | None = None
    minute: int | None = None  # of the day, as the clocks there tell it
    day: date | None = None
    last_day: date | None = None
    deadline: date | None = None
    year: int | None = None
    least: float | None = None
    most: float | None = None
    currency: str = ""
    founded: int | None = None
    hours: str = ""
    whom: str = ""
    about: str = ""  # of its description: the telling words, by sound or meaning; and the house that its address names


RUN_BY = {"event": "organizer", "funding": "funder", "service": "provider", "opportunity": "organizer"}


def traits(
    kind: str, fields: Mapping[str, Any], *, place: str | None = None, organization: str | None = None
) -> Traits:
    texts = {name: value[:LONGEST] for name, value in fields.items() if isinstance(value, str)}

    def text(name: str) -> str:
        return texts.get(name, "")

    called, locality, eligibility = text("name"), text("locality"), text("eligibility")
    called = written_out(unannounced(called) if kind == "funding" else called)
    country = country_code(text("country"))
    where = split_address(text("address"), locality)
    begin, end = clock.read(text("start"), country), clock.read(text("end"), country)
    deadline = clock.day_of(fields.get("deadline"), country)
    runner = text(f"{RUN_BY[kind]}_name") or text("legal_name") if kind in RUN_BY else ""
    least, most, told_currency = _number(fields.get("amount_min")), _number(fields.get("amount_max")), ""
    if kind == "funding" and least is None and most is None:
        most, told_currency = amount_in(text("name"))
    lat, lon = _position(fields)
    url = text("url")
    return Traits(
        kind=kind,
        name=spelled(BRACKETS.sub(" ", called)) or spelled(called),
        also=(spelled(written_out(text("legal_name"))) if kind == "organization" else "")
        or in_brackets(called, f"{locality} {runner} {text('venue_name')}")
        or in_description(text("description")),
        title=_room(called) if kind == "place" else _title(called, quoted=kind in TITLED),
        tongue=_tongue(called, locality),
        street=where.street,
        house=where.house,
        unit=where.unit,
        locality=town(locality),
        region=spelled(text("region")),
        postal_code="".join(normal.words(text("postal_code"))) or where.postal_code,
        country=country,
        lat=lat,
        lon=lon,
        phone=phone(text("phone"), country),
        email=text("email").strip().casefold(),
        site=site(url),
        page=page(url),
        official_id=official_id(text("official_id")),
        venue=spelled(written_out(text("venue_name"))),
        run_by=_owner(runner),
        at=place or "",
        by=organization or "",
        begins=begin.exact if begin and begin.wall else None,
        minute=begin.wall.hour * 60 + begin.wall.minute if begin and begin.wall else None,
        day=begin.day if begin else None,
        last_day=end.day if end else None,
        deadline=deadline,
        year=year_of(
            _number(fields.get("year")),
            called,
            deadline or (begin.day if begin and kind == "opportunity" else None),
        ),
        least=least,
        most=most,
        currency=text("currency").upper() or told_currency,
        founded=_founded(text("founding_date")),
        hours=hours(text("opening_hours")),
        whom=_whom(called, eligibility),
        about=about(
            text("description"),
            f"{locality} {text('venue_name')} {runner} {where.street}",
            named_house(text("address")) if kind in CROWDED else "",
        ),
    )


def _tongue(called: str, locality: str) -> str:
    """Not by its town, which is called so in any language."""
    towns = locality.split()
    told = " ".join(word for word in called.split() if word.strip(",.()") not in towns) if towns else called
    return tongue(told or called) if called else ""


@lru_cache(maxsize=16_384)
def _owner(text: str) -> str:
    """A town that runs something is its council; who is called by initials alone may be whoever has them."""
    told = spelled(text if text.isascii() and text.isupper() and " " not in text else written_out(text))
    return _COUNCIL.sub("municipality ", told)


@lru_cache(maxsize=16_384)
def phone(text: str, country: str) -> str:
    """E.164 where the country is known, else its digits."""
    text = _SEVERAL.split(text, maxsplit=1)[0]
    if not text:
        return ""
    if known := e164(text, country):
        return known
    digits = re.sub(r"\D", "", re.split(r"(?i)ext|x", text)[0])
    return digits if len(digits) >= FEWEST_DIGITS - 1 else ""


def _title(text: str, *, quoted: bool) -> str:
    """The longest of what is quoted; else the parts of a headline, if it has several."""
    if quoted and (told := max((one or other for one, other in _QUOTED.findall(text)), key=len, default="")):
        return spelled(told)
    parts = [part for each in _PARTED.split(text) if (part := spelled(BRACKETS.sub(" ", each)))]
    return PARTED.join(parts) if len(parts) > 1 else ""


def _room(text: str) -> str:
    """The part of a name that tells of a room, if there are others: Philharmonie, Großer Saal."""
    parts = _ASIDE.split(text) if _ASIDE.search(text) else ()
    spelt = (spelled(part) for part in parts)
    return next((part for part in spelt if not ROOMS.isdisjoint(part.split())), "")


@lru_cache(maxsize=16_384)
def town(text: str) -> str:
    """Without postal code, brackets and the little words for towns and villages."""
    words = as_written(_BESIDE_TOWN.sub(" ", text)).split()
    told = [word for word in words if word not in _TOWNS] or words
    return " ".join(told[:-1] if len(told) > 1 and told[-1] in _QUARTERS else told)


def official_id(text: str) -> str:
    """Its digits, and a letter behind them, whatever register is named before them; else what it is."""
    digits = _NO_DIGITS.sub("", text) if text else ""
    if digits and _PARTED_NUMBER.search(text):
        return _BEFORE_NUMBER.sub("", "".join(normal.words(text)))
    if len(digits) < FEWEST_DIGITS:
        return "".join(normal.words(_BEHIND_NUMBER.sub("", text)))
    return digits + spelled(text[-1]) if text[-1].isalpha() and text[-2:-1].isdigit() else digits


def _whom(called: str, eligibility: str) -> str:
    """The ages, sexes and other people that it is for, as far as the contrasts of sorts.txt know them."""
    told = {idea for word in spelled(f"{called} {eligibility}").split() for idea in _people(word)}
    if known := ages(eligibility) or ages(called):
        told.add(f"{MONTHS}.{known[0]}-{known[1]}")
    return " ".join(sorted(told))


@lru_cache(maxsize=65_536)
def _people(word: str) -> tuple[str, ...]:
    return tuple(idea for idea in lexicon.contrasts().of(word) if idea.startswith(PEOPLE))


def sites(one: Traits) -> set[str]:
    """Where it is at home on the web; a mailbox tells that too."""
    mail = site(one.email.rpartition("@")[2]) if one.email else ""
    return {one.site, mail} - {""}


def _founded(text: str) -> int | None:
    return int(text[:4]) if text[:4].isdecimal() else None


def _number(value: Any) -> float | None:
    try:
        number = float(value) if value not in (None, "") else None
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number is not None and math.isfinite(number) else None


def _position(fields: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Both or none: half a position is nowhere, nor is one off the globe."""
    lat, lon = _number(fields.get("lat")), _number(fields.get("lon"))
    if lat is None or lon is None or abs(lat) > 90 or abs(lon) > 180:  # noqa: PLR2004 - degrees
        return None, None
    return lat, lon

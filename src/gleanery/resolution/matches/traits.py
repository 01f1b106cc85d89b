"""What of a record is compared with others, in normal form; computed when it is written. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain
from gleanery.extraction.values.countries import country_code
from gleanery.extraction.values.phones import e164
from gleanery.resolution import clock, normal
from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.abbreviations import written_out
from gleanery.resolution.matches.announced import amount_in, unannounced, year_of
from gleanery.resolution.matches.hours import hours
from gleanery.resolution.matches.names import FILLER, LINK
from gleanery.resolution.matches.names import word as word_of
from gleanery.resolution.matches.spelling import name as spelled
from gleanery.resolution.matches.streets import split_address
from gleanery.resolution.matches.tongues import tongue

FEWEST_DIGITS = 6  # of an official id; of a phone as a town's paper gives it, one less
_TOWNS = frozenset(["gr", "grad", "s", "selo", "kk", "obl", "city", "town", "of", "der", "bei"])
_BESIDE_TOWN = re.compile(r"\([^()]*\)|\d+")
_SEVERAL = re.compile(r"[,;|]|\s/\s")  # phones: the first of them
_LETTERS = re.compile(r"[^\W\d_]{4,}")  # a shorter word tells little in a text
_BRACKETS = re.compile(r"\([^()]*\)")
_NO_DIGITS = re.compile(r"\D")
_BESIDE_PAGE = re.compile(r"^https?://(?:www\.)?|[#?].*$")
_QUOTED = re.compile('[„“”«"]([^„“”«»"]{3,})[“”»"]|[‘‚]([^‘’‚]{3,})[’‘](?!\\w)')
_PARTED = re.compile(r": |\s[-–—|•/]\s")
PARTED = " | "
_ASIDE = re.compile(r"[(),|]|\s[-–—/]\s")
# Rooms, not houses: an English hall may be either.
ROOMS = frozenset(
    ["zala", "salon", "stsena", "saal", "salle", "sala", "aula", "room", "raum", "stage", "foyer", "auditorium"]
)
TITLED = ("event", "funding", "service", "opportunity")  # names of places and organisations quote their patrons
PEOPLE = ("ages.", "sex.", "who.")  # of contrasts: by what those are told apart whom something is for
LONGEST = 300
# Who has an address there shares the host with strangers.
_HOSTS = """
    facebook.com fb.com fb.me instagram.com twitter.com x.com linkedin.com youtube.com youtu.be tiktok.com
    google.com goo.gl wordpress.com blogspot.com wixsite.com weebly.com business.site bit.ly linktr.ee
    tripadvisor.com yelp.com booking.com eventbrite.com eventbrite.co.uk meetup.com ticketmaster.com
    eventim.bg eventim.de ticketportal.cz allevents.in bandsintown.com github.io medium.com tumblr.com t.me
    telegram.me wa.me vk.com pinterest.com foursquare.com ubereats.com doordash.com grubhub.com opentable.com
    just-eat.com gmail.com yahoo.com hotmail.com outlook.com abv.bg mail.bg mail.ru gmx.de web.de aol.com
    icloud.com live.com msn.com comcast.net protonmail.com orange.fr free.fr wanadoo.fr libero.it seznam.cz
    wp.pl onet.pl o2.pl interia.pl t-online.de dir.bg jotform.com typeform.com docs.google.com wixstudio.com
"""
SHARED_HOSTS = frozenset(_HOSTS.split())
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
    about: str = ""  # of its description: the telling words, by sound or meaning


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
        name=spelled(_BRACKETS.sub(" ", called)) or spelled(called),
        also=(spelled(written_out(text("legal_name"))) if kind == "organization" else "")
        or _in_brackets(called, f"{locality} {runner} {text('venue_name')}"),
        title=_title(called) if kind in TITLED else _room(called) if kind == "place" else "",
        tongue=tongue(called) if called else "",
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
        run_by=spelled(runner if runner.isascii() and runner.isupper() and " " not in runner else written_out(runner)),
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
        whom=_whom(spelled(f"{called} {eligibility}" if eligibility else called)),
        about=about(text("description"), f"{locality} {text('venue_name')} {runner} {where.street}"),
    )


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


def _in_brackets(text: str, aside: str) -> str:
    """Another name, it may be; the town is none, nor is who runs it."""
    if "(" not in text:
        return ""
    words = spelled(" ".join(_BRACKETS.findall(text))).split()
    return "" if set(words) <= {*spelled(aside).split(), "city"} else " ".join(words)


def _title(text: str) -> str:
    """The longest of what is quoted; else the parts of a headline, if it has several."""
    if quoted := max((one or other for one, other in _QUOTED.findall(text)), key=len, default=""):
        return spelled(quoted)
    parts = [part for each in _PARTED.split(text) if (part := spelled(_BRACKETS.sub(" ", each)))]
    return PARTED.join(parts) if len(parts) > 1 else ""


def _room(text: str) -> str:
    """The part of a name that tells of a room, if there are others: Philharmonie, Großer Saal."""
    parts = _ASIDE.split(text) if _ASIDE.search(text) else ()
    spelt = (spelled(part) for part in parts)
    return next((part for part in spelt if not ROOMS.isdisjoint(part.split())), "")


@lru_cache(maxsize=16_384)
def town(text: str) -> str:
    """Without postal code, brackets and the little words for towns and villages."""
    words = spelled(_BESIDE_TOWN.sub(" ", text)).split()
    return " ".join([word for word in words if word not in _TOWNS] or words)


def official_id(text: str) -> str:
    """Its digits, and a letter behind them, whatever register is named before them; else what it is."""
    digits = _NO_DIGITS.sub("", text) if text else ""
    if len(digits) < FEWEST_DIGITS:
        return "".join(normal.words(text))
    return digits + spelled(text[-1]) if text[-1].isalpha() and text[-2:-1].isdigit() else digits


def _whom(text: str) -> str:
    """The ages, sexes and other people that it is for, as far as the contrasts of sorts.txt know them."""
    return " ".join(sorted({idea for word in text.split() for idea in _people(word)}))


@lru_cache(maxsize=65_536)
def _people(word: str) -> tuple[str, ...]:
    return tuple(idea for idea in lexicon.contrasts().of(word) if idea.startswith(PEOPLE))


def about(description: str, aside: str) -> str:
    """Without what other fields tell: where it is, and by whom."""
    if not description:
        return ""
    told = {_telling(word) for word in _LETTERS.findall(description)}
    return " ".join(sorted(told.difference(map(_telling, _LETTERS.findall(aside)), ("",))))


@lru_cache(maxsize=65_536)
def _telling(word: str) -> str:
    """The sound of a word that tells something."""
    known = word_of(spelled(word))
    return known.sound if known.weight > LINK and known.text not in FILLER else ""


@lru_cache(maxsize=65_536)
def site(url: str) -> str:
    """The registrable domain, unless strangers share it."""
    try:
        name = domain_of(url) if url else None
    except InvalidDomain:
        return ""
    return "" if name is None or name.registrable in SHARED_HOSTS else name.registrable


def sites(one: Traits) -> set[str]:
    """Where it is at home on the web; a mailbox tells that too."""
    mail = site(one.email.rpartition("@")[2]) if one.email else ""
    return {one.site, mail} - {""}


def page(url: str) -> str:
    """The address without what makes no difference; nothing for the front page of a site, or of a host that is shared.

    Another host than the first is a page: branch.union.example, choir.wordpress.com.
    """
    bare = _BESIDE_PAGE.sub("", url.strip().casefold()).rstrip("/") if url else ""
    return "" if "/" not in bare and ("." not in bare or bare == site(url) or bare in SHARED_HOSTS) else bare


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

"""Identity hash of observations and records; equal hashes mean the same thing. Computed only here. Pure."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain
from gleanery.extraction.values import clock
from gleanery.kinds import KINDS
from gleanery.matching import normal
from gleanery.resolution.records.conflicts import in_two_places, in_two_towns, never_in_conflict

LONG_ID = 20  # characters
SHORTEST_TEXT, LONGEST_TEXT = 80, 600
# Sites that host pages of many unrelated organisers.
SHARED_SITES = frozenset(
    (
        *("eventbrite.com", "facebook.com", "google.com", "instagram.com", "meetup.com"),
        *("ticketmaster.com", "tockify.com", "youtube.com", "zoom.us"),
    )
)
Fields = Mapping[str, Any]


class Subject(NamedTuple):
    """The fields of an observation or a record, and the records that it names."""

    fields: Fields
    place: str | None = None
    organization: str | None = None
    uid: str = ""  # its external id, which other sources may use too

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""


def identity(kind: str, subject: Subject) -> bytes | None:
    """Return SHA-256 over kind and parts; None if too little is known to identify the thing."""
    parts = _parts(kind, subject)
    return _hash(kind, parts) if parts else None


class LookupIdentity(NamedTuple):
    """An identity by which a record is found because of an observation, with the records that it is built on.

    A loose one joins two only if at least one has no venue, since one site may list two branches at the same hour.
    """

    identity: bytes
    place: str | None
    organization: str | None
    loose: bool = False


class Tie(NamedTuple):
    """A part that makes two things of equal name and start the same, unless their places conflict."""

    part: Callable[[Subject], str]
    unless: Callable[[Fields, Fields], bool]
    loose: bool = False


def lookup_identities(kind: str, subject: Subject) -> list[LookupIdentity]:
    """Return all identities by which an observation can be found."""
    own = identity(kind, subject)
    found = [LookupIdentity(own, subject.place, subject.organization)] if own else []
    is_placed = bool(_venue(subject))
    for name, tie, part in _ties(kind, subject):
        organization = subject.organization if name == "organization" else None
        found.append(LookupIdentity(_hash(kind, [*part, "any"]), None, organization, tie.loose))
        if tie.loose and not is_placed:
            found.append(LookupIdentity(_hash(kind, [*part, "unplaced"]), None, organization, tie.loose))
    return found


def tie_identities(kind: str, subject: Subject) -> dict[bytes, Tie]:
    """Return the further identities by which an observation looks for its record, with their ties."""
    is_placed = bool(KINDS[kind].ties and _venue(subject))
    return {
        _hash(kind, [*part, "unplaced" if tie.loose and is_placed else "any"]): tie
        for _, tie, part in _ties(kind, subject)
    }


def _ties(kind: str, subject: Subject) -> Iterator[tuple[str, Tie, list[str]]]:
    if not KINDS[kind].ties or not (name := _name(subject)) or not (start := _start(subject)):
        return
    for each in KINDS[kind].ties:
        tie = TIES[each]
        if part := tie.part(subject):
            yield each, tie, [name, start, f"{each} {part}"]


def identities(kind: str, subject: Subject) -> tuple[bytes | None, list[bytes]]:
    """Return the own identity, and those of an event in time zones where the same instant is another day."""
    parts = _parts(kind, subject)
    if not parts:
        return None, []
    moment = clock.read(subject.text("start"), subject.text("country")) if kind == "event" else None
    days = clock.other_days(moment) if moment else []
    return _hash(kind, parts), [_hash(kind, [*parts[:-1], day.isoformat()]) for day in days]


def _parts(kind: str, subject: Subject) -> list[str] | None:
    declared = KINDS[kind]
    parts = {part: PARTS[part](subject) for part in declared.identity}
    if not parts[declared.identity[0]] or not any(parts[anchor] for anchor in declared.anchors):
        return None
    if "day" in parts and not parts["day"]:
        return None
    return list(parts.values())


def _hash(kind: str, parts: list[str]) -> bytes:
    return hashlib.sha256("\0".join((kind, *parts)).encode("utf-8", "replace")).digest()


def _name(subject: Subject) -> str:
    return normal.name(subject.text("name"))


def _bare_name(subject: Subject) -> str:
    return normal.bare_name(subject.text("name"))


def _venue(subject: Subject) -> str:
    """Return the venue record, else the online address, else the street; a town alone is not a venue."""
    if subject.place:
        return f"place {subject.place}"
    if virtual := subject.text("virtual_url"):
        return f"url {_web(virtual)}"
    return _site(subject) if _address(subject) else ""


def _site(subject: Subject) -> str:
    if subject.place:
        return f"place {subject.place}"
    where = " ".join(filter(None, (_address(subject), _locality(subject))))
    return f"at {where}" if where else ""


def _organization(subject: Subject) -> str:
    return f"organization {subject.organization}" if subject.organization else ""


def _day(subject: Subject) -> str:
    return _iso(clock.day_of(subject.fields.get("start"), subject.text("country")))


def _start(subject: Subject) -> str:
    """Return the instant if known, else day and local time, else the day."""
    moment = clock.read(subject.text("start"), subject.text("country"))
    if moment is None:
        return ""
    if moment.exact is not None:
        return moment.exact.isoformat()
    return f"{moment.day} {moment.wall or ''}"


def _page(subject: Subject) -> str:
    """Return the page address, but not the front page of a site, which many things share."""
    page = _web(subject.text("url"))
    return page if "/" in page else ""


def _venue_name(subject: Subject) -> str:
    return normal.name(subject.text("venue_name"))


def _text(subject: Subject) -> str:
    """Return a hash of the description, if it is too long to be equal by chance."""
    words = normal.name(subject.text("description")[:LONGEST_TEXT])
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest() if len(words) >= SHORTEST_TEXT else ""


def _uid(subject: Subject) -> str:
    """Return an id only if it looks globally unique; “7” is an id in many tables."""
    return subject.uid if "@" in subject.uid or len(subject.uid) >= LONG_ID else ""


def _host(subject: Subject) -> str:
    """Return the host of the page, unless it hosts pages of many organisers."""
    name = _registrable(subject.text("url"))
    return "" if name in SHARED_SITES else _web(subject.text("url")).partition("/")[0]


def _call(subject: Subject) -> str:
    """Return deadline or year, since next year's call is another programme."""
    deadline = _iso(clock.day_of(subject.fields.get("deadline"), subject.text("country")))
    year = subject.fields.get("year")
    return deadline or (str(int(year)) if isinstance(year, int | float) and math.isfinite(year) else "")


def _term(subject: Subject) -> str:
    return _call(subject) or _day(subject)


def _address(subject: Subject) -> str:
    return normal.address(subject.text("address"))


def _locality(subject: Subject) -> str:
    return normal.name(subject.text("locality"))


def _region(subject: Subject) -> str:
    return normal.name(subject.text("region"))


def _home(subject: Subject) -> str:
    """Return the domain of an organisation, else its town."""
    return _registrable(subject.text("url")) or _locality(subject)


PARTS: Mapping[str, Callable[[Subject], str]] = {
    "name": _name,
    "bare_name": _bare_name,
    "venue": _venue,
    "site": _site,
    "organization": _organization,
    "day": _day,
    "call": _call,
    "term": _term,
    "address": _address,
    "locality": _locality,
    "region": _region,
    "home": _home,
}

TIES: Mapping[str, Tie] = {
    "uid": Tie(_uid, never_in_conflict),
    "page": Tie(_page, in_two_places),
    "text": Tie(_text, in_two_places),
    "venue": Tie(_venue_name, in_two_towns),
    "organization": Tie(_organization, in_two_towns, loose=True),
    "host": Tie(_host, in_two_towns, loose=True),
}


@lru_cache(maxsize=16_384)
def _registrable(url: str) -> str:
    try:
        return domain_of(url).registrable if url else ""
    except InvalidDomain:
        return ""


def _web(url: str) -> str:
    """Return the address without scheme, "www.", fragment and final slash."""
    return url.partition("#")[0].removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""

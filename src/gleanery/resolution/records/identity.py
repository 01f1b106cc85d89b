"""What makes two observations tell of one thing: the identity hash, computed here and nowhere else. Pure."""

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
from gleanery.resolution.records.conflicts import in_two_places, in_two_towns, nothing

LONG_ID = 20  # characters
SHORTEST_TEXT, LONGEST_TEXT = 80, 600
# Sites that have the pages of very many who have nothing to do with one another.
EVERYBODYS = frozenset(
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
    uid: str = ""  # its own id, if other sources may know it by that too

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""


def identity(kind: str, subject: Subject) -> bytes | None:
    """SHA-256 over the kind and its parts; None where too little is known to call anything the same."""
    parts = _parts(kind, subject)
    return _hash(kind, parts) if parts else None


class Answered(NamedTuple):
    """An identity that a record answers to because of an observation, with the records that this builds on.

    A loose one joins two only if at least one of them names no venue: one host tells of two branches at one hour.
    """

    identity: bytes
    place: str | None
    organization: str | None
    loose: bool = False


class Tie(NamedTuple):
    """A part that makes two of one name and start the same, unless what both say of their places speaks against it."""

    part: Callable[[Subject], str]
    unless: Callable[[Fields, Fields], bool]
    loose: bool = False


def answers(kind: str, subject: Subject) -> list[Answered]:
    """All identities by which an observation is found."""
    own = identity(kind, subject)
    found = [Answered(own, subject.place, subject.organization)] if own else []
    is_placed = bool(_venue(subject))
    for name, tie, part in _ties(kind, subject):
        organization = subject.organization if name == "organization" else None
        found.append(Answered(_hash(kind, [*part, "any"]), None, organization, tie.loose))
        if tie.loose and not is_placed:
            found.append(Answered(_hash(kind, [*part, "unplaced"]), None, organization, tie.loose))
    return found


def asks(kind: str, subject: Subject) -> dict[bytes, Tie]:
    """The identities by which an observation looks for its record, beside its own."""
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
    """Its own, and those that an event has where the clocks show another day: the same if the instant is the same."""
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
    """The record of the venue, else the address of what is held online; else a street: a town alone is no venue."""
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
    return _told(clock.day_of(subject.fields.get("start"), subject.text("country")))


def _start(subject: Subject) -> str:
    """The instant where that is known, else the hour on the clocks there, else the day."""
    moment = clock.read(subject.text("start"), subject.text("country"))
    if moment is None:
        return ""
    if moment.exact is not None:
        return moment.exact.isoformat()
    return f"{moment.day} {moment.wall or ''}"


def _page(subject: Subject) -> str:
    """A page of its own; the front page of a site is that of everything there."""
    page = _web(subject.text("url"))
    return page if "/" in page else ""


def _venue_name(subject: Subject) -> str:
    return normal.name(subject.text("venue_name"))


def _text(subject: Subject) -> str:
    """The words of a description that is long enough to have been copied, not written twice."""
    words = normal.name(subject.text("description")[:LONGEST_TEXT])
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest() if len(words) >= SHORTEST_TEXT else ""


def _uid(subject: Subject) -> str:
    """Ids made for the whole world; “7” is an id in many tables."""
    return subject.uid if "@" in subject.uid or len(subject.uid) >= LONG_ID else ""


def _host(subject: Subject) -> str:
    """Whose site has its page, unless everybody's pages are there."""
    name = _registrable(subject.text("url"))
    return "" if name in EVERYBODYS else _web(subject.text("url")).partition("/")[0]


def _call(subject: Subject) -> str:
    """Next year's call is another programme."""
    deadline = _told(clock.day_of(subject.fields.get("deadline"), subject.text("country")))
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
    """An organisation is at home on its own domain, else in its town."""
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
    "uid": Tie(_uid, nothing),
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
    """Without what browsers do not ask for."""
    return url.partition("#")[0].removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")


def _told(day: date | None) -> str:
    return day.isoformat() if day else ""

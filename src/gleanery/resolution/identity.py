"""What makes two observations tell of one thing: the identity hash, computed here and nowhere else. Pure."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain
from gleanery.resolution import clock, normal
from gleanery.resolution.kinds import KINDS

FARTHEST = 500  # metres between two positions of one place
EARTH = 6_371_000
Fields = Mapping[str, Any]


class Subject(NamedTuple):
    """The fields of an observation or a record, and the records that it names."""

    fields: Fields
    place: str | None = None
    organization: str | None = None

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""


def identity(kind: str, subject: Subject) -> bytes | None:
    """SHA-256 over the kind and its parts; None where too little is known to call anything the same."""
    parts = _parts(kind, subject)
    return _hash(kind, parts) if parts else None


def identities(kind: str, subject: Subject) -> tuple[bytes | None, list[bytes]]:
    """Its own, and those that an event has where the clocks show another day: the same if the instant is the same."""
    parts = _parts(kind, subject)
    if not parts:
        return None, []
    moment = clock.read(subject.text("start"), subject.text("country")) if kind == "event" else None
    days = clock.other_days(moment) if moment else []
    return _hash(kind, parts), [_hash(kind, [*parts[:-1], day.isoformat()]) for day in days]


def in_conflict(one: Fields, other: Fields) -> str:
    """Why two of equal identity are not one all the same; "" if nothing speaks against it."""
    if _differ(_official(one), _official(other)):
        return "official_id"
    if _differ(_house(one), _house(other)):
        return "house_number"
    if (apart := distance(one, other)) is not None and apart > FARTHEST:
        return "distance"
    return ""


def distance(one: Fields, other: Fields) -> float | None:
    """In metres; None unless both tell where they are."""
    here, there = _position(one), _position(other)
    if here is None or there is None:
        return None
    return metres_between(*here, *there)


def metres_between(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    up, right = math.radians(other_lat - lat), math.radians(other_lon - lon)
    chord = math.sin(up / 2) ** 2 + (
        math.cos(math.radians(lat)) * math.cos(math.radians(other_lat)) * math.sin(right / 2) ** 2
    )
    return 2 * EARTH * math.asin(math.sqrt(min(1.0, chord)))


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
    """The record of the venue, else the address of what is held online; else whatever tells where or by whom."""
    if subject.place:
        return f"place {subject.place}"
    if virtual := subject.text("virtual_url"):
        return f"url {_web(virtual)}"
    return _site(subject) or (f"organization {subject.organization}" if subject.organization else "")


def _site(subject: Subject) -> str:
    if subject.place:
        return f"place {subject.place}"
    where = " ".join(filter(None, (_address(subject), _locality(subject))))
    return f"at {where}" if where else ""


def _organization(subject: Subject) -> str:
    return f"organization {subject.organization}" if subject.organization else ""


def _day(subject: Subject) -> str:
    return _told(clock.day_of(subject.fields.get("start"), subject.text("country")))


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


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def _official(fields: Fields) -> str:
    return "".join(normal.words(str(fields.get("official_id") or "")))


def _house(fields: Fields) -> str:
    return normal.house_number(address) if isinstance(address := fields.get("address"), str) else ""


def _position(fields: Fields) -> tuple[float, float] | None:
    lat, lon = fields.get("lat"), fields.get("lon")
    return (float(lat), float(lon)) if isinstance(lat, int | float) and isinstance(lon, int | float) else None

"""Reads schema.org places: addresses, coordinates, venues and virtual locations."""

from __future__ import annotations

import math
import re
from typing import Any

from gleanery.extraction.structured.draft_builder import DraftBuilder
from gleanery.extraction.structured.nodes import Node
from gleanery.extraction.structured.schema_types import AREAS
from gleanery.extraction.values.addresses import split_address
from gleanery.extraction.values.countries import country_code
from gleanery.extraction.values.phones import e164

VIRTUAL = "VirtualLocation"
ADDRESS_PARTS = frozenset({"streetAddress", "addressLocality", "postalCode", "addressCountry", "addressRegion"})
LONGEST_EMAIL = 254
HIGHEST_LATITUDE, HIGHEST_LONGITUDE = 90, 180

_EMAIL = re.compile(r"[^\s@<>,;:\"()\[\]]{1,64}@[^\s@<>,;:\"()\[\]]{1,190}\.[^\s@<>,;:\"()\[\].]{2,24}")
_ONLINE = re.compile(r"online|онлайн|virtual|zoom|en ligne|en línea|webinar", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:[.,]\d{1,20})?")


def read_location(
    builder: DraftBuilder, *names: str, of: Node | None = None, under: str = "", venue: bool = True
) -> None:
    """Read the first physical place, and the address of a virtual one."""
    for name in names:
        for value in builder.graph.values(builder.node if of is None else of, name):
            _read_one(builder, value, under + name, venue)


def read_place(builder: DraftBuilder, place: Node, under: str) -> None:
    """Read address and coordinates of a node."""
    if not ADDRESS_PARTS.isdisjoint(place):
        _read_parts(builder, place, under)
    for value in builder.graph.values(place, "address"):
        _read_address(builder, value, under + "address")
    _read_point(builder, place, under)


def read_reach(builder: DraftBuilder, node: Node, under: str) -> None:
    """Read phone and e-mail. Call after the address, whose country is needed to parse phones."""
    for value in builder.graph.values(node, "telephone"):
        builder.put("phone", phone(builder.graph.text_of(value), builder.country), under + "telephone")
    for value in builder.graph.values(node, "email"):
        builder.put("email", email(builder.graph.text_of(value)), under + "email")


def phone(written: str, country: str) -> str:
    return e164(written.removeprefix("tel:").removeprefix("callto:"), country) if written else ""


def email(written: str) -> str:
    bare = re.sub(r"(?i)^mailto:", "", written).partition("?")[0].strip().lower()
    return bare if len(bare) <= LONGEST_EMAIL and _EMAIL.fullmatch(bare) else ""


def number(value: Any) -> float | None:
    """Return a decimal number with point or comma, or None."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value.strip().replace(",", "."))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def one_line(fields: dict[str, Any]) -> str:
    """Return an address in one line, without its country."""
    town = " ".join(part for part in (fields.get("postal_code"), fields.get("locality")) if part)
    return ", ".join(part for part in (fields.get("address"), town) if part)


def _read_one(builder: DraftBuilder, value: Any, path: str, venue: bool) -> None:
    if not isinstance(value, dict):
        _read_words(builder, builder.graph.text_of(value), path, venue)
        return
    types = builder.graph.types(value)
    if VIRTUAL in types:
        builder.put("virtual_url", builder.graph.address(value, "url", "sameAs"), f"{path}.url")
        return
    if builder.fields.keys() & {"venue_name", "address", "locality"}:  # another place than the first
        return
    if "PostalAddress" not in types and venue and AREAS.isdisjoint(types):
        builder.take("venue_name", "name", of=value, under=f"{path}.")
    read_place(builder, value, f"{path}.")
    if "City" in types:
        builder.take("locality", "name", of=value, under=f"{path}.")


def _read_words(builder: DraftBuilder, words: str, path: str, venue: bool) -> None:
    """Read a place given as text: a venue, an address, or both."""
    if words.startswith(("http://", "https://")):
        builder.put("virtual_url", builder.graph.page.address(words), path)
    elif words and not _ONLINE.fullmatch(words) and not builder.fields.keys() & {"venue_name", "address", "locality"}:
        parts = _split(words, builder.country)
        if not venue:
            parts.pop("venue_name", None)
        elif not parts:
            parts = {"venue_name": words}
        for field, part in parts.items():
            builder.put(field, part, path)


def _read_address(builder: DraftBuilder, value: Any, path: str) -> None:
    if isinstance(value, dict):
        if not ADDRESS_PARTS.isdisjoint(value):
            _read_parts(builder, value, f"{path}.")
            return
        value = builder.graph.text_of(value)
    words = builder.graph.text_of(value)
    if words and "address" not in builder.fields:
        parts = _split(words, builder.country)
        parts.pop("venue_name", None)
        for field, part in (parts or {"address": words}).items():
            builder.put(field, part, path)


def _read_parts(builder: DraftBuilder, node: Node, under: str) -> None:
    if "address" in builder.fields or "locality" in builder.fields:  # the second of several addresses
        return
    graph = builder.graph
    builder.take("address", "streetAddress", of=node, under=under)
    builder.take("locality", "addressLocality", of=node, under=under)
    builder.take("region", "addressRegion", of=node, under=under)
    builder.take("postal_code", "postalCode", of=node, under=under)
    builder.put("country", country_code(graph.text(node, "addressCountry")), under + "addressCountry")


def _read_point(builder: DraftBuilder, place: Node, under: str) -> None:
    """Read both coordinates or none; 0,0 means an empty form."""
    for point, path in [*((each, f"{under}geo.") for each in builder.graph.nodes(place, "geo")), (place, under)]:
        latitude, longitude = (number(builder.graph.text(point, name)) for name in ("latitude", "longitude"))
        if latitude is None or longitude is None or not (latitude or longitude):
            continue
        if abs(latitude) <= HIGHEST_LATITUDE and abs(longitude) <= HIGHEST_LONGITUDE and "lat" not in builder.fields:
            builder.put("lat", latitude, path + "latitude")
            builder.put("lon", longitude, path + "longitude")


def _split(words: str, country: str) -> dict[str, str]:
    """Return the certain parts of an address given as text."""
    found = split_address(words, country)
    if found is None:
        return {}
    return ({"venue_name": found.venue} if found.venue else {}) | found.fields()

"""Where a thing is: postal addresses, coordinates, venues and places on the web, as schema.org has them."""

from __future__ import annotations

import math
import re
from typing import Any

from gleanery.extraction.structured.schema_types import AREAS
from gleanery.extraction.structured.sheet import Sheet
from gleanery.extraction.structured.things import Node
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


def read_location(sheet: Sheet, *names: str, of: Node | None = None, under: str = "", venue: bool = True) -> None:
    """Of several places the first real one counts; places on the web give their address."""
    for name in names:
        for value in sheet.things.values(sheet.node if of is None else of, name):
            _read_one(sheet, value, under + name, venue)


def read_place(sheet: Sheet, place: Node, under: str) -> None:
    """The address and coordinates that a node has itself."""
    if not ADDRESS_PARTS.isdisjoint(place):
        _read_parts(sheet, place, under)
    for value in sheet.things.values(place, "address"):
        _read_address(sheet, value, under + "address")
    _read_point(sheet, place, under)


def read_reach(sheet: Sheet, node: Node, under: str) -> None:
    """Phone and e-mail. The country of the address decides how a phone is read, so it must be known before."""
    for value in sheet.things.values(node, "telephone"):
        sheet.put("phone", phone(sheet.things.said(value), sheet.country), under + "telephone")
    for value in sheet.things.values(node, "email"):
        sheet.put("email", email(sheet.things.said(value)), under + "email")


def phone(written: str, country: str) -> str:
    return e164(written.removeprefix("tel:").removeprefix("callto:"), country) if written else ""


def email(written: str) -> str:
    bare = re.sub(r"(?i)^mailto:", "", written).partition("?")[0].strip().lower()
    return bare if len(bare) <= LONGEST_EMAIL and _EMAIL.fullmatch(bare) else ""


def number(value: Any) -> float | None:
    """A plain decimal number, with a point or a comma."""
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
    """An address as it stands on an envelope, its country left out."""
    town = " ".join(part for part in (fields.get("postal_code"), fields.get("locality")) if part)
    return ", ".join(part for part in (fields.get("address"), town) if part)


def _read_one(sheet: Sheet, value: Any, path: str, venue: bool) -> None:
    if not isinstance(value, dict):
        _read_words(sheet, sheet.things.said(value), path, venue)
        return
    types = sheet.things.types(value)
    if VIRTUAL in types:
        sheet.put("virtual_url", sheet.things.address(value, "url", "sameAs"), f"{path}.url")
        return
    if sheet.fields.keys() & {"venue_name", "address", "locality"}:  # another place than the first
        return
    if "PostalAddress" not in types and venue and AREAS.isdisjoint(types):
        sheet.take("venue_name", "name", of=value, under=f"{path}.")
    read_place(sheet, value, f"{path}.")
    if "City" in types:
        sheet.take("locality", "name", of=value, under=f"{path}.")


def _read_words(sheet: Sheet, words: str, path: str, venue: bool) -> None:
    """A place in one string: the name of a venue, an address, or both."""
    if words.startswith(("http://", "https://")):
        sheet.put("virtual_url", sheet.things.page.address(words), path)
    elif words and not _ONLINE.fullmatch(words) and not sheet.fields.keys() & {"venue_name", "address", "locality"}:
        parts = _split(words, sheet.country)
        if not venue:
            parts.pop("venue_name", None)
        elif not parts:
            parts = {"venue_name": words}
        for field, part in parts.items():
            sheet.put(field, part, path)


def _read_address(sheet: Sheet, value: Any, path: str) -> None:
    if isinstance(value, dict):
        if not ADDRESS_PARTS.isdisjoint(value):
            _read_parts(sheet, value, f"{path}.")
            return
        value = sheet.things.said(value)
    words = sheet.things.said(value)
    if words and "address" not in sheet.fields:
        parts = _split(words, sheet.country)
        parts.pop("venue_name", None)
        for field, part in (parts or {"address": words}).items():
            sheet.put(field, part, path)


def _read_parts(sheet: Sheet, node: Node, under: str) -> None:
    if "address" in sheet.fields or "locality" in sheet.fields:  # the second of several addresses
        return
    things = sheet.things
    sheet.take("address", "streetAddress", of=node, under=under)
    sheet.take("locality", "addressLocality", of=node, under=under)
    sheet.take("region", "addressRegion", of=node, under=under)
    sheet.take("postal_code", "postalCode", of=node, under=under)
    sheet.put("country", country_code(things.text(node, "addressCountry")), under + "addressCountry")


def _read_point(sheet: Sheet, place: Node, under: str) -> None:
    """Both coordinates or none; the point where equator and Greenwich meet is an empty form."""
    for point, path in [*((each, f"{under}geo.") for each in sheet.things.nodes(place, "geo")), (place, under)]:
        latitude, longitude = (number(sheet.things.text(point, name)) for name in ("latitude", "longitude"))
        if latitude is None or longitude is None or not (latitude or longitude):
            continue
        if abs(latitude) <= HIGHEST_LATITUDE and abs(longitude) <= HIGHEST_LONGITUDE and "lat" not in sheet.fields:
            sheet.put("lat", latitude, path + "latitude")
            sheet.put("lon", longitude, path + "longitude")


def _split(words: str, country: str) -> dict[str, str]:
    """Venue, street, postal code and town of an address in one string, as far as they are certain."""
    found = split_address(words, country)
    if found is None:
        return {}
    return ({"venue_name": found.venue} if found.venue else {}) | found.fields()

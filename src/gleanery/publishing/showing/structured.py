"""A record as JSON-LD of schema.org, so that search engines and programs read what people read."""

from __future__ import annotations

import json
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from gleanery.publishing.showing.addresses import path_of, safe_link
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.showing.reading import Published

# In a script element only these could end it or begin another.
_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
ATTENDANCE = {
    "mixed": "MixedEventAttendanceMode",
    "offline": "OfflineEventAttendanceMode",
    "online": "OnlineEventAttendanceMode",
}
STATUS = {"cancel": "EventCancelled", "postpone": "EventPostponed", "reschedul": "EventRescheduled"}


def structured(of: Published, root: str) -> dict[str, Any]:
    fields, record = of.fields, of.record
    told = {
        "@context": "https://schema.org",
        "@type": KIND_WORDS[record.kind].type_name,
        "@id": root + path_of(record.pk, record.name),
        "name": record.name,
        "description": fields.get("description"),
        "url": safe_link(fields.get("url")) or safe_link(fields.get("public_url")),
        "sameAs": [link for each in of.said if (link := safe_link(each.page))],
        **_of_kind(of, root),
    }
    return {name: value for name, value in told.items() if value not in (None, "", [], {})}


def in_a_page(document: dict[str, Any]) -> SafeString:
    """For a script element, whatever texts are in it."""
    return mark_safe(json.dumps(document, ensure_ascii=False).translate(_ESCAPED))  # noqa: S308  # escaped just now


def _of_kind(of: Published, root: str) -> dict[str, Any]:
    fields = of.fields
    if of.record.kind == "event":
        status = str(fields.get("event_status") or "").casefold()
        return {
            "startDate": fields.get("start"),
            "endDate": fields.get("end"),
            "location": _location(of, root),
            "eventAttendanceMode": _attendance(fields),
            "organizer": _organization(of, root),
            "isAccessibleForFree": fields.get("is_accessible_for_free"),
            "inLanguage": fields.get("in_language"),
            "eventStatus": next(
                (f"https://schema.org/{name}" for part, name in STATUS.items() if part in status), None
            ),
        }
    if of.record.kind == "funding":
        return {"funder": _organization(of, root), "amount": _amount(fields)}
    if of.record.kind == "service":
        return {"provider": _organization(of, root), "areaServed": fields.get("locality")}
    if of.record.kind == "place":
        return {"address": _address(fields), "geo": _geo(fields)}
    return {"address": _address(fields)} if of.record.kind == "organization" else {}


def _location(of: Published, root: str) -> Any:
    there = [each for each in (_place(of, root), _online(of)) if each]
    return there[0] if len(there) == 1 else there


def _place(of: Published, root: str) -> dict[str, Any] | None:
    name = of.place.name if of.place is not None else of.fields.get("venue_name")
    if not name:
        return None
    told = {"@type": "Place", "name": name, "address": _address(of.fields), "geo": _geo(of.fields)}
    told = {key: value for key, value in told.items() if value}
    return {**told, "url": root + path_of(of.place.pk, of.place.name)} if of.place is not None else told


def _online(of: Published) -> dict[str, Any] | None:
    link = safe_link(of.fields.get("virtual_url"))
    return {"@type": "VirtualLocation", "url": link} if link else None


def _attendance(fields: dict[str, Any]) -> str | None:
    mode = str(fields.get("attendance_mode") or "").casefold()
    return next((f"https://schema.org/{name}" for part, name in ATTENDANCE.items() if part in mode), None)


def _geo(fields: dict[str, Any]) -> dict[str, Any]:
    lat, lon = fields.get("lat"), fields.get("lon")
    is_known = lat is not None and lon is not None
    return {"@type": "GeoCoordinates", "latitude": lat, "longitude": lon} if is_known else {}


def _organization(of: Published, root: str) -> dict[str, Any] | None:
    if of.organization is not None:
        link = root + path_of(of.organization.pk, of.organization.name)
        return {"@type": "Organization", "name": of.organization.name, "url": link}
    names = (of.fields.get(f"{role}_name") for role in ("organizer", "funder", "provider"))
    return next(({"@type": "Organization", "name": name} for name in names if name), None)


def _address(fields: dict[str, Any]) -> dict[str, Any]:
    parts = {
        "streetAddress": fields.get("address"),
        "addressLocality": fields.get("locality"),
        "addressRegion": fields.get("region"),
        "postalCode": fields.get("postal_code"),
        "addressCountry": fields.get("country"),
    }
    there = {name: value for name, value in parts.items() if value}
    return {"@type": "PostalAddress", **there} if there else {}


def _amount(fields: dict[str, Any]) -> dict[str, Any]:
    parts = {
        "minValue": fields.get("amount_min"),
        "maxValue": fields.get("amount_max"),
        "currency": fields.get("currency"),
    }
    there = {name: value for name, value in parts.items() if value is not None}
    return {"@type": "MonetaryAmount", **there} if there.keys() - {"currency"} else {}

"""Open Graph extractor, a last resort: events and places with complete meta tags."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gleanery.extraction.draft import ContactDraft, Draft, Extracted
from gleanery.extraction.generated_ids import generated_id
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.nodes import LONGEST_NAME, LONGEST_TEXT, visible_text
from gleanery.extraction.structured.schema_places import (
    HIGHEST_LATITUDE,
    HIGHEST_LONGITUDE,
    email,
    number,
    one_line,
    phone,
)
from gleanery.extraction.values.countries import country_code, zone_of
from gleanery.extraction.values.iso import is_before, iso

FORM = "open-graph"
MOST_TAGS = 500
PREFIXES = ("og:", "event:", "business:", "place:", "events:")
KINDS = {"event": "event", "events.event": "event", "business.business": "place", "place": "place", "business": "place"}

# Our field and its tags, most specific first.
WORDS = (
    ("name", ("og:title",)),
    ("description", ("og:description",)),
    ("address", ("business:contact_data:street_address", "og:street-address", "og:street_address")),
    ("locality", ("business:contact_data:locality", "og:locality")),
    ("region", ("business:contact_data:region", "og:region")),
    ("postal_code", ("business:contact_data:postal_code", "og:postal-code", "og:postal_code")),
)
COUNTRY = ("business:contact_data:country_name", "og:country-name", "og:country_name")
PHONE = ("business:contact_data:phone_number", "og:phone_number", "og:phone-number")
EMAIL = ("business:contact_data:email", "og:email")
LATITUDE = ("place:location:latitude", "og:latitude")
LONGITUDE = ("place:location:longitude", "og:longitude")
START = ("event:start_time", "event:start_date", "og:start_time", "events:start_time")
END = ("event:end_time", "event:end_date", "og:end_time", "events:end_time")


def from_open_graph(page: HtmlPage) -> Extracted:
    if not page.is_html or "og:type" not in page.html:
        return Extracted()
    tags = _tags(page)
    kind = KINDS.get(tags.get("og:type", "").lower(), "")
    tag_fields = _TagFields(page, tags)
    if not kind or not tag_fields.is_enough(kind):
        return Extracted()
    fields = tag_fields.of_kind(kind)
    draft = Draft(
        kind=kind,
        external_id=generated_id(kind, fields.get("url") or page.source.url, fields["name"], fields.get("start", "")),
        fields=fields,
        evidence={field: tag_fields.evidence[field] for field in fields},
        extractor=FORM,
        original=tags,
    )
    return Extracted(drafts=(draft,), contacts=_contacts(fields))


class _TagFields:
    """Fields read from the tags, with the tag of each."""

    def __init__(self, page: HtmlPage, tags: dict[str, str]) -> None:
        self.tags = tags
        self.fields: dict[str, Any] = {}
        self.evidence: dict[str, str] = {}
        for field, names in WORDS:
            self._put(
                field, names, partial(visible_text, limit=LONGEST_TEXT if field == "description" else LONGEST_NAME)
            )
        self._put("url", ("og:url",), page.address)
        self._put("image_url", ("og:image", "og:image:url", "og:image:secure_url"), page.address)
        self._put("country", COUNTRY, country_code)
        country = self.fields.get("country") or page.source.country
        self._put("phone", PHONE, partial(phone, country=country))
        self._put("email", EMAIL, email)
        self._put("start", START, partial(iso, country=country, zone=zone_of(country)))
        self._put("end", END, partial(iso, country=country, zone=zone_of(country)))
        self._put_point()

    def is_enough(self, kind: str) -> bool:
        wanted = {"start"} if kind == "event" else {"address", "locality", "lat"}
        return "name" in self.fields and bool(wanted & self.fields.keys())

    def of_kind(self, kind: str) -> dict[str, Any]:
        foreign = {"phone", "email"} if kind == "event" else {"start", "end"}
        fields = {field: value for field, value in self.fields.items() if field not in foreign}
        if "end" in fields and is_before(fields["end"], fields.get("start", "")):
            del fields["end"]
        return fields

    def _put(self, field: str, names: tuple[str, ...], read: Callable[[str], str]) -> None:
        for name in names:
            if field not in self.fields and (value := read(self.tags.get(name, ""))):
                self.fields[field] = value
                self.evidence[field] = f"{FORM}: {name}"

    def _put_point(self) -> None:
        for names in zip(LATITUDE, LONGITUDE, strict=True):
            latitude, longitude = (number(self.tags.get(name, "")) for name in names)
            if "lat" in self.fields or latitude is None or longitude is None or not (latitude or longitude):
                continue
            if abs(latitude) <= HIGHEST_LATITUDE and abs(longitude) <= HIGHEST_LONGITUDE:
                self.fields |= {"lat": latitude, "lon": longitude}
                self.evidence |= {"lat": f"{FORM}: {names[0]}", "lon": f"{FORM}: {names[1]}"}


def _contacts(fields: dict[str, Any]) -> tuple[ContactDraft, ...]:
    reach = {name: fields[name] for name in ("email", "phone") if name in fields}
    if not reach:
        return ()
    return (
        ContactDraft(name=fields["name"], address=one_line(fields), evidence=f"{FORM}: business:contact_data", **reach),
    )


def _tags(page: HtmlPage) -> dict[str, str]:
    """Return the tags of the page; the first of repeated tags wins."""
    found: dict[str, str] = {}
    for meta in page.tree.css("meta[content]")[:MOST_TAGS]:
        attributes = meta.attributes
        name = (attributes.get("property") or attributes.get("name") or "").strip().lower()
        if name.startswith(PREFIXES) and (stated := (attributes["content"] or "").strip()):
            found.setdefault(name, stated)
    return found

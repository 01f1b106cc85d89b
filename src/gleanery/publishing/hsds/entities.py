"""Records as the entities of HSDS, with what belongs to them nested. Phones, contacts and e-mail are left out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from babel import Locale, UnknownLocaleError

from gleanery.publishing.hsds.hours import schedules
from gleanery.publishing.showing.addresses import path_of, safe_link
from gleanery.publishing.showing.reading import Published, public_fields
from gleanery.resolution.models import Record

Entity = dict[str, Any]
WHERE = ("address", "locality", "postal_code", "lat")


def service(of: Published, root: str) -> Entity:
    """A service with its organisation, languages, hours and location."""
    fields = of.fields
    return service_listed(of, root) | _filled(
        {
            "schedules": _with_ids(of.record.pk, "schedule", schedules(str(fields.get("opening_hours") or ""))),
            "languages": _languages(of.record.pk, str(fields.get("in_language") or "")),
            "service_at_locations": [at] if (at := service_at_location(of, root)) else [],
        }
    )


def service_listed(of: Published, root: str) -> Entity:
    """The same without what lists leave out."""
    fields, owner = of.fields, provider(of, root)
    free = "Free of charge" if fields.get("is_accessible_for_free") is True else ""
    return _filled(
        {
            "id": str(of.record.pk),
            "organization_id": owner["id"],
            "name": of.record.name,
            "description": fields.get("description"),
            "url": safe_link(fields.get("url")),
            "status": "active",
            "fees_description": fields.get("cost") or free,
            "eligibility_description": fields.get("eligibility"),
            "last_modified": of.record.updated_at.isoformat(),
            "organization": owner,
        }
    )


def provider(of: Published, root: str) -> Entity:
    """The organisation of a service. HSDS wants one: without a record of its own it has only its name."""
    if of.organization is not None:
        return organization_listed(of.organization, root)
    name = str(of.fields.get("provider_name") or of.fields.get("venue_name") or of.record.name)
    link = safe_link(of.fields.get("provider_url"))
    return _filled({"id": _part(of.record.pk, "organization"), "name": name, "description": name, "website": link})


def organization_listed(record: Record, root: str) -> Entity:
    fields = public_fields(record.fields)
    founded = str(fields.get("founding_date") or "")[:4]
    return _filled(
        {
            "id": str(record.pk),
            "name": record.name,
            "alternate_name": fields.get("legal_name"),
            "description": fields.get("description") or record.name,
            "website": safe_link(fields.get("url")),
            "logo": safe_link(fields.get("image_url")),
            "uri": root + path_of(record.pk, record.name),
            "year_incorporated": int(founded) if founded.isdecimal() else None,
        }
    )


def organization(record: Record, root: str) -> Entity:
    """An organisation with its identifier and its location."""
    fields = public_fields(record.fields)
    official = fields.get("official_id")
    identifier = {"id": _part(record.pk, "identifier"), "identifier_type": "official", "identifier": str(official)}
    return organization_listed(record, root) | _filled(
        {
            "organization_identifiers": [identifier] if official else [],
            "locations": [_location(_part(record.pk, "location"), record.name, fields)]
            if _is_somewhere(fields)
            else [],
        }
    )


def service_at_location(of: Published, root: str) -> Entity | None:
    """Where a service is: at the place that it names, else at its own address. Each service has one at most."""
    if of.place is not None:
        fields = public_fields(of.place.fields)
        location = _location(str(of.place.pk), of.place.name, fields) | _filled(
            {
                "url": root + path_of(of.place.pk, of.place.name),
                "description": fields.get("description"),
                "schedules": _with_ids(of.place.pk, "schedule", schedules(str(fields.get("opening_hours") or ""))),
            }
        )
    elif _is_somewhere(of.fields):
        name = str(of.fields.get("venue_name") or of.record.name)
        location = _location(_part(of.record.pk, "location"), name, of.fields)
    else:
        return None
    return {"id": str(of.record.pk), "location": location}


def _is_somewhere(fields: Mapping[str, Any]) -> bool:
    return any(name in fields for name in WHERE)


def _location(own_id: str, name: str, fields: Mapping[str, Any]) -> Entity:
    return _filled(
        {
            "id": own_id,
            "location_type": "physical",
            "name": name,
            "latitude": fields.get("lat"),
            "longitude": fields.get("lon"),
            "addresses": [_address(own_id, fields)] if "address" in fields or "locality" in fields else [],
        }
    )


def _address(location: str, fields: Mapping[str, Any]) -> Entity:
    """HSDS requires all of these; what no source says is empty."""
    names = {"address_1": "address", "city": "locality", "state_province": "region", "postal_code": "postal_code"}
    parts = {name: str(fields.get(ours) or "") for name, ours in names.items()}
    country = str(fields.get("country") or "")
    return {"id": _part(UUID(location), "address"), **parts, "country": country, "address_type": "physical"}


def _languages(record: UUID, text: str) -> list[Entity]:
    codes = [code for each in text.replace(";", ",").split(",") if (code := each.strip())]
    return [{"id": _part(record, f"language {code}"), **_filled(_language(code))} for code in dict.fromkeys(codes)]


def _language(given: str) -> Entity:
    """A code with its English name; what is no code is a name."""
    try:
        name = Locale.parse(given.replace("-", "_")).get_language_name("en")
    except (UnknownLocaleError, ValueError, TypeError):
        return {"name": given}
    return {"code": given, "name": name}


def _with_ids(record: UUID, part: str, entities: list[Entity]) -> list[Entity]:
    return [{"id": _part(record, f"{part} {number}"), **each} for number, each in enumerate(entities)]


def _part(record: UUID, part: str) -> str:
    """An id that stays the same from export to export."""
    return str(uuid5(record, part))


def _filled(entity: Entity) -> Entity:
    return {name: value for name, value in entity.items() if value not in (None, "", [], {})}

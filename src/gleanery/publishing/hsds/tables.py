"""The tables of HSDS, and the rows of them that an entity with all that is nested in it gives. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from gleanery.publishing.hsds.entities import Entity

_NUMBERS: Final = frozenset({"latitude", "longitude", "interval", "year_incorporated"})
REQUIRED: Final = {
    "organization": ("id", "name", "description"),
    "service": ("id", "organization_id", "name", "status"),
    "location": ("id", "location_type"),
    "service_at_location": ("id", "service_id", "location_id"),
    "organization_identifier": ("id", "organization_id", "identifier_type", "identifier"),
}


class Table(NamedTuple):
    name: str
    path: str
    columns: tuple[str, ...]

    def described(self) -> dict[str, Any]:
        """The table as a resource of a Data Package."""
        return {
            "name": self.name,
            "path": self.path,
            "profile": "tabular-data-resource",
            "format": "csv",
            "mediatype": "text/csv",
            "schema": {"primaryKey": "id", "fields": [_field(self.name, column) for column in self.columns]},
        }


TABLES: Final = (
    Table(
        "organization",
        "organizations.csv",
        ("id", "name", "alternate_name", "description", "website", "logo", "uri", "year_incorporated"),
    ),
    Table(
        "service",
        "services.csv",
        (
            *("id", "organization_id", "name", "description", "url", "status", "fees_description"),
            *("eligibility_description", "last_modified"),
        ),
    ),
    Table(
        "location",
        "locations.csv",
        ("id", "location_type", "url", "organization_id", "name", "description", "latitude", "longitude"),
    ),
    Table("service_at_location", "service_at_location.csv", ("id", "service_id", "location_id")),
    Table(
        "address",
        "addresses.csv",
        ("id", "location_id", "address_1", "city", "state_province", "postal_code", "country", "address_type"),
    ),
    Table(
        "schedule",
        "schedules.csv",
        ("id", "service_id", "location_id", "freq", "interval", "byday", "description", "opens_at", "closes_at"),
    ),
    Table("language", "languages.csv", ("id", "service_id", "name", "code")),
    Table(
        "organization_identifier",
        "organization_identifiers.csv",
        ("id", "organization_id", "identifier_type", "identifier"),
    ),
)
# The lists in which entities of a table are nested, and the tables of these.
NESTED: Final = {
    "service": (("schedules", "schedule"), ("languages", "language"), ("service_at_locations", "service_at_location")),
    "location": (("addresses", "address"), ("schedules", "schedule")),
    "organization": (("organization_identifiers", "organization_identifier"), ("locations", "location")),
}
SINGLE: Final = {"service": ("organization", "organization"), "service_at_location": ("location", "location")}


def rows_of(table: str, entity: Entity, **parent: str) -> Iterator[tuple[str, Entity]]:
    """Table and row of the entity and of all that is nested in it."""
    row = entity | parent
    if table in SINGLE and (single := entity.get(SINGLE[table][0])):
        name = SINGLE[table][1]
        row[f"{name}_id"] = single["id"]
        yield from rows_of(name, single)
    yield table, row
    for listed, name in NESTED.get(table, ()):
        for each in entity.get(listed, ()):
            yield from rows_of(name, each, **{f"{table}_id": entity["id"]})


def _field(table: str, column: str) -> dict[str, Any]:
    field: dict[str, Any] = {"name": column, "type": "number" if column in _NUMBERS else "string"}
    if column in REQUIRED.get(table, ("id",)):
        field["constraints"] = {"required": True}
    return field

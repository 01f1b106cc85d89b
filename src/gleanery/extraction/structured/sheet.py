"""What is written down of one thing while it is read: each field once, with the place where it stood."""

from __future__ import annotations

from typing import Any

from gleanery.extraction.structured.things import LONGEST_NAME, Node, Things
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso


class Sheet:
    """The first value of a field stays; empty ones are never written."""

    def __init__(self, things: Things, node: Node, where: str) -> None:
        self.things = things
        self.node = node
        self.where = where
        self.fields: dict[str, Any] = {}
        self.evidence: dict[str, str] = {}

    @property
    def country(self) -> str:
        return self.fields.get("country") or self.things.page.source.country.upper()

    def put(self, field: str, value: Any, where: str) -> None:
        if field not in self.fields and value not in (None, "", []):
            self.fields[field] = value
            self.evidence[field] = f"{self.where}.{where}"

    def take(self, field: str, *names: str, limit: int = LONGEST_NAME, of: Node | None = None, under: str = "") -> None:
        """The text of the first of the properties that says something."""
        node = self.node if of is None else of
        for name in names:
            if name in node and field not in self.fields:
                self.put(field, self.things.text(node, name, limit=limit), under + name)

    def take_date(
        self, field: str, *names: str, of: Node | None = None, under: str = "", day_only: bool = False
    ) -> None:
        node = self.node if of is None else of
        for name in names:
            if name in node and field not in self.fields:
                value = self.date(self.things.text(node, name))
                self.put(field, value[:10] if day_only else value, under + name)

    def date(self, written: str) -> str:
        """A time without an offset is meant in the country where the thing is, if that has one clock."""
        country = self.country
        return iso(written, country=country, zone=zone_of(country)) if written else ""

"""Builder of one draft: collects fields and where each was found."""

from __future__ import annotations

from typing import Any

from gleanery.extraction.structured.nodes import LONGEST_NAME, Node, NodeGraph
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso


class DraftBuilder:
    """Collects fields of one node. The first value of a field wins; empty values are ignored."""

    def __init__(self, graph: NodeGraph, node: Node, where: str) -> None:
        self.graph = graph
        self.node = node
        self.where = where
        self.fields: dict[str, Any] = {}
        self.evidence: dict[str, str] = {}

    @property
    def country(self) -> str:
        return self.fields.get("country") or self.graph.page.source.country.upper()

    def put(self, field: str, value: Any, where: str) -> None:
        if field not in self.fields and value not in (None, "", []):
            self.fields[field] = value
            self.evidence[field] = f"{self.where}.{where}"

    def take(self, field: str, *names: str, limit: int = LONGEST_NAME, of: Node | None = None, under: str = "") -> None:
        """Put the text of the first property that has any."""
        node = self.node if of is None else of
        for name in names:
            if name in node and field not in self.fields:
                self.put(field, self.graph.text(node, name, limit=limit), under + name)

    def take_date(
        self, field: str, *names: str, of: Node | None = None, under: str = "", day_only: bool = False
    ) -> None:
        node = self.node if of is None else of
        for name in names:
            if name in node and field not in self.fields:
                value = self.date(self.graph.text(node, name))
                self.put(field, value[:10] if day_only else value, under + name)

    def date(self, written: str) -> str:
        """Parse a date. A time without an offset gets the zone of the country, if it has only one."""
        country = self.country
        return iso(written, country=country, zone=zone_of(country)) if written else ""

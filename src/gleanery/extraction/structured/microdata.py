"""Microdata: elements with itemscope and itemprop, and what itemref brings in from elsewhere on the page."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborNode

from gleanery.extraction.draft import Extracted
from gleanery.extraction.structured.marked import MOST_MARKED, Owners, marked_value
from gleanery.extraction.structured.page import Page
from gleanery.extraction.structured.schema_org import extracted_from
from gleanery.extraction.structured.schema_types import type_name
from gleanery.extraction.structured.things import Node, Things

FORM = "microdata"
MOST_REFERENCES = 50  # of one item
MOST_ITEMREFS = 500  # of a page


def from_microdata(page: Page) -> Extracted:
    if not page.is_html or "itemscope" not in page.html.lower():
        return Extracted()
    return extracted_from(Things(page, _Reading(page).roots()), FORM)


class _Reading:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.marked = page.tree.css("[itemscope], [itemprop]")[:MOST_MARKED]
        self.attributes = {node.mem_id: node.attributes for node in self.marked}
        self.items = {node.mem_id: self._item(node) for node in self.marked if self._is_item(node)}
        self.owners = Owners(set(self.items))

    def roots(self) -> list[Node]:
        """Items that are no property of another; a property outside of any item is only for itemref."""
        roots = []
        for node in self.marked:
            names = self._names(node)
            if names and (owner := self.owners.of(node)):
                self._add(self.items[owner], node, names)
            elif not names and self._is_item(node):
                roots.append(self.items[node.mem_id])
        self._follow_references()
        return roots

    def _follow_references(self) -> None:
        left = MOST_ITEMREFS
        for node in self.marked:
            wanted = (self.attributes[node.mem_id].get("itemref") or "").split()[:MOST_REFERENCES]
            for name in wanted if self._is_item(node) else ():
                if left and name.replace("-", "").replace("_", "").isalnum():
                    left -= 1
                    self._bring(node.mem_id, name)

    def _bring(self, item: int, name: str) -> None:
        """What stands in the element of that id and belongs to no item within it."""
        target = self.page.tree.css_first(f'[id="{name}"]')
        if target is None:
            return
        inside = [node for node in (target, *target.css("[itemprop]")) if node.mem_id in self.attributes]
        within = {node.mem_id for node in inside}
        for node in inside:
            if node.mem_id != item and (names := self._names(node)) and self.owners.of(node) not in within:
                self._add(self.items[item], node, names)

    def _add(self, item: Node, node: LexborNode, names: list[str]) -> None:
        for name in names:
            value: Any = self.items.get(node.mem_id)
            if value is None:
                value = marked_value(self.page, node, self.attributes[node.mem_id], name)
            item.setdefault(name, []).append(value)

    def _item(self, node: LexborNode) -> Node:
        attributes = self.attributes[node.mem_id]
        item: Node = {
            "@type": [name for each in (attributes.get("itemtype") or "").split() if (name := type_name(each))]
        }
        if attributes.get("itemid"):
            item["@id"] = attributes["itemid"]
        return item

    def _is_item(self, node: LexborNode) -> bool:
        return "itemscope" in self.attributes[node.mem_id]

    def _names(self, node: LexborNode) -> list[str]:
        written = (self.attributes[node.mem_id].get("itemprop") or "").split()
        return [name for each in written if (name := type_name(each))]

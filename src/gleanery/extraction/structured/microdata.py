"""Microdata extractor: itemscope, itemprop and itemref."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborNode

from gleanery.extraction.draft import Extracted
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.marked_elements import MOST_MARKED, Owners, marked_value
from gleanery.extraction.structured.nodes import Node, NodeGraph
from gleanery.extraction.structured.schema_org import extracted_from
from gleanery.extraction.structured.schema_types import type_name

FORM = "microdata"
MOST_REFERENCES = 50  # per item
MOST_ITEMREFS = 500  # per page


def from_microdata(page: HtmlPage) -> Extracted:
    if not page.is_html or "itemscope" not in page.html.lower():
        return Extracted()
    return extracted_from(NodeGraph(page, _MicrodataReader(page).roots()), FORM)


class _MicrodataReader:
    def __init__(self, page: HtmlPage) -> None:
        self.page = page
        self.marked = page.tree.css("[itemscope], [itemprop]")[:MOST_MARKED]
        self.attributes = {node.mem_id: node.attributes for node in self.marked}
        self.items = {node.mem_id: self._item(node) for node in self.marked if self._is_item(node)}
        self.owners = Owners(set(self.items))

    def roots(self) -> list[Node]:
        """Return items that are not a property of another item."""
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
        """Add the properties in the element with this id that belong to no item inside it."""
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

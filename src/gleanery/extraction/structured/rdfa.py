"""RDFa extractor: vocab, typeof, property, resource and prefixes, with the older about and rel."""

from __future__ import annotations

import re
from typing import Any

from selectolax.lexbor import LexborNode

from gleanery.extraction.draft import Extracted
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.marked_elements import DEEPEST, MOST_MARKED, Owners, marked_value
from gleanery.extraction.structured.nodes import Node, NodeGraph
from gleanery.extraction.structured.schema_org import extracted_from

FORM = "rdfa"
_PREFIXES = re.compile(r"([\w-]{1,40}):\s+(\S{1,200})")
_SCHEMA = re.compile(r"https?://(?:www\.)?schema\.org/+#?")


def from_rdfa(page: HtmlPage) -> Extracted:
    if not page.is_html or "typeof" not in page.html.lower():
        return Extracted()
    return extracted_from(NodeGraph(page, _RdfaReader(page).roots()), FORM)


class _RdfaReader:
    def __init__(self, page: HtmlPage) -> None:
        self.page = page
        tree = page.tree
        self.marked = tree.css("[typeof], [property], [rel], [about]")[:MOST_MARKED]
        self.attributes = {node.mem_id: node.attributes for node in self.marked}
        self.prefixes = {"schema"} | {
            name
            for node in tree.css("[prefix]")[:100]
            for name, iri in _PREFIXES.findall((node.attributes.get("prefix") or "")[:2_000])
            if _SCHEMA.fullmatch(iri)
        }
        vocabularies = {node.mem_id: node.attributes.get("vocab") or "" for node in tree.css("[vocab]")[:1_000]}
        self.vocabularies = {
            key for key, value in vocabularies.items() if _SCHEMA.fullmatch(value.strip().rstrip("/") + "/")
        }
        self.vocabulary = Owners(set(vocabularies))
        self.scopes = {node.mem_id for node in self.marked if {"typeof", "about"} & self.attributes[node.mem_id].keys()}
        self.items = {node.mem_id: self._item(node) for node in self.marked if node.mem_id in self.scopes}
        self.owners = Owners(self.scopes)

    def roots(self) -> list[Node]:
        """Return typed elements that are not a property value of another."""
        roots = []
        for node in self.marked:
            owner = self.owners.of(node)
            names = self._terms(node, self.attributes[node.mem_id].get("property"))
            if node.mem_id in self.items:
                names = names or self._chained(node, owner)
                if not names or not owner:
                    roots.append(self.items[node.mem_id])
                    continue
            if owner:
                self._add(self.items[owner], node, names)
        return roots

    def _add(self, item: Node, node: LexborNode, names: list[str]) -> None:
        for name in names:
            value: Any = self.items.get(node.mem_id)
            if value is None:
                attributes = self.attributes[node.mem_id]
                resource = attributes.get("resource")
                value = {"@id": resource} if resource and attributes.get("content") is None else None
                value = value or marked_value(self.page, node, attributes, name)
            item.setdefault(name, []).append(value)

    def _chained(self, node: LexborNode, owner: int) -> list[str]:
        """Return the properties that a rel on the element, or between it and its owner, gives."""
        each: LexborNode | None = node
        for _ in range(DEEPEST):
            if each is None or (each.mem_id == owner and each is not node):
                break
            if value := self.attributes.get(each.mem_id, {}).get("rel"):
                return self._terms(each, value)
            each = each.parent
        return []

    def _item(self, node: LexborNode) -> Node:
        """Build the node of an element. An `about` or `resource` address also becomes its page."""
        attributes = self.attributes[node.mem_id]
        item: Node = {"@type": self._terms(node, attributes.get("typeof"))}
        value = (attributes.get("about") or attributes.get("resource") or "").strip()
        if value:
            item["@id"] = value
            if "#" not in value and (address := self.page.address(value)):
                item["mainEntityOfPage"] = [address]
        return item

    def _terms(self, node: LexborNode, written: str | None) -> list[str]:
        """Return the terms of schema.org, by prefix, vocabulary or full address."""
        found = []
        for term in (written or "").split()[:20]:
            prefix, colon, rest = term.partition(":")
            if not colon:
                if self._speaks_schema_org(node):
                    found.append(term)
            elif prefix in self.prefixes:
                found.append(rest)
            elif whole := _SCHEMA.match(term):
                found.append(term[whole.end() :])
        return found

    def _speaks_schema_org(self, node: LexborNode) -> bool:
        if not self.vocabularies:
            return False
        own = node.attributes.get("vocab")
        if own is not None:
            return node.mem_id in self.vocabularies
        return self.vocabulary.of(node) in self.vocabularies

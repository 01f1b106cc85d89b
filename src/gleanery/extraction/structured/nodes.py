"""Graph of typed nodes from any structured format, with references resolved, and access to their values."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any

from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.schema_types import type_name
from gleanery.text import clean_text

Node = dict[str, Any]

MOST_NODES = 20_000
MOST_VALUES = 1_000  # per property
MOST_COPIED = 2_000  # values of one node kept as original data
DEEPEST_COPIED = 10
LONGEST_NAME = 500
LONGEST_TEXT = 5_000

# Placeholders that templates leave behind.
_EMPTY = re.compile(r"undefined|null|none|nan|n/?a|false|true|array|object|invalid date|tba|tbd|[\W_]*", re.IGNORECASE)
_TEMPLATE = re.compile(r"\[object \w+\]|\{\{|\}\}|\{%|<\?php|<%|\$\{|%%\w+%%|^lorem ipsum", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,2000}>")


class NodeGraph:
    """Nodes of one format on one page. A reference by id is resolved to the node with that id."""

    def __init__(self, page: HtmlPage, roots: Iterable[Node]) -> None:
        self.page = page
        self.roots = list(roots)
        self._named: dict[str, Node] = {}
        self._doubtful: set[str] = set()
        self._seen = 0
        self._index()

    def resolved(self, node: Node) -> Node:
        name = self.identity(node)
        return self._named.get(name, node) if name and name not in self._doubtful else node

    def identity(self, node: Node) -> str:
        """Return the absolute id of the node, or "" if it has none."""
        given = node.get("@id")
        if not isinstance(given, str) or not given.strip():
            return ""
        return self.page.identity(given[:LONGEST_TEXT])

    def own_id(self, node: Node) -> str:
        """Return an id that is stable between visits, or "". Blank node ids change."""
        name = self.identity(node)
        return "" if name.startswith("_:") or name in self._doubtful or _is_placeholder(name) else name

    def values(self, node: Node, *names: str) -> Iterator[Any]:
        """Yield the values of the first property that has any, with nodes resolved."""
        for name in names:
            if (given := node.get(name)) is None:
                continue
            found = False
            for value in _flat(given):
                found = True
                yield self.resolved(value) if isinstance(value, dict) else value
            if found:
                return

    def nodes(self, node: Node, *names: str) -> Iterator[Node]:
        return (value for value in self.values(node, *names) if isinstance(value, dict))

    def text(self, node: Node, *names: str, limit: int = LONGEST_NAME) -> str:
        """Return the first text value; for a node its name."""
        for name in names:
            given = node.get(name)
            if given is None:
                continue
            if isinstance(given, str):  # nearly always
                if stated := visible_text(given, limit):
                    return stated
                continue
            for value in self._in_language(self.values(node, name)):
                if stated := self.text_of(value, limit):
                    return stated
        return ""

    def text_of(self, value: Any, limit: int = LONGEST_NAME) -> str:
        if isinstance(value, dict):
            value = next(
                (part for key in ("@value", "name", "legalName", "text", "value") for part in _flat(value.get(key))),
                None,
            )
        if isinstance(value, str):
            return visible_text(value, limit)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)[:limit]
        return ""

    def address(self, node: Node, *names: str) -> str:
        """Return a web address, given as text or as a node with one."""
        for name in names:
            for value in self.values(node, name):
                written = value
                if isinstance(value, dict):
                    keys = ("@value", "url", "contentUrl", "thumbnailUrl", "@id")
                    written = next(
                        (part for key in keys for part in _flat(value.get(key)) if isinstance(part, str)), ""
                    )
                if isinstance(written, str) and (whole := self.page.address(visible_text(written, LONGEST_TEXT))):
                    return whole
        return ""

    def types(self, node: Node) -> list[str]:
        return [name for each in _flat(node.get("@type")) if isinstance(each, str) and (name := type_name(each))]

    def _in_language(self, values: Iterator[Any]) -> list[Any]:
        """Return the values with those in the language of the page first."""
        listed = list(values)
        if len(listed) > 1 and any(isinstance(value, dict) and "@language" in value for value in listed):
            wanted = self.page.source.language[:2].lower()
            listed.sort(
                key=lambda value: not (isinstance(value, dict) and str(value.get("@language"))[:2].lower() == wanted)
            )
        return listed

    def _index(self) -> None:
        waiting: list[Any] = list(reversed(self.roots))
        known: set[int] = set()
        while waiting and self._seen < MOST_NODES:
            value = waiting.pop()
            if id(value) in known:
                continue
            self._seen += 1
            if isinstance(value, dict):
                known.add(id(value))
                self._note(value)
                waiting.extend(part for part in reversed(value.values()) if isinstance(part, dict | list))
            elif isinstance(value, list):
                known.add(id(value))
                waiting.extend(part for part in reversed(value) if isinstance(part, dict | list))

    def _note(self, node: Node) -> None:
        """Index a node. Nodes with one id are merged, unless they contradict each other; then the id is ignored."""
        name = self.identity(node) if len(node) > 1 else ""
        if not name or name in self._doubtful:
            return
        other = self._named.setdefault(name, node)
        if other is node:
            return
        if any(key in other and key in node and other[key] != node[key] for key in ("name", "startDate")):
            self._doubtful.add(name)
            return
        self._named[name] = {**node, **other, "@type": [*_flat(other.get("@type")), *_flat(node.get("@type"))]}


def bounded_copy(node: Node) -> Any:
    """Return a copy limited in size and depth, so that circular references end."""
    left = [MOST_COPIED]

    def copy(value: Any, depth: int) -> Any:
        left[0] -= 1
        if left[0] < 0 or depth > DEEPEST_COPIED:
            return None
        if isinstance(value, dict):
            return {key: copy(each, depth + 1) for key, each in value.items() if left[0] > 0}
        if isinstance(value, list):
            return [copy(each, depth + 1) for each in value if left[0] > 0]
        return value

    return copy(node, 0)


def visible_text(value: str, limit: int) -> str:
    """Return the text without tags and entities, or "" for a placeholder of a template."""
    text = value[: LONGEST_TEXT * 4]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text and not text.startswith("<?"):
        bare = _TAG.sub(" ", text)
        text = html.unescape(bare) if bare != text and "&" in bare else bare
    text = clean_text(text, limit=limit)
    return "" if _is_placeholder(text) else text


def _is_placeholder(text: str) -> bool:
    return _EMPTY.fullmatch(text[:LONGEST_NAME]) is not None or _TEMPLATE.search(text[:LONGEST_NAME]) is not None


def _flat(value: Any) -> Iterator[Any]:
    """Yield the values of a single value, a list, @list or @set, without empty ones."""
    if isinstance(value, str):
        if value:
            yield value
        return
    waiting = [value]
    given = 0
    while waiting and given < MOST_VALUES:
        each = waiting.pop(0)
        given += 1
        if isinstance(each, list):
            waiting[:0] = each[:MOST_VALUES]
        elif isinstance(each, dict) and ("@list" in each or "@set" in each):
            waiting.insert(0, each.get("@list", each.get("@set")))
        elif each is not None and each != "":
            yield each

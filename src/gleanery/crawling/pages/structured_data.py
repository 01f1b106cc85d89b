"""Structured data of a page: its schema.org types, and its properties in a canonical form for hashing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.text import Json

MOST_TYPES = 50
LONGEST_VALUE = 4_000  # of a text property; nested ones would repeat the page many times

# Properties that change with every visit or edit but say nothing about the thing itself.
VOLATILE = frozenset({"dateModified", "interactionStatistic", "interactionCount", "userInteractionCount"})
# Wrappers that old editors put around scripts, to hide them from old browsers.
WRAPPINGS = (("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>"), ("<!--", "-->"))
# Vocabularies about sharing the page, not about the thing on it; they also hold modification times.
SHARING = ("og:", "fb:", "article:", "twitter:", "al:", "product:")

_JSON = json.JSONDecoder(strict=False)  # many sites have line breaks within strings
_TYPE = re.compile(r"(?:https?://schema\.org/|schema:)?([A-Z][A-Za-z0-9]{1,59})/?")


@dataclass(slots=True)
class Facts:
    """Types and hashed `lines`: equal data gives equal lines, however it is written."""

    types: dict[str, None] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def add_type(self, name: object) -> None:
        if isinstance(name, str) and len(self.types) < MOST_TYPES and (found := _TYPE.fullmatch(name.strip())):
            self.types[found[1]] = None


def facts_of(tree: LexborHTMLParser) -> Facts:
    facts = Facts()
    for script in tree.tags("script"):
        kind = script.attributes.get("type")
        if kind and "ld+json" in kind.lower():
            _read_json_ld(script.text(), facts)
    for node in tree.css("[itemscope], [itemprop], [typeof], [property]"):
        _read_marked(node, facts)
    return facts


def _read_json_ld(text: str, facts: Facts) -> None:
    """Read JSON-LD; text that is invalid or nested too deeply is hashed as it is."""
    try:
        value = _parsed(text)
        _strip_and_collect(value, facts)
        facts.lines.append(json.dumps(value, sort_keys=True, separators=(",", ":")))
    except (ValueError, RecursionError):
        facts.lines.append(" ".join(text.split()))


def _parsed(text: str) -> Json:
    try:
        value: Json = _JSON.decode(text)
    except ValueError:
        value = _JSON.decode(_unwrapped(text))
    return value


def _unwrapped(text: str) -> str:
    text = text.strip()
    for opening, closing in WRAPPINGS:
        text = text.removeprefix(opening).removesuffix(closing).strip().rstrip(";")
    return text


def _strip_and_collect(value: Json, facts: Facts) -> None:
    """Remove volatile properties and collect types, outer objects first, without recursion."""
    waiting: list[Json] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            for name in VOLATILE & each.keys():
                del each[name]
            named = each.get("@type")
            for kind in named if isinstance(named, list) else (named,):
                facts.add_type(kind)
            waiting.extend(part for part in reversed(each.values()) if isinstance(part, dict | list))
        elif isinstance(each, list):
            waiting.extend(part for part in reversed(each) if isinstance(part, dict | list))


def _read_marked(node: LexborNode, facts: Facts) -> None:
    """Read one element of microdata or RDFa: its types and its property with the value."""
    attributes = node.attributes
    kinds = attributes.get("itemtype") or attributes.get("typeof") or ""
    for kind in kinds.split():
        facts.add_type(kind)
    name = attributes.get("itemprop") or attributes.get("property") or ""
    if name in VOLATILE or name.startswith(SHARING) or not (name or kinds):
        return
    facts.lines.append("\t".join((kinds, name, _value(node, attributes))))


def _value(node: LexborNode, attributes: dict[str, str | None]) -> str:
    """Return the value of a property; addresses count only on <link>, elsewhere they may carry tokens."""
    for attribute in ("content", "datetime", "value", "resource"):
        if attributes.get(attribute) is not None:
            return attributes[attribute] or ""
    if node.tag == "link":
        return attributes.get("href") or ""
    is_item = "itemscope" in attributes or "typeof" in attributes
    return "" if is_item else " ".join(node.text()[:LONGEST_VALUE].split())

"""What a page says to machines: the schema.org types it carries, and all its facts in one canonical spelling."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.text import Json

MOST_TYPES = 50
LONGEST_VALUE = 4_000  # of a property that is plain text: nested ones would repeat the page many times

# These change with every visit, or with every touch of an editor, and change nothing about the thing itself.
VOLATILE = frozenset({"dateModified", "interactionStatistic", "interactionCount", "userInteractionCount"})
# What old editors put around a script, so that browsers of the last century would not show it.
WRAPPINGS = (("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>"), ("<!--", "-->"))
# Vocabularies for sharing a page, not for the thing on it; they carry times of modification too.
SHARING = ("og:", "fb:", "article:", "twitter:", "al:", "product:")

_JSON = json.JSONDecoder(strict=False)  # many sites leave line breaks within their strings
_TYPE = re.compile(r"(?:https?://schema\.org/|schema:)?([A-Z][A-Za-z0-9]{1,59})/?")


@dataclass(slots=True)
class Facts:
    """`lines` is what the content hash covers: equal facts give equal lines, however they are written down."""

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
    """Nesting that no honest page has overflows Python's own parser: such text counts as it stands."""
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
    """Walks without recursion, outer things before the things within them."""
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
    """Microdata and RDFa: the types, and each property with the value it has for machines."""
    attributes = node.attributes
    kinds = attributes.get("itemtype") or attributes.get("typeof") or ""
    for kind in kinds.split():
        facts.add_type(kind)
    name = attributes.get("itemprop") or attributes.get("property") or ""
    if name in VOLATILE or name.startswith(SHARING) or not (name or kinds):
        return
    facts.lines.append("\t".join((kinds, name, _value(node, attributes))))


def _value(node: LexborNode, attributes: dict[str, str | None]) -> str:
    """Addresses count only where they are the value itself (link); elsewhere they may carry tokens."""
    for attribute in ("content", "datetime", "value", "resource"):
        if attributes.get(attribute) is not None:
            return attributes[attribute] or ""
    if node.tag == "link":
        return attributes.get("href") or ""
    is_item = "itemscope" in attributes or "typeof" in attributes
    return "" if is_item else " ".join(node.text()[:LONGEST_VALUE].split())

"""Tolerant XML reader for feeds: items with their values, up to the first error. Pure; never raises."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

LONGEST_VALUE = 40_000
MOST_ITEMS = 5_000
MOST_VALUES = 500  # per item
DEEPEST = 100

# Prefixes that we use for known namespaces.
MODULES = {
    "http://purl.org/rss/1.0/modules/event/": "ev",
    "urn:ietf:params:xml:ns:xcal": "xcal",
    "http://www.w3.org/2003/01/geo/wgs84_pos#": "geo",
    "http://www.georss.org/georss": "georss",
    "http://search.yahoo.com/mrss/": "media",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://schemas.google.com/g/2005": "gd",
    "http://www.w3.org/2005/atom": "",
    "http://purl.org/rss/1.0/": "",
}
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LOOSE_AMPERSAND = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});)([A-Za-z][A-Za-z0-9]{1,30};)?"
)


@dataclass(slots=True)
class Item:
    """One element: texts by element name, and attributes as `name@attribute`."""

    values: dict[str, list[str]] = field(default_factory=dict)
    count: int = 0

    @property
    def given(self) -> dict[str, Any]:
        return {name: several[0] if len(several) == 1 else several for name, several in self.values.items()}

    def all(self, *names: str) -> Iterator[str]:
        for name in names:
            yield from (value for value in self.values.get(name, ()) if value.strip())

    def first(self, *names: str) -> str:
        """Return the first text of the first name that has any."""
        return next(self.all(*names), "").strip()

    def put(self, name: str, value: str) -> None:
        if self.count < MOST_VALUES:
            self.count += 1
            self.values.setdefault(name, []).append(value[:LONGEST_VALUE])


@dataclass(slots=True)
class Document:
    """A parsed feed. `root` is the outermost element, `head` holds values outside items."""

    root: str = ""
    head: Item = field(default_factory=Item)
    items: list[Item] = field(default_factory=list)
    problem: str = ""


def read_xml(text: str, *kinds: str) -> Document:
    """Return elements of these kinds as items. Broken XML is repaired if that gives more items."""
    text = _CONTROLS.sub("", text.lstrip("\ufeff \t\r\n"))
    found = _read(text, kinds)
    if found.problem and (again := _read(_repaired(text), kinds)) and len(again.items) > len(found.items):
        return again
    return found


def _read(text: str, kinds: tuple[str, ...]) -> Document:
    reader = _Reader(frozenset(kinds))
    try:
        reader.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as problem:
        reader.found.problem = f"The XML is invalid in line {problem.lineno}. Everything before it was kept."
    except _Stop as stop:
        reader.found.problem = str(stop)
    return reader.found


def _repaired(text: str) -> str:
    """Replace HTML entities and escape plain ampersands."""

    def mend(match: re.Match[str]) -> str:
        known = html.unescape(match[0]) if match[1] else match[0]
        return known if known != match[0] else f"&amp;{match[0][1:]}"

    return _LOOSE_AMPERSAND.sub(mend, text)


class _Stop(Exception):
    """Raised to end reading with a reason; items found so far are kept."""


class _Reader:
    """Collects items from parser events."""

    def __init__(self, kinds: frozenset[str]) -> None:
        self.found = Document()
        self._kinds = kinds
        self._item: Item | None = None
        self._open: list[tuple[str, list[str]]] = []
        self._modules: dict[str, str] = {}
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._say

    def _refuse(self, *_: object) -> None:
        """Stop at entity declarations, which can expand without limit or read files."""
        raise _Stop("The XML declares its own entities, which is not allowed. It was not read.")

    def _start(self, written: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= DEEPEST:
            raise _Stop("The XML is nested too deeply. Everything before that was kept.")
        for name, value in attributes.items():
            if name.startswith("xmlns:") and (module := MODULES.get(value.strip().lower())) is not None:
                self._modules[name[6:].lower()] = module
        name = self._named(written)
        self.found.root = self.found.root or name
        if self._item is None and name in self._kinds:
            if len(self.found.items) >= MOST_ITEMS:
                raise _Stop(f"The feed has more than {MOST_ITEMS:,} items. The first {MOST_ITEMS:,} were kept.")
            self._item = Item()
            self._open.append((name, []))
            return
        self._open.append((name, []))
        self._note(name, attributes)

    def _note(self, name: str, attributes: dict[str, str]) -> None:
        place = self.found.head if self._item is None else self._item
        relation = attributes.get("rel", "alternate").lower()
        for key, value in attributes.items():
            if name == "link" and key == "href":
                place.put("link" if relation == "alternate" else f"link {relation}", value)
            elif not key.startswith("xml"):
                place.put(f"{name}@{key.lower()}", value)

    def _say(self, text: str) -> None:
        if self._open:
            self._open[-1][1].append(text)

    def _end(self, _: str) -> None:
        name, pieces = self._open.pop()
        if self._item is not None and name in self._kinds and not any(each in self._kinds for each, _ in self._open):
            self.found.items.append(self._item)
            self._item = None
            return
        text = "".join(pieces)[:LONGEST_VALUE]
        place = self.found.head if self._item is None else self._item
        if text.strip():
            place.put(name, text)
            if self._item is not None and self._open:
                self._open[-1][1].append(f" {text}")

    def _named(self, written: str) -> str:
        prefix, _, local = written.lower().rpartition(":")
        module = self._modules.get(prefix, prefix)
        return f"{module}:{local}" if module else local

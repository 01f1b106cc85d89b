"""Collects the inline text of a block: lines, bold beginnings, links."""

from __future__ import annotations

import re
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from gleanery.extraction.plain.layout.frames import DROPPED, is_hidden
from gleanery.text import clean_text

STRONG = frozenset({"b", "strong", "u", "th", "big", "em", "i"})
LONGEST_LINK = 2_000
LONGEST_TEXT = 20_000
LONGEST_STRUCK = 1_000
STRIKE_TAGS = frozenset({"s", "del", "strike"})

# Markers inside collected text; removed from the text of pages.
BOLD, PLAIN = "\x01", "\x02"
_SPACE = re.compile(r"\s+")
_LABEL = re.compile(
    rf"(?<=[\w.,;)!?“”»€]) ?{BOLD}[^{BOLD}{PLAIN}\n]{{2,60}}(?::\s?{PLAIN}|{PLAIN}\s?:)"
)  # a bold label within a line starts a new line
_IN_BOLD = re.compile(rf"{BOLD}[^{PLAIN}]*(?:{PLAIN}|$)")
_NUMBERED = re.compile(r"\(?(?:\d{1,3}|[ivx]{1,5}|[a-zа-я])[.)]", re.IGNORECASE)


class Link(NamedTuple):
    text: str
    href: str


class InlineText(NamedTuple):
    lines: tuple[str, ...]
    strong: tuple[str, ...]  # the bold beginning of each line, "" where there is none
    links: tuple[Link, ...]
    all_bold: bool
    struck: str = ""  # struck-through text, alone or before its replacement


NOTHING = InlineText((), (), (), False)


class InlineCollector:
    """Takes the nodes of a block in order. `done` returns the text and starts again."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._open: list[tuple[str, int]] = []
        self._spans: list[bool] = []
        self._links: list[Link] = []
        self._struck: list[str] = []

    def strike(self, node: LexborNode) -> None:
        self._struck.append(_clean(node.text()[:LONGEST_STRUCK]))

    def text(self, text: str, *, verbatim: bool = False) -> None:
        if not self._pieces and not verbatim and text.isspace():
            return
        if BOLD in text or PLAIN in text:
            text = text.replace(BOLD, "").replace(PLAIN, "")
        self._pieces.append(text if verbatim else _SPACE.sub(" ", text))

    def enter(self, node: LexborNode, tag: str) -> None:
        if tag == "br":
            self._pieces.append("\n")
        elif tag in STRONG:
            self._pieces.append(BOLD)
        elif tag == "span":
            self._spans.append(_labels_next(node))
            self._pieces.append(BOLD if self._spans[-1] else "")
        elif tag == "a":
            self._open.append((node.attributes.get("href") or "", len(self._pieces)))
        elif tag == "img" and (node.attributes.get("alt") or "").strip() in ("@", "at", "(at)"):
            self._pieces.append("@")

    def leave(self, tag: str) -> None:
        if tag in STRONG:
            self._pieces.append(PLAIN)
        elif tag == "span" and self._spans:
            self._pieces.append(f"{PLAIN} " if self._spans.pop() else "")
        elif tag == "a" and self._open:
            href, place = self._open.pop()
            self._links.append(Link(_clean("".join(self._pieces[place:])), href[:LONGEST_LINK]))

    def done(self, *, verbatim: bool = False) -> InlineText:
        if not self._pieces and not self._struck:  # nothing collected, the usual case
            return NOTHING
        raw = "".join(self._pieces)[:LONGEST_TEXT]
        links, struck = tuple(self._links), " ".join(self._struck)
        self._pieces, self._open, self._links, self._struck = [], [], [], []
        if BOLD in raw:
            raw = _LABEL.sub(r"\n\g<0>", raw)
        lines, strong = [], []
        bold = False
        for line in raw.split("\n"):
            begins_bold, bold = bold, line.rfind(BOLD) > line.rfind(PLAIN) or (bold and PLAIN not in line)
            text_shown = line.replace(BOLD, "").replace(PLAIN, "").rstrip() if verbatim else _clean(line)
            beginning = _beginning(line, begins_bold) if begins_bold or BOLD in line else ""
            if beginning and _NUMBERED.fullmatch(beginning):  # a clause number is not part of the text
                text_shown, beginning = text_shown.removeprefix(beginning).lstrip(), ""
            if text_shown.strip():
                lines.append(text_shown)
                strong.append(beginning)
        if struck and not lines:
            return InlineText((struck,), ("",), links, False, struck)
        return InlineText(tuple(lines), tuple(strong), links, _all_bold(raw), struck)


def collect_inline(root: LexborNode) -> InlineText:
    """Collect a whole subtree, such as a table cell."""
    gatherer = InlineCollector()
    node = root.first_child
    above: list[tuple[LexborNode, str]] = []
    while node is not None:
        tag = node.tag or "-"
        following = node.next
        if tag == "-text":
            gatherer.text(node.text_content or "")
        elif tag in STRIKE_TAGS:
            gatherer.strike(node)
        elif tag[0] not in "-!" and tag not in DROPPED and not is_hidden(node):
            gatherer.enter(node, tag)
            if tag in ("p", "div", "li"):
                gatherer.text("\n", verbatim=True)
            above.append((node, tag))
            following = node.first_child
        while following is None and above:
            inside, tag = above.pop()
            gatherer.leave(tag)
            if tag in ("p", "div", "li"):
                gatherer.text("\n", verbatim=True)
            following = inside.next
        node = following
    return gatherer.done()


def _labels_next(node: LexborNode) -> bool:
    """Return True for the first of two adjacent spans, which are styled as label and value."""
    return node.prev is None and node.next is not None and node.next.tag == "span"


def _clean(raw: str) -> str:
    return clean_text(raw.replace(BOLD, "").replace(PLAIN, ""))


_BEGINNING = re.compile(
    rf"[^\w{BOLD}]*(?:[A-ZÀ-ÝА-Я]{{3,12}}\.\s|\d{{1,2}}[.)]\s)?{BOLD}([^{BOLD}{PLAIN}]{{1,150}})(?:{PLAIN}|$)"
)


def _beginning(line: str, begins_bold: bool) -> str:
    match = _BEGINNING.match(BOLD + line if begins_bold else line)
    return _clean(match[1]) if match else ""


def _all_bold(raw: str) -> bool:
    return BOLD in raw and not _IN_BOLD.sub("", raw).strip()

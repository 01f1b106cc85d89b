"""A page shared by the extractors: parsed once, with absolute addresses."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.crawling.pages.flattening import flattened
from gleanery.crawling.pages.page_reader import LONGEST_PARSED, MANY_TAGS
from gleanery.extraction.draft import PageSource
from gleanery.text import clean_text

LONGEST_URL = 2_000
LONGEST_VALUE = 20_000  # of an element's text; nested ones would repeat the page many times
# Elements that end a line: their text must not run into the next.
BLOCKS = tuple(str.split("p br li div h1 h2 h3 h4 h5 h6 td dd dt section blockquote"))
_ANY_BLOCK = ", ".join(BLOCKS)
_STATE = re.compile(r'"[^"<>]{20000,}"')  # state that some frameworks keep in hidden fields, megabytes of it


class HtmlPage:
    """A page whose tree is parsed on first use; extractors search the source text before that."""

    def __init__(self, source: PageSource) -> None:
        self.source = source
        html = source.html
        self.html = (_STATE.sub('""', html) if len(html) > LONGEST_PARSED else html)[:LONGEST_PARSED]

    @cached_property
    def is_html(self) -> bool:
        kind = self.source.media_type.lower()
        return "html" in kind or "xml" in kind or not kind

    @cached_property
    def tree(self) -> LexborHTMLParser:
        many = self.html.count("<") > MANY_TAGS
        return LexborHTMLParser(flattened(self.html) if many else self.html)

    @cached_property
    def base(self) -> str:
        if "<base" in self.html.lower():
            first = self.tree.css_first("base[href]")
            if first is not None and (base := _joined(self.source.url, first.attributes["href"] or "")):
                return base
        return self.source.url

    def address(self, written: str) -> str:
        """Return the absolute address of a page or picture, or "" if it cannot be opened."""
        whole = _joined(self.base, written)
        return whole if whole.startswith(("http://", "https://")) and len(whole) <= LONGEST_URL else ""

    def identity(self, written: str) -> str:
        """Return the absolute id of a node, which need not be an address (urn:isbn:..., _:b0)."""
        return _joined(self.base, written)[:LONGEST_URL]


def text_of(node: LexborNode) -> str:
    if node.css_first(_ANY_BLOCK) is None:
        return clean_text(node.text()[:LONGEST_VALUE])
    parts: list[str] = []
    for each in node.traverse(include_text=True):
        if each.tag == "-text":
            parts.append(each.text_content or "")
        elif each.tag in BLOCKS:
            parts.append(" ")
    return clean_text("".join(parts)[:LONGEST_VALUE])


def _joined(base: str, written: str) -> str:
    written = written.strip()
    if not written or written.startswith("_:"):
        return written
    try:
        whole = urljoin(base, written)
        parts = urlsplit(whole)
    except ValueError:
        return ""
    if parts.scheme in {"http", "https"} and not parts.hostname:
        return ""
    return clean_text(whole).replace(" ", "%20")

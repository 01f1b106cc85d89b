"""Extracts links, frames and scripts of a page for the platforms. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.feeds.platform import Link, Markup
from gleanery.text import clean_text

MOST_LINKS = 2_000
LONGEST_TEXT = 200


def markup_of(html: str, url: str, headers: Mapping[str, str]) -> Markup:
    tree = LexborHTMLParser(html)
    base = tree.css_first("base[href]")
    place = _full(url, base.attributes["href"] or "") if base is not None else url

    def sources(tag: str) -> tuple[str, ...]:
        return tuple(_full(place, each.attributes["src"] or "") for each in tree.css(f"{tag}[src]")[:MOST_LINKS])

    generator = tree.css_first("meta[name=generator]")
    return Markup(
        url=url,
        html=html,
        headers={name.lower(): value for name, value in headers.items()},
        generator=(generator.attributes.get("content") or "") if generator is not None else "",
        links=tuple(_link(place, each) for each in tree.css("a[href], link[href]")[:MOST_LINKS]),
        frames=sources("iframe"),
        scripts=sources("script"),
    )


def _link(place: str, node: LexborNode) -> Link:
    attributes = node.attributes
    return Link(
        href=_full(place, attributes["href"] or ""),
        rel=attributes.get("rel") or "",
        type=attributes.get("type") or "",
        text=clean_text(attributes.get("title") or node.text(strip=True), limit=LONGEST_TEXT),
    )


def _full(place: str, written: str) -> str:
    """Return the absolute address, or the text unchanged if it is invalid."""
    try:
        return urljoin(place, written.strip())
    except ValueError:
        return written

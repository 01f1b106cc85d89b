"""Parses the bytes of a page into text, links, types and a content hash."""

from __future__ import annotations

import hashlib
import re
import zlib
from codecs import BOM_UTF8
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser

from gleanery.crawling.pages.flattening import flattened
from gleanery.crawling.pages.links import LinkBase, canonical_of, links_of
from gleanery.crawling.pages.markdown import main_text
from gleanery.crawling.pages.pdf import PDF, as_page
from gleanery.crawling.pages.structured_data import facts_of
from gleanery.crawling.rendering.script_detection import PLAIN, rendering_of
from gleanery.domains.names import DomainName
from gleanery.net.charset import decoded
from gleanery.text import clean_text

LONGEST_TITLE = 500
LONGEST_TEXT = 200_000
LONGEST_LANGUAGE = 20
LONGEST_PARSED = 3 * 512 * 1024  # bytes of a body; the rest is only kept in `raw`

# Pages with more tags are flattened first, since some nestings cost the parser quadratic time or memory. Honest pages
# of this size are rare, and flattening leaves them as they are.
MANY_TAGS = 4_000

# Measured on pages of 20 kB: level 1 takes 0.11 ms for 4.6 kB, level 4 0.17 ms for 4.1 kB, level 6 0.32 ms for 3.9 kB.
COMPRESSION = 4

CALENDAR = "text/calendar"

_SECONDS = re.compile(r":\d\d:\d\d")  # a fast test: nearly always absent
_CLOCK = re.compile(r"\b\d{1,2}:\d\d:\d\d\b")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")
_UNFOLDED = re.compile(r"\r?\n[ \t]")
_STAMPS = re.compile(r"^(?:DTSTAMP|LAST-MODIFIED|PRODID)[;:].*$\r?\n?", re.MULTILINE | re.IGNORECASE)
_CALENDAR_NAME = re.compile(r"^(?:X-WR-CALNAME|NAME)(?:;[^:\r\n]*)?:(.*)$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A response to parse: `charset` is that of the header, links are followed within `domain`."""

    body: bytes
    url: str
    media_type: str
    charset: str | None
    domain: DomainName


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPage:
    """The parsed page; all text is clean and can be stored.

    `links` are the addresses to follow, none if the page says nofollow. `refused` are links that a curator should see,
    with reasons. `outbound` lists other registrable names, most linked first. `rendering` says whether the page needs a
    browser.
    """

    title: str
    text: str
    language: str
    charset: str
    canonical: str
    links: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]
    outbound: tuple[str, ...]
    types: tuple[str, ...]
    noindex: bool
    nofollow: bool
    content_hash: bytes
    raw: bytes
    rendering: str = PLAIN


def read(document: Document, *, flat: bool = False) -> ParsedPage:
    """Parse a document; `flat` flattens it first, which is always done for pages with very many tags."""
    if document.media_type.lower() == PDF:
        page = replace(document, body=as_page(document.body).encode(), media_type="text/html", charset="utf-8")
        return replace(read(page), raw=zlib.compress(document.body, COMPRESSION))
    source, charset = decoded(document.body[:LONGEST_PARSED], document.charset)
    if document.media_type.lower() == CALENDAR:
        return _read_calendar(document, source, charset)
    if flat or source.count("<") > MANY_TAGS:
        return _read_html(document, LexborHTMLParser(flattened(source)), charset)
    return _read_html(document, LexborHTMLParser(_as_it_came(document.body, source, charset) or source), charset)


def _as_it_came(body: bytes, source: str, charset: str) -> bytes | None:
    """Return the bytes if they are valid UTF-8, as for most pages; None if the text was repaired or cut."""
    is_same = charset == "utf-8" and "\N{REPLACEMENT CHARACTER}" not in source and not body.startswith(BOM_UTF8)
    return body if is_same and len(body) <= LONGEST_PARSED else None


def _read_html(document: Document, tree: LexborHTMLParser, charset: str) -> ParsedPage:
    base, canonical = _addresses(tree)
    place = LinkBase(document.url, base)
    canonical = canonical_of(place.full(canonical)) if canonical else ""
    noindex, nofollow = _robots(tree)
    links = links_of(tree, place, document.domain)
    facts = facts_of(tree)
    text = main_text(tree)
    return ParsedPage(
        title=_title(tree),
        text=_cut(text),
        language=_language(tree),
        charset=charset,
        canonical=canonical,
        links=() if nofollow else links.followed,
        refused=links.refused,
        outbound=links.outbound,
        types=tuple(facts.types),
        noindex=noindex,
        nofollow=nofollow,
        content_hash=_hashed(_without_clocks(text), *facts.lines, canonical),
        raw=zlib.compress(document.body, COMPRESSION),
        rendering=rendering_of(tree, text),
    )


def _read_calendar(document: Document, source: str, charset: str) -> ParsedPage:
    """Parse an iCalendar file; its stamps are not hashed, since many sites generate it for every visitor."""
    lines = _UNFOLDED.sub("", source)
    name = _CALENDAR_NAME.search(lines)
    return ParsedPage(
        title=clean_text(name[1] if name else "", limit=LONGEST_TITLE),
        text=clean_text(source, limit=LONGEST_TEXT, multiline=True),
        language="",
        charset=charset,
        canonical="",
        links=(),
        refused=(),
        outbound=(),
        types=(),
        noindex=False,
        nofollow=False,
        content_hash=_hashed(_STAMPS.sub("", lines)),
        raw=zlib.compress(document.body, COMPRESSION),
    )


def _addresses(tree: LexborHTMLParser) -> tuple[str | None, str]:
    """Return the page's <base> and its first canonical link."""
    first = tree.css_first("base[href]")
    base = (first.attributes["href"] or "").strip() if first is not None else ""
    for link in tree.css("link[rel][href]"):
        attributes = link.attributes
        if "canonical" in (attributes["rel"] or "").lower().split():
            return base, (attributes["href"] or "").strip()
    return base, ""


def _title(tree: LexborHTMLParser) -> str:
    """Return the page's title or first heading, ignoring titles within SVG images."""
    for selector in ("title", "h1"):
        for node in tree.css(selector)[:20]:
            parent = node.parent
            if parent is not None and parent.tag not in {"svg", "g", "symbol"} and (text := node.text().strip()):
                return clean_text(text, limit=LONGEST_TITLE)
    return ""


def _language(tree: LexborHTMLParser) -> str:
    attributes = tree.root.attributes if tree.root is not None else {}
    language = (attributes.get("lang") or attributes.get("xml:lang") or "").strip()
    return language if len(language) <= LONGEST_LANGUAGE and _LANGUAGE.fullmatch(language) else ""


def _robots(tree: LexborHTMLParser) -> tuple[bool, bool]:
    """Return (noindex, nofollow) from meta tags for robots or for our agent."""
    directives: set[str] = set()
    for meta in tree.css("meta[name][content]"):
        attributes = meta.attributes
        if (attributes["name"] or "").strip().lower() in {"robots", "gleanery"}:
            directives.update((attributes["content"] or "").lower().replace(",", " ").split())
    return not directives.isdisjoint({"noindex", "none"}), not directives.isdisjoint({"nofollow", "none"})


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else clean_text(text, limit=LONGEST_TEXT, multiline=True)


def _without_clocks(text: str) -> str:
    return _CLOCK.sub("", text) if _SECONDS.search(text) else text


def _hashed(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()

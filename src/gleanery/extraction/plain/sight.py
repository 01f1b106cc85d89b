"""A page without markup as its readers see it: its blocks and facts, who stands behind it, drafts made of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from gleanery.extraction.draft import Draft, Source
from gleanery.extraction.plain.blocks import Block, Page, read_page
from gleanery.extraction.plain.facts import Fact, facts_of
from gleanery.extraction.plain.scopes import Scope, main_scope
from gleanery.extraction.plain.vetoes import is_article
from gleanery.extraction.values.addresses import Address, find_address
from gleanery.extraction.values.dates import Reader, find_dates
from gleanery.extraction.values.names import is_organisation, organisation_in
from gleanery.text import clean_text

LONGEST_DESCRIPTION = 2_000
LONG_LINE = 100
LONGEST_FRAME = 300  # of a line in which an organisation is sought
LONGEST_SIGN = 60
FEWEST_WORDS = 3
SHORTEST_LINE = 20
LONGEST_EVIDENCE = 200
EXTRACTOR = "plain"

_BETWEEN_NAMES = re.compile(r"\s[|–—·•-]\s|\s?::\s?|\s\|\s|\s/\s")
_META = re.compile(
    r"^(?:публикуван\w*|published|posted|последн\w+ (?:промяна|обновяване)|last (?:updated|changed|modified)|"
    r"updated|veröffentlicht|publié|publicado|publicat|"
    r"начало\s»|home\s[>»/]|accueil\s>|уважаеми|dear |©)|\d+ (?:min|минути)|етикети:",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…]$|[.!?…][“”\"»)]$")

Told = TypeVar("Told")


@dataclass(frozen=True)
class Sight:
    source: Source
    page: Page

    def once(self, ask: Callable[[Sight], Told]) -> Told:
        """The answer to what every line of the page asks about the whole of it: worked out once."""
        if ask not in self._answers:
            self._answers[ask] = ask(self)
        told: Told = self._answers[ask]
        return told

    @cached_property
    def _answers(self) -> dict[Callable[[Sight], Any], Any]:
        return {}

    @cached_property
    def language(self) -> str:
        return self.source.language or self.page.language

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.source.fetched, self.language, self.source.country)

    @cached_property
    def main(self) -> Scope:
        return main_scope(self.page)

    @cached_property
    def facts(self) -> list[Fact]:
        return facts_of(self.page.content)

    @cached_property
    def main_facts(self) -> list[Fact]:
        return facts_of(self.main.blocks)

    @cached_property
    def is_article(self) -> bool:
        return is_article(self.page)

    @cached_property
    def text(self) -> str:
        return "\n".join(f"{block.label} {' '.join(block.headers)} {block.text}" for block in self.page.content)

    @cached_property
    def heads(self) -> str:
        """Title, address and headings: where a page says what it is about."""
        headings = " | ".join(
            block.text for block in self.page.blocks if block.kind == "heading" and block.frame != "aside"
        )
        return " | ".join(
            (self.page.title, headings[:3_000], self.source.url.partition("://")[2].partition("/")[2][:500])
        )

    @cached_property
    def publisher(self) -> str:
        """The organisation behind the page, as its title, its header or its footer names it."""
        title = [part.strip() for part in _BETWEEN_NAMES.split(self.page.title) if part.strip()]
        framed = [line for block in self.page.blocks if block.frame in ("header", "footer") for line in block.lines[:3]]
        first = [block.text for block in self.page.blocks[:3] if block.kind != "item"]
        named = [organisation_in(text) for text in (*reversed(title), *first, *framed) if is_organisation(text)]
        named = [name for name in named if name not in self.main.name or name == self.main.name] or named
        if named:
            return self._fullest(named)
        if shown := next((text for text in first if self._signs(text, framed)), ""):
            return shown
        for text in (*framed, *first, *title):
            if len(text) < LONGEST_FRAME and (name := organisation_in(text)):
                return self._as_in_title(name)
        return ""

    @cached_property
    def organisation(self) -> str:
        """Who stands behind the page, if the words say that it is an organisation: a site may only tell of others."""
        return self.publisher if organisation_in(self.publisher) else ""

    def _signs(self, text: str, framed: list[str]) -> bool:
        """A short first line with which the header or the footer begins too is the name of the site."""
        return len(text) <= LONGEST_SIGN and any(line.startswith(text) and line != text for line in framed)

    def _fullest(self, names: list[str]) -> str:
        """The first, or the one that calls the same by its full words: НЧ „Светлина“ is Народно читалище „Светлина“."""
        chosen = names[0]
        quoted = re.search(r"[„“\"«][^“”\"»]+[“”\"»]", chosen)
        if quoted:
            return max((name for name in names if quoted.group() in name), key=len)
        return self._as_in_title(chosen)

    def _as_in_title(self, name: str) -> str:
        brand = self.brand
        return (
            brand if brand and len(brand) < LONG_LINE and (name.startswith(brand) or brand.startswith(name)) else name
        )

    @cached_property
    def brand(self) -> str:
        """The site's own name: what its title says after the page's name, if the page shows it somewhere else too."""
        title = [part.strip() for part in _BETWEEN_NAMES.split(self.page.title) if part.strip()]
        shown = "\n".join(block.text for block in self.page.blocks)
        return next((part for part in reversed(title[1:]) if part in shown or len(title) == 2), "")  # noqa: PLR2004

    @cached_property
    def address(self) -> Address | None:
        """The one address of the whole page, for things that tell of none."""
        for block in self.page.blocks:
            if (
                block.frame != "aside"
                and (found := find_address("\n".join(block.lines), self.source.country))
                and found.street
            ):
                return found
        return None

    @cached_property
    def is_home(self) -> bool:
        return not self.source.url.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")[2].strip("/")

    def leads_away(self, href: str) -> bool:
        """Whether a link goes to another site."""
        url = self.absolute(href)
        return bool(url) and host_of(url) != host_of(self.source.url)

    def absolute(self, href: str) -> str:
        if not href or href.startswith(("#", "mailto:", "tel:", "javascript:")):
            return ""
        try:
            url = urljoin(self.source.url, href.strip())
        except ValueError:
            return ""
        return url if url.startswith(("http://", "https://")) else ""

    def description(self, blocks: Sequence[Block], facts: Sequence[Fact] = ()) -> str:
        """The first paragraph that is one: a sentence or more, no label with its value, no note of the editors."""
        labelled = {id(fact.block) for fact in facts if len(fact.value) > 0.6 * len(fact.block.text)}
        for block in blocks:
            if block.kind not in ("text", "heading") or id(block) in labelled or _META.search(block.text[:80]):
                continue
            if block.kind == "text" and _is_paragraph(block) and not self._is_dated(block.text):
                return clean_text(block.text, limit=LONGEST_DESCRIPTION)
        return ""

    def _is_dated(self, text: str) -> bool:
        """A line that is little more than a date."""
        dates = find_dates(text[:200], self.reader)
        return bool(dates) and sum(each.stop - each.begin for each in dates) > 0.4 * len(text)

    def draft(self, kind: str, fields: dict[str, Any], evidence: dict[str, str], day: str = "") -> Draft:
        """Empty values are left out. The id is made of the page's address and the name: both stay between visits.

        In a list the same may be held on several days: there the day counts too.
        """
        kept = {name: value for name, value in fields.items() if value not in ("", None, [])}
        place = kept.get("url") or self.source.url.split("#")[0]
        key = "\n".join(
            (
                kind,
                str(place),
                str(kept.get("name", "")).casefold(),
                str(kept.get("address", "")) if kind == "place" else day,
            )
        )
        told = {name: clean_text(evidence.get(name, ""), limit=LONGEST_EVIDENCE) for name in kept if evidence.get(name)}
        made = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:24]
        return Draft(kind=kind, external_id=f"plain:{made}", fields=kept, evidence=told, extractor=EXTRACTOR)


def host_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].lower().removeprefix("www.")


def see(source: Source, tree: LexborHTMLParser) -> Sight:
    return Sight(source, read_page(tree))


def _is_paragraph(block: Block) -> bool:
    text = block.text
    if len(text) < SHORTEST_LINE or len(block.lines) > 2:  # noqa: PLR2004 - many short lines are a list of facts
        return False
    linked = sum(len(link.text) for link in block.links)
    return linked < 0.6 * len(text) and (
        len(text) >= LONG_LINE or bool(_SENTENCE_END.search(text) and len(text.split()) >= FEWEST_WORDS)
    )

"""View of one page for the recognisers: blocks, facts, publisher, address, and the making of drafts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from gleanery.extraction.draft import Draft, PageSource
from gleanery.extraction.plain.layout.blocks import Block, BlockPage, read_page
from gleanery.extraction.plain.structure.facts import Fact, facts_of
from gleanery.extraction.plain.structure.scopes import Scope, main_scope
from gleanery.extraction.plain.structure.vetoes import is_article
from gleanery.extraction.values.addresses import Address, find_address
from gleanery.extraction.values.dates import Reader, find_dates
from gleanery.extraction.values.names import is_organisation, organisation_in
from gleanery.text import clean_text

LONGEST_DESCRIPTION = 2_000
LONG_LINE = 100
LONGEST_FRAME = 300  # of a line searched for an organisation
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

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class PageView:
    source: PageSource
    page: BlockPage

    def once(self, question: Callable[[PageView], Answer]) -> Answer:
        """Return the result of a function of the page, computed once."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: Answer = self._answers[question]
        return answer

    @cached_property
    def _answers(self) -> dict[Callable[[PageView], Any], Any]:
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
        """Title, address and headings, which show what the page is about."""
        headings = " | ".join(
            block.text for block in self.page.blocks if block.kind == "heading" and block.frame != "aside"
        )
        return " | ".join(
            (self.page.title, headings[:3_000], self.source.url.partition("://")[2].partition("/")[2][:500])
        )

    @cached_property
    def publisher(self) -> str:
        """Organisation behind the page, named in its title, header or footer."""
        title = [part.strip() for part in _BETWEEN_NAMES.split(self.page.title) if part.strip()]
        framed = [line for block in self.page.blocks if block.frame in ("header", "footer") for line in block.lines[:3]]
        first = [block.text for block in self.page.blocks[:3] if block.kind != "item"]
        named = [organisation_in(text) for text in (*reversed(title), *first, *framed) if is_organisation(text)]
        named = [name for name in named if name not in self.main.name or name == self.main.name] or named
        if named:
            return self._fullest(named)
        if sign := next((text for text in first if self._is_site_name(text, framed)), ""):
            return sign
        for text in (*framed, *first, *title):
            if len(text) < LONGEST_FRAME and (name := organisation_in(text)):
                return self._as_in_title(name)
        return ""

    @cached_property
    def organisation(self) -> str:
        """The publisher, if its name is that of an organisation."""
        return self.publisher if organisation_in(self.publisher) else ""

    def _is_site_name(self, text: str, framed: list[str]) -> bool:
        """Return True for a short first line that also begins the header or footer."""
        return len(text) <= LONGEST_SIGN and any(line.startswith(text) and line != text for line in framed)

    def _fullest(self, names: list[str]) -> str:
        """Return the first name, or its full form: Народно читалище „Светлина“ for НЧ „Светлина“."""
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
        """Site name: the end of the title, if the page shows it elsewhere too."""
        title = [part.strip() for part in _BETWEEN_NAMES.split(self.page.title) if part.strip()]
        page_text = "\n".join(block.text for block in self.page.blocks)
        return next((part for part in reversed(title[1:]) if part in page_text or len(title) == 2), "")  # noqa: PLR2004

    @cached_property
    def address(self) -> Address | None:
        """First street address on the page, for things without their own."""
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
        """Return True if the link goes to another site."""
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
        """Return the first real paragraph, skipping labelled facts and editorial notes."""
        labelled = {id(fact.block) for fact in facts if len(fact.value) > 0.6 * len(fact.block.text)}
        for block in blocks:
            if block.kind not in ("text", "heading") or id(block) in labelled or _META.search(block.text[:80]):
                continue
            if block.kind == "text" and _is_paragraph(block) and not self._is_dated(block.text):
                return clean_text(block.text, limit=LONGEST_DESCRIPTION)
        return ""

    def _is_dated(self, text: str) -> bool:
        """Return True if the line is little more than a date."""
        dates = find_dates(text[:200], self.reader)
        return bool(dates) and sum(each.stop - each.begin for each in dates) > 0.4 * len(text)

    def draft(self, kind: str, fields: dict[str, Any], evidence: dict[str, str], day: str = "") -> Draft:
        """Return a draft without empty values. Its id is built from page address and name, and `day` in lists."""
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
        kept_evidence = {
            name: clean_text(evidence.get(name, ""), limit=LONGEST_EVIDENCE) for name in kept if evidence.get(name)
        }
        made = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:24]
        return Draft(kind=kind, external_id=f"plain:{made}", fields=kept, evidence=kept_evidence, extractor=EXTRACTOR)


def host_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].lower().removeprefix("www.")


def view_page(source: PageSource, tree: LexborHTMLParser) -> PageView:
    return PageView(source, read_page(tree))


def _is_paragraph(block: Block) -> bool:
    text = block.text
    if len(text) < SHORTEST_LINE or len(block.lines) > 2:  # noqa: PLR2004 - more lines are a list of facts
        return False
    linked = sum(len(link.text) for link in block.links)
    return linked < 0.6 * len(text) and (
        len(text) >= LONG_LINE or bool(_SENTENCE_END.search(text) and len(text.split()) >= FEWEST_WORDS)
    )

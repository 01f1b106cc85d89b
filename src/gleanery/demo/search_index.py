"""Search index of the sample web: ranks pages by query words in titles and text, rare words higher."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from html import unescape
from urllib.parse import quote

from gleanery.demo import dates
from gleanery.demo.rendering import full_title, is_plain_page
from gleanery.demo.sites import Page, Site, page_in, sites

TITLE, DESCRIPTION = 4.0, 2.0
MOST_TIMES = 5  # further occurrences of a word do not count
STEM = 6
SHORT = 4
SNIPPET = 158
ENOUGH = 0.4  # least share of the query's weight that a page must match

_TAG = re.compile(r"<(script|style|title)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"\w+")
STOP_WORDS = frozenset(
    _WORD.findall("a an and at by for from how in is of on or the this to what with в за и или на от по с се със")
)


@dataclass(frozen=True)
class Document:
    """An indexed page."""

    url: str
    title: str
    description: str
    text: str
    language: str
    site: str


@cache
def worth(document: Document) -> Counter[str]:
    """Return the weight of each word of the document."""
    text = Counter(words(document.text))
    title, description = set(words(document.title)), set(words(document.description))
    return Counter(
        {
            word: min(text[word], MOST_TIMES) + TITLE * (word in title) + DESCRIPTION * (word in description)
            for word in text.keys() | title | description
        }
    )


def words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


@lru_cache(maxsize=8)
def documents(engine: str, day: date) -> tuple[Document, ...]:
    """Return the pages that this engine has indexed, always in version 1."""
    return tuple(
        document_of(site, page, url, day)
        for site in sites()
        for page in site.pages
        if page_in(page, 1) and is_plain_page(page) and engine in page.engines
        for url in addresses(site, page, engine)
    )


def addresses(site: Site, page: Page, engine: str) -> list[str]:
    return page.found_as.get(engine) or [f"https://{site.main_host}{quote(page.path)}"]


def document_of(site: Site, page: Page, url: str, day: date) -> Document:
    def text(part: str) -> str:
        return dates.render(part, day, page.language).replace("\0", "")

    title = text(full_title(site, page))
    return Document(url, title, text(page.description), plain(text(page.body)), page.language, text(site.name))


def search(engine: str, query: str, day: date) -> list[Document]:
    """Return documents that match enough of the query, best first, ties by address."""
    asked = list(dict.fromkeys(word for word in words(query) if word not in STOP_WORDS))
    known = documents(engine, day)
    rarity = {word: rarity_of(word, known) for word in asked}
    scored = [(score(document, rarity), document) for document in known]
    return [document for points, document in sorted(scored, key=lambda pair: (-pair[0], pair[1].url)) if points > 0]


def rarity_of(word: str, known: tuple[Document, ...]) -> float:
    having = sum(1 for document in known if count(document, word))
    return math.log(1 + len(known) / having) if having else 0.0


def score(document: Document, rarity: dict[str, float]) -> float:
    found = {word: count(document, word) for word in rarity}
    present = sum(rarity[word] for word, times in found.items() if times)
    total = sum(rarity.values())
    if not total or present < total * ENOUGH:
        return 0.0
    return present / total * sum(rarity[word] * math.log1p(times) for word, times in found.items())


@lru_cache(maxsize=65536)
def count(document: Document, word: str) -> float:
    return sum(times for form, times in worth(document).items() if is_form_of(form, word))


def is_form_of(form: str, word: str) -> bool:
    """Return True if a word matches another form: училище finds училищата, grant finds grants.

    Short words may only grow by a letter or two.
    """
    if len(word) <= SHORT:
        return form.startswith(word) and len(form) <= len(word) + (2 if len(word) == SHORT else 0)
    return form.startswith(word[: min(STEM, len(word) - 1)])


def snippet(document: Document, query: str) -> str:
    """Return the description if it has a query word, else text around the first one, cut between words."""
    asked = [word for word in words(query) if word not in STOP_WORDS]
    if next(hits(document.description, asked), None) is not None:
        return cut(document.description, 0)
    first = next(hits(document.text, asked), 0)
    return cut(document.text, max(0, first - SNIPPET // 4))


def hits(text: str, asked: list[str]) -> Iterator[int]:
    for found in _WORD.finditer(text):
        if any(is_form_of(found[0].casefold(), word) for word in asked):
            yield found.start()


def cut(text: str, start: int) -> str:
    begin = text.find(" ", start) + 1 if start else 0
    part = text[begin : begin + SNIPPET]
    if begin + SNIPPET < len(text):
        part = part.rpartition(" ")[0] + " ..."
    return f"... {part}" if begin else part


def marked(text: str, query: str) -> str:
    """Return the text with query words in <strong>, as Brave does."""
    asked = [word for word in words(query) if word not in STOP_WORDS]
    return _WORD.sub(
        lambda found: (
            f"<strong>{found[0]}</strong>" if any(is_form_of(found[0].casefold(), word) for word in asked) else found[0]
        ),
        text,
    )

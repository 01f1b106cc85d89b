"""The interface of providers: a name, limits, and a search that returns one page of hits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from gleanery.discovery.hit import Hit
from gleanery.errors import Invalid
from gleanery.net.client import Client

COUNT = 20

COUNTRY = re.compile(r"[A-Z]{2}|")
LANGUAGE = re.compile(r"[a-z]{2}|")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query. Pages count from 1; country (ISO 3166) and language (ISO 639) have two letters, or are empty."""

    text: str
    page: int = 1
    count: int = COUNT
    country: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        if not self.text.strip() or self.page < 1 or self.count < 1:
            raise Invalid("A query needs a text, and its pages and results are counted from 1.")
        if not COUNTRY.fullmatch(self.country):
            raise Invalid(f"{self.country!r} is not a country. Write two capital letters, such as BG.")
        if not LANGUAGE.fullmatch(self.language):
            raise Invalid(f"{self.language!r} is not a language. Write two lower-case letters, such as bg.")

    def cut(self, letters: int, words: int | None = None) -> str:
        """Return the text within a vendor's limits, cut between words if possible."""
        text = " ".join(self.text.split()[:words])
        if len(text) <= letters:
            return text
        return text[: letters + 1].rpartition(" ")[0] or text[:letters]


class ResultPage(NamedTuple):
    """One page of results; `more` means that the next page may have results."""

    hits: tuple[Hit, ...]
    more: bool


NOTHING = ResultPage((), more=False)


class Provider(Protocol):
    """A search provider. `pause` is the least time between requests, `daily_cap` the most requests per day, if any.

    PROVIDERS.md gives the caps as "50 / 60 / none / 25 / 25" in the order of its timeouts: Brave, Serper, SearXNG,
    Tavily, Perplexity. So the one without a cap is SearXNG, the operator's own server.
    """

    @property
    def name(self) -> str: ...
    @property
    def timeout(self) -> float: ...
    @property
    def daily_cap(self) -> int | None: ...
    @property
    def pause(self) -> float: ...

    async def search(self, client: Client, query: Query) -> ResultPage:
        """Send one request; every problem is a ProviderFailure."""
        ...

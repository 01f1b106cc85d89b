"""The frontier of one crawl in memory: which addresses are still to be visited, and in which order."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import datetime

from gleanery.crawling.frontier.leases import Lease
from gleanery.crawling.frontier.statements import FoundAddress, KnownPage, QueuedVisit
from gleanery.crawling.frontier.traps import Traps
from gleanery.ids import uuid7

# Addresses queued per page of the budget; more would never be visited.
ADDRESSES_A_PAGE = 4
MOST_SITEMAPS = 50  # per crawl: they cost requests, but no pages of its budget
MOST_PDFS = 30  # per crawl: years of minutes must not use up its budget
MOST_REFUSALS = 200  # recorded per slice, so that a hostile page cannot fill the table


class Frontier:
    """Queue of visits, breadth first. `asked` counts the page requests of the whole crawl.

    `left_over` are addresses with depths that the last crawl had no budget for.
    """

    def __init__(
        self, lease: Lease, pages: dict[str, KnownPage], started_at: datetime, left_over: list[tuple[str, int]]
    ) -> None:
        self.lease = lease
        self.pages = pages
        self.left_over = left_over
        self.started_at = started_at
        self.asked = 0
        self._seen: set[str] = set()
        self._refusals = 0
        self._sitemaps = 0
        self._pdfs = 0
        self._traps = Traps(started_at.date())
        self._heap: list[tuple[bool, int, bool, int, QueuedVisit]] = []
        self._count = 0

    def remember(self, seen: Iterable[tuple[str, int]]) -> None:
        """Load the addresses the crawl already found, in order, with the requests each cost; repeats are ignored."""
        for url, asked in seen:
            if url in self._seen:
                continue
            self._seen.add(url)
            self._traps.objection(url)
            self._pdfs += _is_pdf(url)
            self.asked += asked

    def add(self, visit: QueuedVisit) -> None:
        """Queue a visit: first tries before retries, low depth before high, pages before PDFs and sitemaps."""
        self._count += 1
        later = visit.kind == "sitemap" or _is_pdf(visit.url)
        heapq.heappush(self._heap, (visit.attempts > 0, visit.depth, later, self._count, visit))

    def next(self) -> QueuedVisit | None:
        return heapq.heappop(self._heap)[-1] if self._heap and not self.used_up else None

    @property
    def used_up(self) -> bool:
        return self.asked >= self.lease.max_pages

    @property
    def full(self) -> bool:
        return len(self._seen) >= self.lease.max_pages * ADDRESSES_A_PAGE

    def accept(self, urls: Iterable[str], depth: int, hops: int = 0, kind: str = "page") -> Iterator[FoundAddress]:
        """Yield the addresses that are new, due and within bounds; traps are yielded as refused, with a reason."""
        for url in urls:
            if url in self._seen or depth > self.lease.max_depth or self.full or not self._is_due(url):
                continue
            if kind == "sitemap" and self._sitemaps >= MOST_SITEMAPS:
                return
            is_pdf = _is_pdf(url)
            if is_pdf and self._pdfs >= MOST_PDFS:
                continue
            self._sitemaps += kind == "sitemap"
            self._pdfs += is_pdf
            self._seen.add(url)
            objection = self._traps.objection(url) if kind == "page" and not hops else None
            if objection is None:
                yield FoundAddress(QueuedVisit(uuid7(), url, kind, depth, hops))
            else:
                yield from self.refuse([(url, objection)], depth)

    def accept_home(self, url: str) -> Iterator[FoundAddress]:
        """Yield the home page, due or not, since every crawl starts there."""
        if url not in self._seen:
            self._seen.add(url)
            yield FoundAddress(QueuedVisit(uuid7(), url, "page", 0))

    def refuse(self, refused: Iterable[tuple[str, str]], depth: int) -> Iterator[FoundAddress]:
        for url, reason in refused:
            if self._refusals < MOST_REFUSALS:
                self._refusals += 1
                yield FoundAddress(QueuedVisit(uuid7(), url, "page", depth), refusal=reason)

    def _is_due(self, url: str) -> bool:
        """Return True unless this is a full crawl and the page is not due yet."""
        if self.lease.kind != "full" or (page := self.pages.get(url)) is None:
            return True
        return page.due_at <= self.started_at

    def accept_known(self) -> Iterator[FoundAddress]:
        """Yield addresses left over from the last crawl, then known pages, whether or not they are still linked."""
        for url, depth in self.left_over:
            yield from self.accept([url], depth)
        for url, page in self.pages.items():
            yield from self.accept([url], page.depth)


def _is_pdf(url: str) -> bool:
    return url.partition("?")[0].lower().endswith(".pdf")

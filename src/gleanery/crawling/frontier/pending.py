"""What is still to be visited in a crawl, and in which order; the lease's holder keeps in mind what the table says."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import datetime

from gleanery.crawling.frontier.leases import Lease
from gleanery.crawling.frontier.statements import Found, Known, Queued
from gleanery.crawling.frontier.traps import Traps
from gleanery.ids import uuid7

# Breadth first, at most so many for each page that may be fetched: more would only be left out at the end.
ADDRESSES_A_PAGE = 4
MOST_SITEMAPS = 50  # a crawl: they cost requests, but no pages of its budget
MOST_PDFS = 30  # a crawl, by their addresses: years of minutes must not use up its budget
MOST_REFUSALS = 200  # that are written down, so that a hostile page cannot fill the table


class Frontier:
    """`asked` counts the requests for pages, over all slices of the crawl.

    `left_over` are addresses, each with its depth, that the last crawl had no pages left for.
    """

    def __init__(
        self, lease: Lease, pages: dict[str, Known], started_at: datetime, left_over: list[tuple[str, int]]
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
        self._heap: list[tuple[bool, int, bool, int, Queued]] = []
        self._count = 0

    def remember(self, seen: Iterable[tuple[str, int]]) -> None:
        """What the crawl has met already, in the order in which it did; each counts once, however often it is told."""
        for url, asked in seen:
            if url in self._seen:
                continue
            self._seen.add(url)
            self._traps.objection(url)
            self._pdfs += _is_pdf(url)
            self.asked += asked

    def add(self, visit: Queued) -> None:
        """Pages before PDFs and sitemaps, near before far, and what failed once behind all others."""
        self._count += 1
        later = visit.kind == "sitemap" or _is_pdf(visit.url)
        heapq.heappush(self._heap, (visit.attempts > 0, visit.depth, later, self._count, visit))

    def next(self) -> Queued | None:
        return heapq.heappop(self._heap)[-1] if self._heap and not self.used_up else None

    @property
    def used_up(self) -> bool:
        return self.asked >= self.lease.max_pages

    @property
    def full(self) -> bool:
        return len(self._seen) >= self.lease.max_pages * ADDRESSES_A_PAGE

    def meet(self, urls: Iterable[str], depth: int, hops: int = 0, kind: str = "page") -> Iterator[Found]:
        """Those of the addresses that are new in this crawl, wanted and no traps; traps come with their reason."""
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
                yield Found(Queued(uuid7(), url, kind, depth, hops))
            else:
                yield from self.refuse([(url, objection)], depth)

    def meet_home(self, url: str) -> Iterator[Found]:
        """The home page is where everything begins, so it is visited whether it is due or not."""
        if url not in self._seen:
            self._seen.add(url)
            yield Found(Queued(uuid7(), url, "page", 0))

    def refuse(self, refused: Iterable[tuple[str, str]], depth: int) -> Iterator[Found]:
        for url, reason in refused:
            if self._refusals < MOST_REFUSALS:
                self._refusals += 1
                yield Found(Queued(uuid7(), url, "page", depth), refusal=reason)

    def _is_due(self, url: str) -> bool:
        """Only a full crawl leaves out what is not due; every other was asked for."""
        if self.lease.kind != "full" or (page := self.pages.get(url)) is None:
            return True
        return page.due_at <= self.started_at

    def meet_known(self) -> Iterator[Found]:
        """What was left over, then known pages to be looked at again, wherever the links of today lead."""
        for url, depth in self.left_over:
            yield from self.meet([url], depth)
        for url, page in self.pages.items():
            yield from self.meet([url], page.depth)


def _is_pdf(url: str) -> bool:
    return url.partition("?")[0].lower().endswith(".pdf")

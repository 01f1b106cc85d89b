"""Turns the response of a site into the record of a visit; no I/O."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from gleanery.crawling.frontier.origin import Origins
from gleanery.crawling.frontier.pending import Frontier
from gleanery.crawling.frontier.statements import FinishedVisit, FoundAddress, PageFacts, QueuedVisit, SnapshotFacts
from gleanery.crawling.pages.page_reader import ParsedPage
from gleanery.crawling.pages.sitemap import Sitemap
from gleanery.crawling.rendering.script_detection import NEEDS_BROWSER, PLAIN, WANTED
from gleanery.crawling.schedule.due import PageHistory, next_visit
from gleanery.crawling.visiting import outcome
from gleanery.crawling.visiting.outcome import Outcome
from gleanery.domains.names import in_scope
from gleanery.errors import InvalidUrl
from gleanery.ids import uuid7
from gleanery.net.exchange import Response
from gleanery.text import clean_text, counted

KEPT_HEADERS = ("content-language", "content-type", "date", "etag", "last-modified", "x-robots-tag", "x-tec-api-root")
NESTED_SITEMAPS = 3


class VisitRecorder:
    """Builds the result of each visit, using the frontier to accept new addresses."""

    def __init__(self, frontier: Frontier, origins: Origins) -> None:
        self.frontier = frontier
        self.origins = origins

    def unanswered(self, visit: QueuedVisit, state: str, reason: str, elapsed: float | None = None) -> FinishedVisit:
        """Record a visit without a response; `elapsed` is None if no request was sent."""
        asked_for = None if elapsed is None else round(elapsed * 1000)
        return FinishedVisit(lease=self.frontier.lease, visit=visit, state=state, reason=reason, elapsed_ms=asked_for)

    def moved_to(self, visit: QueuedVisit, address: str) -> FinishedVisit:
        """Record that the site responds at another origin, such as http instead of https."""
        done = self.unanswered(visit, "redirected", f"The site responds at {address[:200]}")
        done.found = list(self.frontier.accept([address], visit.depth, visit.hops + 1, visit.kind))
        return done

    def without_body(self, visit: QueuedVisit, response: Response, found: Outcome) -> FinishedVisit:
        """Record a response whose body is not read: unchanged, redirected, not found or of another type."""
        if visit.kind == "sitemap" and found.gone:
            return self.answered(visit, response, "noted", "There is no sitemap.")
        leads = (
            self.frontier.accept([found.leads_to], visit.depth, visit.hops + 1, visit.kind) if found.leads_to else ()
        )
        done = self.answered(visit, response, found.state, found.reason, leads)
        if visit.kind == "page" and (found.state in ("unchanged", "noted") or found.gone):
            done.page = self._page_facts(visit, response, changed=False, gone=found.gone)
        if visit.depth == 0 and found.leads_to:
            self.origins.follow_home_redirect(visit.url, found.leads_to)
        return done

    def of_sitemap(self, visit: QueuedVisit, response: Response, sitemap: Sitemap) -> FinishedVisit:
        new: list[FoundAddress] = []
        if visit.hops < NESTED_SITEMAPS:
            new += self.frontier.accept(self._ours(sitemap.sitemaps[:100]), 0, visit.hops + 1, "sitemap")
        new += self.frontier.accept(self._ours(sitemap.pages), 1)
        summary = f"A sitemap with {counted(len(sitemap.pages), 'page')}. {sitemap.problem}".strip()
        return self.answered(visit, response, "noted", summary, new)

    def of_page(self, visit: QueuedVisit, response: Response, reading: ParsedPage) -> FinishedVisit:
        noindex, nofollow = outcome.robots_tag(response.headers.get("X-Robots-Tag", ""))
        links = () if reading.nofollow or nofollow else self.origins.all_with_base(reading.links)
        new = [*self.frontier.accept(links, visit.depth + 1), *self.frontier.refuse(reading.refused, visit.depth + 1)]
        if original := self.origins.canonical_page(visit.url, reading.canonical):
            new += self.frontier.accept([original], visit.depth, visit.hops + 1)
            return self.answered(
                visit, response, "redirected", f"It names {original[:200]} as its canonical page.", new
            )
        if reading.noindex or noindex:
            return self.answered(visit, response, "refused", "It asks not to be kept (noindex).", new)
        return self._kept(visit, response, reading, new)

    def answered(
        self, visit: QueuedVisit, response: Response, state: str, reason: str, new: Iterable[FoundAddress] = ()
    ) -> FinishedVisit:
        done = self.unanswered(visit, state, reason, response.elapsed)
        done.status = response.status
        done.size = len(response.body)
        done.found = list(new)
        return done

    def _kept(
        self, visit: QueuedVisit, response: Response, reading: ParsedPage, new: list[FoundAddress]
    ) -> FinishedVisit:
        page = self.frontier.pages.get(visit.url)
        changed = page is None or page.content_hash != reading.content_hash
        headers = {
            name: clean_text(response.headers[name], limit=500) for name in KEPT_HEADERS if name in response.headers
        }
        snapshot = SnapshotFacts(
            id=uuid7(),
            content_type=response.media_type[:100],
            headers=json.dumps(headers),
            size=len(response.body),
            reading=reading,
        )
        state, reason = ("stored", "") if changed else ("unchanged", "Its content is the same as before.")
        if reading.rendering == WANTED:
            reason = NEEDS_BROWSER
        done = self.answered(visit, response, state, reason, new)
        done.page = self._page_facts(visit, response, changed=changed)
        if reading.rendering != PLAIN:  # scripts may bring new content although the page itself is unchanged
            done.page = replace(done.page, etag="", last_modified="")
        done.snapshot = snapshot
        return done

    def _page_facts(self, visit: QueuedVisit, response: Response, *, changed: bool, gone: bool = False) -> PageFacts:
        page, started_at = self.frontier.pages.get(visit.url), self.frontier.started_at
        unchanged = 0 if changed or page is None else page.unchanged + 1
        past = PageHistory(
            looked_at=started_at,
            first_fetched_at=page.first_fetched_at if page else started_at,
            yielded_at=page.yielded_at if page else None,
            unchanged=unchanged,
            gone=gone,
        )
        due = next_visit(past, self.frontier.lease.frequency)
        return PageFacts(
            id=page.id if page else uuid7(),
            etag=_header(response, "ETag", 300) or (page.etag if page and not changed else ""),
            last_modified=_header(response, "Last-Modified", 100)
            or (page.last_modified if page and not changed else ""),
            changed=changed,
            unchanged=unchanged,
            due_at=due.at,
            due_reason=due.reason,
        )

    def _ours(self, urls: Iterable[str]) -> list[str]:
        """Return the addresses that are on this site, with its scheme and www prefix."""
        addresses: dict[str, None] = {}
        for url in urls:
            try:
                addresses[self.origins.normalised(url)] = None
            except InvalidUrl:
                continue
            if self.frontier.full:
                break
        return [url for url in addresses if in_scope(url, self.frontier.lease.name)]


def _header(response: Response, name: str, limit: int) -> str:
    """Return a validator header, or "" if it is too long to store and send back whole."""
    value = clean_text(response.headers.get(name, ""))
    return value if len(value) <= limit else ""

"""From the answer of a site to all that is written down about the visit. Nothing here asks, reads or writes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from gleanery.crawling.frontier.origin import Origins
from gleanery.crawling.frontier.pending import Frontier
from gleanery.crawling.frontier.statements import Done, Found, PageFacts, Queued, SnapshotFacts
from gleanery.crawling.pages.page_reader import Reading
from gleanery.crawling.pages.sitemap import Sitemap
from gleanery.crawling.rendering.signs import PLAIN, SENTENCE, WANTED
from gleanery.crawling.schedule.due import Past, next_look
from gleanery.crawling.visiting import outcome
from gleanery.crawling.visiting.outcome import Outcome
from gleanery.domains.names import in_scope
from gleanery.errors import InvalidUrl
from gleanery.ids import uuid7
from gleanery.net.exchange import Response
from gleanery.text import clean_text, counted

KEPT_HEADERS = ("content-language", "content-type", "date", "etag", "last-modified", "x-robots-tag", "x-tec-api-root")
NESTED_SITEMAPS = 3


class Report:
    """What a visit leaves behind, in the light of what the crawl has met so far."""

    def __init__(self, frontier: Frontier, origins: Origins) -> None:
        self.frontier = frontier
        self.origins = origins

    def plain(self, visit: Queued, state: str, reason: str, elapsed: float | None = None) -> Done:
        """Without an answer; `elapsed` is missing where nothing was asked."""
        asked_for = None if elapsed is None else round(elapsed * 1000)
        return Done(lease=self.frontier.lease, visit=visit, state=state, reason=reason, elapsed_ms=asked_for)

    def elsewhere(self, visit: Queued, address: str) -> Done:
        """Its site does not answer there, but here: people leave out https:// or write it where there is none."""
        done = self.plain(visit, "redirected", f"The site answers at {address[:200]}")
        done.found = list(self.frontier.meet([address], visit.depth, visit.hops + 1, visit.kind))
        return done

    def told(self, visit: Queued, response: Response, found: Outcome) -> Done:
        """An answer without a body to read: not changed, moved, not there, of another kind."""
        if visit.kind == "sitemap" and found.gone:
            return self.answered(visit, response, "noted", "There is no sitemap.")
        leads = self.frontier.meet([found.leads_to], visit.depth, visit.hops + 1, visit.kind) if found.leads_to else ()
        done = self.answered(visit, response, found.state, found.reason, leads)
        if visit.kind == "page" and (found.state in ("unchanged", "noted") or found.gone):
            done.page = self._page_facts(visit, response, changed=False, gone=found.gone)
        if visit.depth == 0 and found.leads_to:
            self.origins.moved(visit.url, found.leads_to)
        return done

    def listed(self, visit: Queued, response: Response, listed: Sitemap) -> Done:
        new: list[Found] = []
        if visit.hops < NESTED_SITEMAPS:
            new += self.frontier.meet(self._ours(listed.sitemaps[:100]), 0, visit.hops + 1, "sitemap")
        new += self.frontier.meet(self._ours(listed.pages), 1)
        told = f"A sitemap of {counted(len(listed.pages), 'page')}. {listed.problem}".strip()
        return self.answered(visit, response, "noted", told, new)

    def read(self, visit: Queued, response: Response, reading: Reading) -> Done:
        noindex, nofollow = outcome.robots_tag(response.headers.get("X-Robots-Tag", ""))
        links = () if reading.nofollow or nofollow else self.origins.respell_all(reading.links)
        new = [*self.frontier.meet(links, visit.depth + 1), *self.frontier.refuse(reading.refused, visit.depth + 1)]
        if original := self.origins.original(visit.url, reading.canonical):
            new += self.frontier.meet([original], visit.depth, visit.hops + 1)
            return self.answered(visit, response, "redirected", f"It names {original[:200]} as its original.", new)
        if reading.noindex or noindex:
            return self.answered(visit, response, "refused", "It asks not to be kept (noindex).", new)
        return self._kept(visit, response, reading, new)

    def answered(self, visit: Queued, response: Response, state: str, reason: str, new: Iterable[Found] = ()) -> Done:
        done = self.plain(visit, state, reason, response.elapsed)
        done.status = response.status
        done.size = len(response.body)
        done.found = list(new)
        return done

    def _kept(self, visit: Queued, response: Response, reading: Reading, new: list[Found]) -> Done:
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
        state, reason = ("stored", "") if changed else ("unchanged", "It was read and says the same as before.")
        if reading.rendering == WANTED:
            reason = SENTENCE
        done = self.answered(visit, response, state, reason, new)
        done.page = self._page_facts(visit, response, changed=changed)
        if reading.rendering != PLAIN:  # what scripts bring changes, though the page that loads them does not
            done.page = replace(done.page, etag="", last_modified="")
        done.snapshot = snapshot
        return done

    def _page_facts(self, visit: Queued, response: Response, *, changed: bool, gone: bool = False) -> PageFacts:
        page, started_at = self.frontier.pages.get(visit.url), self.frontier.started_at
        unchanged = 0 if changed or page is None else page.unchanged + 1
        past = Past(
            looked_at=started_at,
            first_fetched_at=page.first_fetched_at if page else started_at,
            yielded_at=page.yielded_at if page else None,
            unchanged=unchanged,
            gone=gone,
        )
        due = next_look(past, self.frontier.lease.frequency)
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
        """Those of the addresses that lie on this site, as it spells them."""
        spelled: dict[str, None] = {}
        for url in urls:
            try:
                spelled[self.origins.spell(url)] = None
            except InvalidUrl:
                continue
            if self.frontier.full:
                break
        return [url for url in spelled if in_scope(url, self.frontier.lease.name)]


def _header(response: Response, name: str, limit: int) -> str:
    """Too long to be kept whole is too long to be sent back."""
    value = clean_text(response.headers.get(name, ""))
    return value if len(value) <= limit else ""

"""One time slice of a crawl: visit pages of a site, one request at a time, until the time or the work is over."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace

import structlog

from gleanery.crawling.frontier.leases import Lease, release
from gleanery.crawling.frontier.origin import Origins
from gleanery.crawling.frontier.statements import FinishedVisit, QueuedVisit
from gleanery.crawling.pages import sitemap
from gleanery.crawling.pages.page_reader import Document, ParsedPage
from gleanery.crawling.pages.parser import Parser
from gleanery.crawling.processes import memory
from gleanery.crawling.rendering.browser import Browser
from gleanery.crawling.rendering.resource_requests import LARGEST, ResourceRequest
from gleanery.crawling.rendering.script_detection import RENDERED, WANTED
from gleanery.crawling.visiting import crawl_stages as stages
from gleanery.crawling.visiting import outcome
from gleanery.crawling.visiting.batch_writer import BatchWriter, LeaseLost
from gleanery.crawling.visiting.visit_record import VisitRecorder
from gleanery.errors import DatabaseProblem, FetchError, Unreadable
from gleanery.net import robots
from gleanery.net.client import Client
from gleanery.net.exchange import Request, Response
from gleanery.net.redirect import MOST_REDIRECTS, REDIRECTS, escaped
from gleanery.net.target import web_target

log = structlog.get_logger(__name__)

SLICE_SECONDS = 30.0
LONGEST_SLEEP = 10.0  # for a longer pause the lease is given back
AFTER_TROUBLE = 60.0
MOST_DOWN = 5  # pages in a row without a response
ACCEPT = "text/html,application/xhtml+xml,text/calendar;q=0.9,*/*;q=0.1"


class SiteMustRest(Exception):
    """The site's pause is too long to sleep through; the lease is given back."""


class TimeSlice:
    def __init__(self, lease: Lease, writer: BatchWriter, client: Client, parser: Parser, browser: Browser) -> None:
        self.lease = lease
        self.writer = writer
        self.client = client
        self.parser = parser
        self.browser = browser
        self._ends = time.monotonic() + SLICE_SECONDS
        self._ready = 0.0
        self._down = 0
        self._resources_fetched = 0  # for the page a browser is rendering
        self.origins = Origins(lease)
        self._kept_base = lease.base

    async def run(self) -> None:
        pause = 0.0
        try:
            opened = await self.writer.run(stages.open_crawl, self.lease)
            if opened is not None:
                self.frontier = opened.frontier
                self.origins.learn(opened)
                self._down = opened.down
                self.recorder = VisitRecorder(opened.frontier, self.origins)
                await self._crawl()
        except (LeaseLost, SiteMustRest, DatabaseProblem):
            pass
        except Exception:
            log.exception("a slice of a crawl failed; the crawl goes on later", domain=self.lease.name.name)
            pause = AFTER_TROUBLE
        finally:
            with suppress(DatabaseProblem):
                await asyncio.shield(self.writer.run(release, self.lease, pause))

    async def _crawl(self) -> None:
        if not await self._find_origin():
            return
        await self._seed()
        while time.monotonic() < self._ends:
            visit = self.frontier.next()
            if visit is not None:
                done = await self._visited(visit)
                await self.writer.commit(done)
                await self._remember(done)
                if done.size is None or done.size > memory.LARGE:  # responses over the limit have no size
                    memory.give_back()
            elif await self.writer.run(stages.complete, self.lease):
                return
            else:
                await self.writer.run(stages.reload, self.frontier)
            if self._down >= MOST_DOWN:
                await self._give_up(f"The site stopped answering. {done.reason}")
                return

    async def _give_up(self, reason: str) -> None:
        await self.writer.run(stages.fail, self.lease, reason)

    async def _remember(self, done: FinishedVisit) -> None:
        """Update the frontier in memory with what was just stored."""
        self.frontier.asked += done.requests if done.visit.kind == "page" and done.elapsed_ms is not None else 0
        for each in done.found:
            if not each.refusal:
                self.frontier.add(each.visit)
        if done.state == "queued":
            self.frontier.add(done.visit._replace(attempts=done.visit.attempts + 1))
        if self.origins.base != self._kept_base:
            await self._keep_base(self.origins.base)

    # ---- politeness

    @property
    def _delay(self) -> float:
        return max(self.lease.rate, self.origins.delay)

    async def _wait_turn(self) -> None:
        """Wait until the next request may be sent, and check that the lease is still held."""
        wait = self._ready - time.monotonic()
        if wait > LONGEST_SLEEP:
            raise SiteMustRest
        if wait > 0:
            await asyncio.sleep(wait)
        if self._delay:
            await self.writer.hold(self.lease, self._delay)

    def _rest(self, pause: float) -> float:
        self._ready = time.monotonic() + pause
        return pause

    # ---- origin

    async def _find_origin(self) -> bool:
        """Find the origin that responds: https before http, and www if the bare name does not resolve."""
        problem = ""
        for origin in self.origins.candidates():
            answer = await self._robots_of(origin)
            rules = self.origins.rules(origin)
            if not rules.wait:
                await self._keep_base(origin)
                return True
            problem = problem or rules.reason  # the failure of the usual origin says most
            if not self.origins.may_try_another(answer):
                break
        log.info("no origin of a site responds", domain=self.lease.name.name, reason=problem)
        await self._give_up(problem)
        return False

    async def _keep_base(self, origin: str) -> None:
        self.origins.base = self._kept_base = origin
        await self.writer.run(stages.keep_base, self.lease.domain, origin)

    async def _robots_of(self, origin: str) -> robots.Answer:
        answer = self.origins.robots.get(origin)
        if answer is None:
            await self._wait_turn()
            answer = await robots.ask(self.client, origin)
            self.origins.robots[origin] = answer
            self._rest(max(self._delay, self.origins.rules(origin).delay or 0.0))
            await self.writer.run(stages.keep_robots, self.lease.domain, origin, answer)
        return answer

    async def _seed(self) -> None:
        """Queue the home page, sitemaps and known pages; addresses already queued are skipped."""
        if self.lease.kind == "url":
            return
        new = [*self.frontier.accept_home(f"{self.origins.base}/")]
        if self.lease.kind != "preview" and self.lease.max_depth:
            new += self.frontier.accept(self.origins.sitemaps(), 0, kind="sitemap")
            new += self.frontier.accept_known()
        if new:
            await self.writer.run(stages.seed, self.frontier, new)

    # ---- one visit

    async def _visited(self, visit: QueuedVisit) -> FinishedVisit:
        """Visit a page; an unexpected error fails this visit, not the crawl."""
        try:
            return await self._visit(visit)
        except (LeaseLost, SiteMustRest, DatabaseProblem):
            raise
        except Exception:
            log.exception("a visit failed", url=visit.url)
            reason = "An unexpected error happened. The worker's log says more."
            done = self.recorder.unanswered(visit, "failed", reason, 0)
            done.pause = self._rest(self._delay)
            return done

    async def _visit(self, visit: QueuedVisit) -> FinishedVisit:
        origin = self.origins.of(visit.url)
        try:
            await self._robots_of(origin)
        except FetchError as problem:  # an address that is never fetched, such as one with another port
            return self.recorder.unanswered(visit, "refused", str(problem))
        rules = self.origins.rules(origin)
        if rules.wait and (other := self.origins.at_base(visit.url)):
            return self.recorder.moved_to(visit, other)
        if not rules.allows(visit.url):
            reason = rules.reason if rules.wait else "robots.txt asks us not to visit it."
            return self.recorder.unanswered(visit, "refused", reason)
        await self._wait_turn()
        began = time.monotonic()
        try:
            response = await self.client.fetch(self._request(visit))
        except FetchError as problem:
            found = outcome.of_error(problem, visit.attempts)
            done = self.recorder.unanswered(visit, found.state, found.reason, time.monotonic() - began)
        else:
            found = outcome.of_response(response, visit.attempts, visit.hops, self.lease.name)
            done = await self._answered(visit, response, found)
        # Only first tries count: a retry that fails says nothing new about the site.
        self._down = 0 if not found.down else self._down + (visit.attempts == 0)
        done.pause = self._rest(max(self._delay, found.pause))
        return done

    def _request(self, visit: QueuedVisit) -> Request:
        if visit.kind == "sitemap":
            return Request(url=visit.url, follow=False)
        headers = {"Accept": ACCEPT}
        if page := self.frontier.pages.get(visit.url):
            headers |= {"If-None-Match": page.etag} if page.etag else {}
            headers |= {"If-Modified-Since": page.last_modified} if page.last_modified else {}
        return Request(url=visit.url, headers=headers, follow=False, only=outcome.READ)

    async def _answered(self, visit: QueuedVisit, response: Response, found: outcome.Outcome) -> FinishedVisit:
        if visit.kind == "sitemap" and response.status in outcome.OK:
            return self.recorder.of_sitemap(visit, response, await asyncio.to_thread(sitemap.parse, response.body))
        if found.state != "read":
            return self.recorder.without_body(visit, response, found)
        document = Document(
            body=response.body,
            url=visit.url,
            media_type=response.media_type,
            charset=response.charset,
            domain=self.lease.name,
        )
        self._resources_fetched = 0
        try:
            done = self.recorder.of_page(visit, response, await self._read(response, document))
        except Unreadable as problem:
            done = self.recorder.answered(visit, response, "failed", str(problem))
        done.requests += self._resources_fetched
        return done

    async def _read(self, response: Response, document: Document) -> ParsedPage:
        """Parse the page; if it needs a browser, parse what the browser renders, falling back to what was sent."""
        reading = await self.parser.read(document)
        if reading.rendering != WANTED or not self.browser.is_on:
            return reading
        await self._hold()
        try:
            shown = await self.browser.render(response, self._resource, self._hold)
        except Unreadable as problem:
            log.info("a page could not be rendered", url=document.url, reason=str(problem))
            return reading
        reading = await self.parser.read(replace(document, body=shown, charset="utf-8"))
        return replace(reading, rendering=RENDERED)

    async def _hold(self) -> None:
        await self.writer.hold(self.lease, self._delay)

    async def _resource(self, wanted: ResourceRequest) -> Response | None:
        """Fetch a resource for the page being rendered, as politely as a page; None if it may not be fetched."""
        try:
            return await self._fetched_resource(wanted, wanted.url, MOST_REDIRECTS)
        except (FetchError, SiteMustRest):
            return None

    async def _fetched_resource(self, wanted: ResourceRequest, url: str, hops: int) -> Response | None:
        """Fetch a resource; each redirect counts as a request and obeys robots.txt and the pause."""
        target = web_target(url)
        if self.frontier.asked + 1 + self._resources_fetched >= self.lease.max_pages:
            return None
        await self._robots_of(target.origin)
        rules = self.origins.rules(target.origin)
        if not rules.allows(target.url):
            return None
        await self._wait_turn()
        self._resources_fetched += 1
        try:
            response = await self.client.fetch(
                Request(url=target.url, headers=wanted.allowed_headers, follow=False, largest=LARGEST)
            )
        finally:
            self._rest(max(self._delay, rules.delay or 0.0))
        if response.status in REDIRECTS and "Location" in response.headers:
            location = web_target(escaped(response.headers["Location"]), base=response.url)
            return await self._fetched_resource(wanted, location.url, hops - 1) if hops else None
        return response

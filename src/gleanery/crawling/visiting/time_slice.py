"""One slice of a crawl: a site is asked page by page, one request at a time, until the slice or the work is over."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace

import structlog

from gleanery.crawling.frontier.leases import Lease, release
from gleanery.crawling.frontier.origin import Origins
from gleanery.crawling.frontier.statements import Done, Queued
from gleanery.crawling.pages import sitemap
from gleanery.crawling.pages.page_reader import Document, Reading
from gleanery.crawling.pages.parser import Parser
from gleanery.crawling.processes import memory
from gleanery.crawling.rendering.browser import Browser
from gleanery.crawling.rendering.signs import RENDERED, WANTED
from gleanery.crawling.rendering.wishes import LARGEST, Wish
from gleanery.crawling.visiting import crawl_stages as course
from gleanery.crawling.visiting import outcome
from gleanery.crawling.visiting.batch_writer import Desk, LeaseLost
from gleanery.crawling.visiting.visit_record import Report
from gleanery.errors import DatabaseProblem, FetchError, Unreadable
from gleanery.net import robots
from gleanery.net.client import Client
from gleanery.net.exchange import Request, Response
from gleanery.net.redirect import MOST_REDIRECTS, REDIRECTS, escaped
from gleanery.net.target import web_target

log = structlog.get_logger(__name__)

SLICE_SECONDS = 30.0
LONGEST_SLEEP = 10.0  # a longer rest is spent without the lease
AFTER_TROUBLE = 60.0
MOST_DOWN = 5  # pages in a row that got no answer at all
ACCEPT = "text/html,application/xhtml+xml,text/calendar;q=0.9,*/*;q=0.1"


class Rest(Exception):
    """Longer than a slice should sleep; the lease is given back meanwhile."""


class Slice:
    def __init__(self, lease: Lease, desk: Desk, client: Client, parser: Parser, browser: Browser) -> None:
        self.lease = lease
        self.desk = desk
        self.client = client
        self.parser = parser
        self.browser = browser
        self._ends = time.monotonic() + SLICE_SECONDS
        self._ready = 0.0
        self._down = 0
        self._supplied_so_far = 0  # to a browser, for the page that it shows
        self.origins = Origins(lease)
        self._kept_base = lease.base

    async def run(self) -> None:
        pause = 0.0
        try:
            opened = await self.desk.run(course.open_crawl, self.lease)
            if opened is not None:
                self.frontier = opened.frontier
                self.origins.learn(opened)
                self._down = opened.down
                self.report = Report(opened.frontier, self.origins)
                await self._go()
        except (LeaseLost, Rest, DatabaseProblem):
            pass
        except Exception:
            log.exception("a slice of a crawl broke off; it is taken up again", domain=self.lease.name.name)
            pause = AFTER_TROUBLE
        finally:
            with suppress(DatabaseProblem):
                await asyncio.shield(self.desk.run(release, self.lease, pause))

    async def _go(self) -> None:
        if not await self._reach():
            return
        await self._seed()
        while time.monotonic() < self._ends:
            visit = self.frontier.next()
            if visit is not None:
                done = await self._visited(visit)
                await self.desk.commit(done)
                await self._take_over(done)
                if done.size is None or done.size > memory.LARGE:  # what is too large has no size
                    memory.give_back()
            elif await self.desk.run(course.complete, self.lease):
                return
            else:
                await self.desk.run(course.reload, self.frontier)
            if self._down >= MOST_DOWN:
                await self._give_up(f"The site stopped answering. {done.reason}")
                return

    async def _give_up(self, reason: str) -> None:
        await self.desk.run(course.fail, self.lease, reason)

    async def _take_over(self, done: Done) -> None:
        """What was just committed is kept in mind too."""
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

    async def _turn(self) -> None:
        """Returns when the next request may be made; the last moment at which somebody can stop it."""
        wait = self._ready - time.monotonic()
        if wait > LONGEST_SLEEP:
            raise Rest
        if wait > 0:
            await asyncio.sleep(wait)
        if self._delay:
            await self.desk.hold(self.lease, self._delay)

    def _rest(self, pause: float) -> float:
        self._ready = time.monotonic() + pause
        return pause

    # ---- where the site is

    async def _reach(self) -> bool:
        """Finds the origin that answers: https before http, and with www where the bare name is not known."""
        trouble = ""
        for origin in self.origins.candidates():
            answer = await self._robots_of(origin)
            rules = self.origins.rules(origin)
            if not rules.wait:
                await self._keep_base(origin)
                return True
            trouble = trouble or rules.reason  # the usual address says more than a guess that was not there
            if not self.origins.may_try_another(answer):
                break
        log.info("no address of a site answers", domain=self.lease.name.name, reason=trouble)
        await self._give_up(trouble)
        return False

    async def _keep_base(self, origin: str) -> None:
        self.origins.base = self._kept_base = origin
        await self.desk.run(course.keep_base, self.lease.domain, origin)

    async def _robots_of(self, origin: str) -> robots.Answer:
        answer = self.origins.robots.get(origin)
        if answer is None:
            await self._turn()
            answer = await robots.ask(self.client, origin)
            self.origins.robots[origin] = answer
            self._rest(max(self._delay, self.origins.rules(origin).delay or 0.0))
            await self.desk.run(course.keep_robots, self.lease.domain, origin, answer)
        return answer

    async def _seed(self) -> None:
        """Once for each crawl; what it has met already is not met again."""
        if self.lease.kind == "url":
            return
        new = [*self.frontier.meet_home(f"{self.origins.base}/")]
        if self.lease.kind != "preview" and self.lease.max_depth:
            new += self.frontier.meet(self.origins.sitemaps(), 0, kind="sitemap")
            new += self.frontier.meet_known()
        if new:
            await self.desk.run(course.seed, self.frontier, new)

    # ---- one visit

    async def _visited(self, visit: Queued) -> Done:
        """Whatever a page does to us, it costs this one visit and not the crawl."""
        try:
            return await self._visit(visit)
        except (LeaseLost, Rest, DatabaseProblem):
            raise
        except Exception:
            log.exception("a visit failed", url=visit.url)
            reason = "Something unforeseen happened; the log of the worker says what."
            done = self.report.plain(visit, "failed", reason, 0)
            done.pause = self._rest(self._delay)
            return done

    async def _visit(self, visit: Queued) -> Done:
        origin = self.origins.of(visit.url)
        try:
            await self._robots_of(origin)
        except FetchError as problem:  # no such address is ever asked for: another port, for example
            return self.report.plain(visit, "refused", str(problem))
        rules = self.origins.rules(origin)
        if rules.wait and (other := self.origins.instead(visit.url)):
            return self.report.elsewhere(visit, other)
        if not rules.allows(visit.url):
            reason = rules.reason if rules.wait else "robots.txt asks us not to visit it."
            return self.report.plain(visit, "refused", reason)
        await self._turn()
        began = time.monotonic()
        try:
            response = await self.client.fetch(self._request(visit))
        except FetchError as problem:
            found = outcome.of_error(problem, visit.attempts)
            done = self.report.plain(visit, found.state, found.reason, time.monotonic() - began)
        else:
            found = outcome.of_response(response, visit.attempts, visit.hops, self.lease.name)
            done = await self._answered(visit, response, found)
        # A second try that fails too says nothing new: only pages that were never asked for before count.
        self._down = 0 if not found.down else self._down + (visit.attempts == 0)
        done.pause = self._rest(max(self._delay, found.pause))
        return done

    def _request(self, visit: Queued) -> Request:
        if visit.kind == "sitemap":
            return Request(url=visit.url, follow=False)
        headers = {"Accept": ACCEPT}
        if page := self.frontier.pages.get(visit.url):
            headers |= {"If-None-Match": page.etag} if page.etag else {}
            headers |= {"If-Modified-Since": page.last_modified} if page.last_modified else {}
        return Request(url=visit.url, headers=headers, follow=False, only=outcome.READ)

    async def _answered(self, visit: Queued, response: Response, found: outcome.Outcome) -> Done:
        if visit.kind == "sitemap" and response.status in outcome.OK:
            return self.report.listed(visit, response, await asyncio.to_thread(sitemap.parse, response.body))
        if found.state != "read":
            return self.report.told(visit, response, found)
        document = Document(
            body=response.body,
            url=visit.url,
            media_type=response.media_type,
            charset=response.charset,
            domain=self.lease.name,
        )
        self._supplied_so_far = 0
        try:
            done = self.report.read(visit, response, await self._read(response, document))
        except Unreadable as problem:
            done = self.report.answered(visit, response, "failed", str(problem))
        done.requests += self._supplied_so_far
        return done

    async def _read(self, response: Response, document: Document) -> Reading:
        """What a browser shows is read as the page; where it cannot show it, what was sent is."""
        reading = await self.parser.read(document)
        if reading.rendering != WANTED or not self.browser.is_on:
            return reading
        await self._hold()
        try:
            shown = await self.browser.render(response, self._supply, self._hold)
        except Unreadable as problem:
            log.info("a page could not be rendered", url=document.url, reason=str(problem))
            return reading
        reading = await self.parser.read(replace(document, body=shown, charset="utf-8"))
        return replace(reading, rendering=RENDERED)

    async def _hold(self) -> None:
        await self.desk.hold(self.lease, self._delay)

    async def _supply(self, wish: Wish) -> Response | None:
        """What a page asks for while it is shown, as politely as anything else; None where it may not be had."""
        try:
            return await self._supplied(wish, wish.url, MOST_REDIRECTS)
        except (FetchError, Rest):
            return None

    async def _supplied(self, wish: Wish, url: str, hops: int) -> Response | None:
        """Every hop is a request: one of the crawl's pages, allowed by the robots.txt of its host, in its turn."""
        target = web_target(url)
        if self.frontier.asked + 1 + self._supplied_so_far >= self.lease.max_pages:
            return None
        await self._robots_of(target.origin)
        rules = self.origins.rules(target.origin)
        if not rules.allows(target.url):
            return None
        await self._turn()
        self._supplied_so_far += 1
        try:
            response = await self.client.fetch(
                Request(url=target.url, headers=wish.told_headers, follow=False, largest=LARGEST)
            )
        finally:
            self._rest(max(self._delay, rules.delay or 0.0))
        if response.status in REDIRECTS and "Location" in response.headers:
            location = web_target(escaped(response.headers["Location"]), base=response.url)
            return await self._supplied(wish, location.url, hops - 1) if hops else None
        return response

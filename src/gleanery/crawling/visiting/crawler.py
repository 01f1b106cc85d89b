"""The crawler of a worker: takes sites that are ready, many at a time, and gives each a time slice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

import structlog
from django.conf import settings

from gleanery.crawling.frontier.leases import claim, rows
from gleanery.crawling.pages.parser import Parser
from gleanery.crawling.processes import memory
from gleanery.crawling.rendering.browser import Browser
from gleanery.crawling.rendering.chromium import find_chromium
from gleanery.crawling.visiting.batch_writer import BatchWriter
from gleanery.crawling.visiting.time_slice import TimeSlice
from gleanery.errors import BadSetting, DatabaseProblem
from gleanery.net.client import Client

log = structlog.get_logger(__name__)

SITES_AT_ONCE = 100
# Taken a few at a time, so that workers starting together share the sites.
SITES_A_LOOK = 8
LOOK_AGAIN = 0.05
LOOK_EVERY = 0.2
AFTER_TROUBLE = 5.0
IS_OPEN = "SELECT FROM crawl WHERE id = ANY(%(crawls)s) AND status IN ('waiting', 'running')"


async def crawl_for_ever() -> None:
    """Crawl until cancelled; then release the leases and discard requests in flight."""
    await Crawler().run()


async def crawl_only(crawls: Sequence[UUID]) -> None:
    """Work on these crawls until they are over, alongside other workers."""
    await Crawler(only=crawls).run()


class Crawler:
    def __init__(self, only: Sequence[UUID] | None = None) -> None:
        self._only = only
        self._slices: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        memory.keep_small()
        browser = Browser(_chromium())
        async with Client(settings.ENVIRONMENT) as client, Parser() as parser, BatchWriter(self._slices) as writer:
            try:
                while await self._goes_on(writer):
                    await self._take_sites(client, parser, browser, writer)
            finally:
                await self._stop()

    async def _goes_on(self, writer: BatchWriter) -> bool:
        return self._only is None or bool(await writer.run(rows, IS_OPEN, crawls=list(self._only)))

    async def _take_sites(self, client: Client, parser: Parser, browser: Browser, writer: BatchWriter) -> None:
        """Take sites and start their slices; raise if the database was lost, since the leases are lost with it."""
        if writer.problem:
            raise writer.problem
        try:
            room = min(SITES_A_LOOK, SITES_AT_ONCE - len(self._slices))
            taken = await writer.run(claim, room, self._only) if room else []
        except DatabaseProblem:
            raise
        except Exception:
            log.exception("no sites could be taken; trying again")
            await asyncio.sleep(AFTER_TROUBLE)
            return
        for lease in taken:
            task = asyncio.create_task(TimeSlice(lease, writer, client, parser, browser).run())
            self._slices.add(task)
            task.add_done_callback(self._slices.discard)
        await self._wait(LOOK_AGAIN if len(taken) == SITES_A_LOOK else LOOK_EVERY)

    async def _wait(self, seconds: float) -> None:
        if not self._slices:
            await asyncio.sleep(seconds)
        else:
            await asyncio.wait(self._slices, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    async def _stop(self) -> None:
        for task in list(self._slices):
            task.cancel()
        await asyncio.gather(*self._slices, return_exceptions=True)


def _chromium() -> str:
    """Return the path of Chromium; without one the crawl goes on and pages are not rendered."""
    try:
        return find_chromium(settings.ENVIRONMENT.browser)
    except BadSetting as problem:
        log.warning("pages are not rendered", reason=str(problem))
        return ""

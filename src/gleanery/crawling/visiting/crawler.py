"""The crawler of a worker: takes sites that are ready, many at once, and gives each a slice in turn."""

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
from gleanery.crawling.visiting.batch_writer import Desk
from gleanery.crawling.visiting.time_slice import Slice
from gleanery.errors import BadSetting, DatabaseProblem
from gleanery.net.client import Client

log = structlog.get_logger(__name__)

SITES_AT_ONCE = 100
# Taken a few at a time, so that workers that start together share what there is.
SITES_A_LOOK = 8
LOOK_AGAIN = 0.05
LOOK_EVERY = 0.2
AFTER_TROUBLE = 5.0
IS_OPEN = "SELECT FROM crawl WHERE id = ANY(%(crawls)s) AND status IN ('waiting', 'running')"


async def crawl_for_ever() -> None:
    """Until it is cancelled; leases are given back then, and what is in flight is thrown away."""
    await Crawler().run()


async def crawl_only(crawls: Sequence[UUID]) -> None:
    """Takes part in these crawls until they are over, whoever does the work."""
    await Crawler(only=crawls).run()


class Crawler:
    def __init__(self, only: Sequence[UUID] | None = None) -> None:
        self._only = only
        self._slices: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        memory.keep_small()
        browser = Browser(_chromium())
        async with Client(settings.ENVIRONMENT) as client, Parser() as parser, Desk(self._slices) as desk:
            try:
                while await self._goes_on(desk):
                    await self._take_sites(client, parser, browser, desk)
            finally:
                await self._stop()

    async def _goes_on(self, desk: Desk) -> bool:
        return self._only is None or bool(await desk.run(rows, IS_OPEN, crawls=list(self._only)))

    async def _take_sites(self, client: Client, parser: Parser, browser: Browser, desk: Desk) -> None:
        """When the database is lost, so are the leases: all ends, and whoever started it decides on another try."""
        if desk.trouble:
            raise desk.trouble
        try:
            room = min(SITES_A_LOOK, SITES_AT_ONCE - len(self._slices))
            taken = await desk.run(claim, room, self._only) if room else []
        except DatabaseProblem:
            raise
        except Exception:
            log.exception("no sites could be taken; it is tried again")
            await asyncio.sleep(AFTER_TROUBLE)
            return
        for lease in taken:
            task = asyncio.create_task(Slice(lease, desk, client, parser, browser).run())
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
    """A browser that is missing costs the pages that need it, not the crawl."""
    try:
        return find_chromium(settings.ENVIRONMENT.browser)
    except BadSetting as problem:
        log.warning("no page is rendered", reason=str(problem))
        return ""

"""The crawler of a worker: takes sites that are ready, many at once, and gives each a slice in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

import structlog
from django.conf import settings

from gleanery.crawling import memory
from gleanery.crawling.desk import Desk
from gleanery.crawling.lease import claim, rows
from gleanery.crawling.parsing import Parser
from gleanery.crawling.slice import Slice
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
        async with Client(settings.ENVIRONMENT) as client, Parser() as parser, Desk(self._slices) as desk:
            try:
                while await self._goes_on(desk):
                    await self._take_sites(client, parser, desk)
            finally:
                await self._stop()

    async def _goes_on(self, desk: Desk) -> bool:
        return self._only is None or bool(await desk.run(rows, IS_OPEN, crawls=list(self._only)))

    async def _take_sites(self, client: Client, parser: Parser, desk: Desk) -> None:
        """When the database is away, so are the leases: what is under way ends, and it is tried again later."""
        if desk.cut_off:
            desk.cut_off = False
            await self._stop()
        try:
            room = min(SITES_A_LOOK, SITES_AT_ONCE - len(self._slices))
            taken = await desk.run(claim, room, self._only) if room else []
        except Exception:
            log.exception("no sites could be taken; it is tried again")
            await asyncio.sleep(AFTER_TROUBLE)
            return
        for lease in taken:
            task = asyncio.create_task(Slice(lease, desk, client, parser).run())
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

"""Worker loop that reads due feeds, many hosts at once, one feed at a time per host."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import structlog

from gleanery.feeds import services, storage
from gleanery.feeds.reading.download import ReadingFailed
from gleanery.feeds.reading.feed_client import FeedClient
from gleanery.feeds.reading.host_access import NotWanted
from gleanery.feeds.reading.requests import request_for_feed

log = structlog.get_logger(__name__)

HOSTS_AT_ONCE = 20
POLL_SECONDS = 1.0
SHORT_POLL_SECONDS = 0.05
ERROR_PAUSE_SECONDS = 5.0
UNFORESEEN = "The answer could not be read or stored. See the log of the worker."


async def read_feeds_for_ever() -> None:
    """Read feeds until cancelled. Leases are then released and requests in flight dropped."""
    await FeedWorker().run()


async def read_feeds_only(feeds: Sequence[UUID]) -> None:
    """Read these feeds until none is due, also by other workers."""
    await FeedWorker(only=feeds).run()


class FeedWorker:
    """Keeps reading due feeds; `only` limits it to some and ends it when none of them is due."""

    def __init__(self, only: Sequence[UUID] | None = None) -> None:
        self._only = only
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        async with FeedClient(self._tasks) as feed_client:
            try:
                while self._only is None or await feed_client.desk.run(storage.are_wanted, self._only):
                    await self._start_readings(feed_client)
            finally:
                for task in list(self._tasks.values()):
                    task.cancel()
                await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _start_readings(self, feed_client: FeedClient) -> None:
        try:
            room = HOSTS_AT_ONCE - len(self._tasks)
            due = await feed_client.desk.run(storage.due_feeds, list(self._tasks), room, self._only) if room else []
        except Exception:
            log.exception("due feeds could not be selected; trying again")
            await asyncio.sleep(ERROR_PAUSE_SECONDS)
            return
        for each in due:
            task = asyncio.create_task(self._read(feed_client, each.feed))
            self._tasks[each.host] = task
            task.add_done_callback(partial(self._done, each.host))
        if self._tasks:
            timeout = SHORT_POLL_SECONDS if due else POLL_SECONDS
            await asyncio.wait(self._tasks.values(), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(POLL_SECONDS)

    def _done(self, host: str, _: asyncio.Task[None]) -> None:
        del self._tasks[host]

    async def _read(self, feed_client: FeedClient, feed: UUID) -> None:
        """Read one feed; any failure only costs this reading."""
        try:
            feed_request = await feed_client.desk.run(request_for_feed, feed)
            store = partial(services.store_content, feed)
            await feed_client.read(feed_request, lambda: storage.is_wanted(feed), store=store)
        except NotWanted:
            pass
        except ReadingFailed as problem:
            await feed_client.desk.run(services.record_failure, feed, problem)
        except Exception:
            log.exception("a feed could not be read; it is read again later", feed=str(feed))
            await feed_client.desk.run(services.record_failure, feed, ReadingFailed(UNFORESEEN, passing=True))

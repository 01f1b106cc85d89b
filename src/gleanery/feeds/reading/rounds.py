"""The rounds of a worker: feeds that are due are read, many hosts at once, one feed at a time from each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import structlog

from gleanery.feeds import services, storage
from gleanery.feeds.reading.crew import Crew
from gleanery.feeds.reading.errand import errand_for
from gleanery.feeds.reading.gate import NotWanted
from gleanery.feeds.reading.harvest import Failed

log = structlog.get_logger(__name__)

HOSTS_AT_ONCE = 20
LOOK_EVERY = 1.0
LOOK_AGAIN = 0.05
AFTER_TROUBLE = 5.0
UNFORESEEN = "Its answer could not be read or stored; the log of the worker says why."


async def read_feeds_for_ever() -> None:
    """Until it is cancelled; leases are given back then, and what is in flight is thrown away."""
    await Rounds().run()


async def read_feeds_only(feeds: Sequence[UUID]) -> None:
    """Reads these until none of them is due, whoever does the work."""
    await Rounds(only=feeds).run()


class Rounds:
    def __init__(self, only: Sequence[UUID] | None = None) -> None:
        self._only = only
        self._at_work: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        async with Crew(self._at_work) as crew:
            try:
                while self._only is None or await crew.desk.run(storage.are_wanted, self._only):
                    await self._take_some(crew)
            finally:
                for task in list(self._at_work.values()):
                    task.cancel()
                await asyncio.gather(*self._at_work.values(), return_exceptions=True)

    async def _take_some(self, crew: Crew) -> None:
        try:
            room = HOSTS_AT_ONCE - len(self._at_work)
            taken = await crew.desk.run(storage.due, list(self._at_work), room, self._only) if room else []
        except Exception:
            log.exception("feeds that are due could not be told; it is tried again")
            await asyncio.sleep(AFTER_TROUBLE)
            return
        for each in taken:
            task = asyncio.create_task(self._read(crew, each.feed))
            self._at_work[each.host] = task
            task.add_done_callback(partial(self._done, each.host))
        if self._at_work:
            timeout = LOOK_AGAIN if taken else LOOK_EVERY
            await asyncio.wait(self._at_work.values(), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(LOOK_EVERY)

    def _done(self, host: str, _: asyncio.Task[None]) -> None:
        del self._at_work[host]

    async def _read(self, crew: Crew, feed: UUID) -> None:
        """Whatever a feed does to us, it costs this one reading."""
        try:
            errand = await crew.desk.run(errand_for, feed)
            harvest = await crew.read(errand, lambda: storage.is_wanted(feed))
            await crew.desk.run(services.keep, feed, harvest)
        except NotWanted:
            pass
        except Failed as problem:
            await crew.desk.run(services.fail, feed, problem)
        except Exception:
            log.exception("a feed could not be read; it is tried again later", feed=str(feed))
            await crew.desk.run(services.fail, feed, Failed(UNFORESEEN, passing=True))

"""What all that read feeds need: one client, one parser, one desk; opened when there is something to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sized
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from django.conf import settings

from gleanery.crawling.visiting.batch_writer import Desk
from gleanery.feeds.reading.gate import Gate
from gleanery.feeds.reading.harvest import Errand, Harvest, Reader
from gleanery.feeds.reading.parser import Parser
from gleanery.net.client import Client
from gleanery.net.exchange import Response


class Crew:
    """`async with Crew() as crew: harvest = await crew.read(errand, may_ask)`."""

    def __init__(self, at_work: Sized = ()) -> None:
        self.desk = Desk(at_work)
        self._stack = AsyncExitStack()
        self._client: Client | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.desk)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def read(self, errand: Errand, may_ask: Callable[[], bool], first: Response | None = None) -> Harvest:
        """Failed says why nothing came; NotWanted that nobody wants to know any more."""
        client, parser = await self._tools()
        async with Gate(self.desk, client, may_ask) as gate:
            return await Reader(errand, gate, client, parser).read(first)

    async def fetch(self, errand: Errand) -> Response:
        """The first answer alone, as it came."""
        client, parser = await self._tools()
        async with Gate(self.desk, client, lambda: True) as gate:
            return await Reader(errand, gate, client, parser).answered(errand.url)

    async def _tools(self) -> tuple[Client, Parser]:
        """Most workers never see a feed: the process that parses starts with the first one."""
        async with self._opening:
            if self._client is None:
                client = await self._stack.enter_async_context(Client(settings.ENVIRONMENT))
                self._parser = await self._stack.enter_async_context(Parser())
                self._client = client
        return self._client, self._parser

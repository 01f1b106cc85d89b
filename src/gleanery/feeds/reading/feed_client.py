"""HTTP client, parser and database thread shared by all feed readings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sized
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from django.conf import settings

from gleanery.crawling.visiting.batch_writer import BatchWriter
from gleanery.feeds.reading.download import FeedContent, FeedDownload, FeedRequest
from gleanery.feeds.reading.host_access import HostAccess
from gleanery.feeds.reading.parser import Parser
from gleanery.net.client import Client
from gleanery.net.exchange import Response


class FeedClient:
    """Use as `async with FeedClient() as client: content = await client.read(request, may_ask)`."""

    def __init__(self, tasks: Sized = ()) -> None:
        self.desk = BatchWriter(tasks)
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

    async def read(
        self,
        feed_request: FeedRequest,
        may_ask: Callable[[], bool],
        first: Response | None = None,
        store: Callable[[FeedContent], object] | None = None,
    ) -> FeedContent:
        """Read a feed. Raises ReadingFailed, or NotWanted if the feed was stopped meanwhile.

        `store` is called before the host is released, so that no other worker finds the feed still due.
        """
        client, parser = await self._opened()
        async with HostAccess(self.desk, client, may_ask) as access:
            content = await FeedDownload(feed_request, access, client, parser).read(first)
            if store is not None:
                await self.desk.run(store, content)
        return content

    async def fetch(self, feed_request: FeedRequest) -> Response:
        """Return the first answer, unparsed."""
        client, parser = await self._opened()
        async with HostAccess(self.desk, client, lambda: True) as access:
            return await FeedDownload(feed_request, access, client, parser).fetch_page(feed_request.url)

    async def _opened(self) -> tuple[Client, Parser]:
        """Start client and parser on first use, since most workers never read a feed."""
        async with self._opening:
            if self._client is None:
                client = await self._stack.enter_async_context(Client(settings.ENVIRONMENT))
                self._parser = await self._stack.enter_async_context(Parser())
                self._client = client
        return self._client, self._parser

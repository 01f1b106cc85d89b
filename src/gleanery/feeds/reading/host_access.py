"""Access control before each feed request: host lease, robots.txt, pace, and permission."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from gleanery.crawling.frontier import hosts
from gleanery.crawling.frontier.hosts import HostLease
from gleanery.crawling.visiting.batch_writer import BatchWriter
from gleanery.errors import Conflict, FetchError
from gleanery.feeds.finding.candidates import host_of
from gleanery.net import robots
from gleanery.net.client import Client
from gleanery.net.robots import Rules, rules_of
from gleanery.net.target import web_target

LEASE_PATIENCE = 60.0  # seconds to wait for a host; a crawl holds it for up to 30
POLL_SECONDS = 0.2
LONGEST_SLEEP = 60.0


class Refused(Exception):
    """Raised if a request is not allowed. `passing` means that it may be later."""

    def __init__(self, sentence: str, *, passing: bool = False) -> None:
        super().__init__(sentence)
        self.passing = passing


class NotWanted(Exception):
    """Raised if the feed was stopped, another worker was faster, or its host is busy."""


class HostAccess:
    """Use as `async with HostAccess(...) as access`. `may_ask` is called before every request."""

    def __init__(self, desk: BatchWriter, client: Client, may_ask: Callable[[], bool]) -> None:
        self._desk = desk
        self._client = client
        self._may_ask = may_ask
        self._lease: HostLease | None = None
        self._rules: dict[str, Rules] = {}
        self._ready = 0.0
        self._delay = 0.0
        self._has_asked = False

    async def __aenter__(self) -> HostAccess:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.shield(self._release())

    async def admit(self, url: str) -> None:
        """Wait until this address may be requested."""
        host = host_of(url)
        if not host:
            raise Refused("This is not a web address that can be fetched.")
        lease = await self._lease_of(host)
        rules = await self._rules_of(lease, url)
        if not rules.allows(url):
            reason = rules.reason if rules.wait else f"robots.txt of {host} asks us not to read it."
            raise Refused(reason, passing=rules.wait)
        self._delay = max(lease.rate, rules.delay or 0.0)
        await self._wait(lease)
        self._has_asked = True

    def rest(self) -> None:
        """Note that the host has answered, which starts the pause."""
        self._ready = time.monotonic() + self._delay

    async def _lease_of(self, host: str) -> HostLease:
        if self._lease is not None and self._lease.host == host:
            return self._lease
        await self._release()
        until = time.monotonic() + LEASE_PATIENCE
        while True:
            try:
                self._lease = await self._desk.run(hosts.take, host)
            except Conflict as problem:
                raise Refused(str(problem)) from None
            if self._lease is not None:
                return self._lease
            if time.monotonic() > until:
                raise NotWanted
            await asyncio.sleep(POLL_SECONDS)

    async def _release(self) -> None:
        if self._lease is not None:
            lease, self._lease = self._lease, None
            await self._desk.run(hosts.release, lease)

    async def _rules_of(self, lease: HostLease, url: str) -> Rules:
        try:
            origin = web_target(url).origin
        except FetchError as problem:
            raise Refused(str(problem)) from None
        if origin not in self._rules:
            answer = await self._desk.run(hosts.robots_of, lease, origin)
            if answer is None:
                self._delay = lease.rate
                await self._wait(lease)
                answer = await robots.ask(self._client, origin)
                self.rest()
                await self._desk.run(hosts.keep, lease, origin, answer)
            self._rules[origin] = rules_of(answer)
        return self._rules[origin]

    async def _wait(self, lease: HostLease) -> None:
        """Wait for the pause, then check once more that the request is still wanted."""
        wait = max(0.0, self._ready - time.monotonic())
        if wait > LONGEST_SLEEP:  # the lease would expire; the pause is stored for the next reading
            if not self._has_asked:
                raise NotWanted
            raise Refused("The host asks for longer pauses than a reading may take.", passing=True)
        await asyncio.sleep(wait)
        if not await self._desk.run(self._extend_lease, lease):
            raise NotWanted

    def _extend_lease(self, lease: HostLease) -> bool:
        return hosts.hold(lease, self._delay) and self._may_ask()

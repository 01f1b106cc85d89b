"""The gate before every request for a feed: a lease of its host, its robots.txt, its pace, and leave to ask at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from gleanery.crawling.frontier import hosts
from gleanery.crawling.frontier.hosts import HostLease
from gleanery.crawling.visiting.batch_writer import Desk
from gleanery.errors import Conflict, FetchError
from gleanery.feeds.finding.choosing import host_of
from gleanery.net import robots
from gleanery.net.client import Client
from gleanery.net.robots import Rules, rules_of
from gleanery.net.target import web_target

PATIENCE = 60.0  # seconds until a host is free: a slice of a crawl takes 30
LOOK_EVERY = 0.2
LONGEST_SLEEP = 60.0


class Refused(Exception):
    """No request may be made; its text says why. Where it is `passing`, another time may do."""

    def __init__(self, sentence: str, *, passing: bool = False) -> None:
        super().__init__(sentence)
        self.passing = passing


class NotWanted(Exception):
    """Nobody wants to know now: the feed or its source was stopped, another worker was faster, or its host is busy."""


class Gate:
    """Use as `async with Gate(...) as gate`; `may_ask` is put to the database before every request."""

    def __init__(self, desk: Desk, client: Client, may_ask: Callable[[], bool]) -> None:
        self._desk = desk
        self._client = client
        self._may_ask = may_ask
        self._lease: HostLease | None = None
        self._rules: dict[str, Rules] = {}
        self._ready = 0.0
        self._delay = 0.0
        self._has_asked = False

    async def __aenter__(self) -> Gate:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.shield(self._release())

    async def admit(self, url: str) -> None:
        """Returns when this address may be asked for."""
        host = host_of(url)
        if not host:
            raise Refused("This is not a web address that can be fetched.")
        lease = await self._at(host)
        rules = await self._rules_of(lease, url)
        if not rules.allows(url):
            reason = rules.reason if rules.wait else f"robots.txt of {host} asks us not to read it."
            raise Refused(reason, passing=rules.wait)
        self._delay = max(lease.rate, rules.delay or 0.0)
        await self._turn(lease)
        self._has_asked = True

    def rest(self) -> None:
        """The host has answered."""
        self._ready = time.monotonic() + self._delay

    async def _at(self, host: str) -> HostLease:
        if self._lease is not None and self._lease.host == host:
            return self._lease
        await self._release()
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._lease = await self._desk.run(hosts.take, host)
            except Conflict as problem:
                raise Refused(str(problem)) from None
            if self._lease is not None:
                return self._lease
            if time.monotonic() > until:
                raise NotWanted
            await asyncio.sleep(LOOK_EVERY)

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
                await self._turn(lease)
                answer = await robots.ask(self._client, origin)
                self.rest()
                await self._desk.run(hosts.keep, lease, origin, answer)
            self._rules[origin] = rules_of(answer)
        return self._rules[origin]

    async def _turn(self, lease: HostLease) -> None:
        """The last moment at which somebody can stop the request."""
        wait = max(0.0, self._ready - time.monotonic())
        if wait > LONGEST_SLEEP:  # the lease would be lost meanwhile; the database keeps the pause for the next reading
            if not self._has_asked:
                raise NotWanted
            raise Refused("Its host wants longer pauses than one reading may take.", passing=True)
        await asyncio.sleep(wait)
        if not await self._desk.run(self._hold, lease):
            raise NotWanted

    def _hold(self, lease: HostLease) -> bool:
        return hosts.hold(lease, self._delay) and self._may_ask()

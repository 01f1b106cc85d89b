"""Times the requests to providers: pauses, waits that a provider asks for, and back-off."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from threading import Lock

from gleanery.discovery.providers.provider import Provider

FIRST_BACK_OFF = 1.0


class Pacing:
    """Pacing shared by the whole process, so that all event loops and threads keep the pauses together."""

    def __init__(
        self,
        *,
        first_back_off: float = FIRST_BACK_OFF,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self._first_back_off = first_back_off
        self._sleep = sleep
        self._lock = Lock()
        self._free_at: defaultdict[str, float] = defaultdict(float)
        self._held_until: defaultdict[str, float] = defaultdict(float)

    async def wait_turn(self, provider: Provider) -> None:
        """Wait for this request's turn, first come, first served, including waits that the provider asks for."""
        await self._sleep(self._reserve(provider))
        while self.clock() < self._held_until[provider.name]:
            await self._sleep(self._reserve(provider))

    async def back_off(self, provider: Provider, tries: int, asked: float | None) -> None:
        """Wait before a retry; a wait that the provider asks for holds all its requests, our back-off only this one."""
        if asked:
            self._hold(provider, asked)
        await self._sleep(self._first_back_off * 2 ** (tries - 1) * random.uniform(0.5, 1.5))  # noqa: S311

    def _reserve(self, provider: Provider) -> float:
        with self._lock:
            now = self.clock()
            start = max(now, self._free_at[provider.name], self._held_until[provider.name])
            self._free_at[provider.name] = start + provider.pause
            return start - now

    def _hold(self, provider: Provider, seconds: float) -> None:
        with self._lock:
            until = self.clock() + seconds
            self._held_until[provider.name] = max(until, self._held_until[provider.name])

"""Shows pages in a browser that is started for each anew, can reach nothing but us, and is killed when it is done."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

import psutil

from gleanery.crawling.processes.child_pool import MEMORY, PASSED_ON
from gleanery.crawling.rendering.wishes import LONGEST_MESSAGE, Allowance, Gift, Scripts, Wish, gift_line, line, wish_of
from gleanery.errors import Unreadable
from gleanery.net.exchange import Response

SECONDS = 20.0
SETTLED = 15.0  # of these: then it is shown as it is
SECONDS_TO_DIE = 5.0
AT_ONCE = 2  # each takes some 300 MB
LONGEST_WAIT = 30.0  # for a turn, before the lease of the site has to be held again

TOO_SLOW = f"A browser could not show it in {SECONDS:g} seconds."
ENDED = "The browser ended before it had shown the page."

Supply = Callable[[Wish], Awaitable[Response | None]]
Hold = Callable[[], Awaitable[None]]


class Browser:
    """`chromium` is the path of one, "" where the operator did not turn it on."""

    def __init__(self, chromium: str) -> None:
        self._chromium = chromium
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._scripts = Scripts()

    @property
    def is_on(self) -> bool:
        return bool(self._chromium)

    async def render(self, page: Response, supply: Supply, hold: Hold) -> bytes:
        """The page's HTML once its scripts have run; Unreadable where it cannot be shown.

        Whatever it asks for is asked of `supply`, one thing at a time. `hold` is called while it waits for its turn.
        """
        await self._turn(hold)
        try:
            async with asyncio.timeout(SECONDS):
                return await self._rendered(page, supply)
        except TimeoutError:
            raise Unreadable(TOO_SLOW) from None
        finally:
            self._turns.release()

    async def _turn(self, hold: Hold) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_WAIT):
                    await self._turns.acquire()
                    return
            await hold()

    async def _rendered(self, page: Response, supply: Supply) -> bytes:
        child = await _started()
        try:
            gift = asdict(Gift.of(page))
            _send(child, line(chromium=self._chromium, url=page.url, page=gift, seconds=SETTLED))
            allowance = Allowance()
            while "wish" in (told := await _told(child)):
                _send(child, gift_line(await self._granted(wish_of(told["wish"]), allowance, supply)))
        finally:
            await asyncio.shield(_end(child))
        if "problem" in told:
            raise Unreadable(f"A browser could not show it: {told['problem']}")
        return str(told["html"]).encode("utf-8", "replace")

    async def _granted(self, wish: Wish, allowance: Allowance, supply: Supply) -> Gift | None:
        if kept := self._scripts.get(wish):
            return kept
        if not allowance.grants(wish):
            return None
        response = await supply(wish)
        gift = Gift.of(response) if response else None
        allowance.take(gift)
        if gift:
            self._scripts.keep(wish, gift)
        return gift


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "gleanery.crawling.rendering.child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)} | MEMORY,
        limit=LONGEST_MESSAGE,
        start_new_session=True,
    )


def _send(child: asyncio.subprocess.Process, message: bytes) -> None:
    assert child.stdin is not None  # noqa: S101 - it was started with one
    child.stdin.write(message)


async def _told(child: asyncio.subprocess.Process) -> dict[str, Any]:
    assert child.stdout is not None  # noqa: S101 - it was started with one
    try:
        told: dict[str, Any] = json.loads(await child.stdout.readuntil(b"\n"))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        raise Unreadable(ENDED) from None
    return told


async def _end(child: asyncio.subprocess.Process) -> None:
    """The end of its input ends it, with all below it and its profile; what does not end is killed."""
    assert child.stdin is not None  # noqa: S101 - it was started with one
    child.stdin.close()
    try:
        async with asyncio.timeout(SECONDS_TO_DIE):
            await child.wait()
    except TimeoutError:
        with contextlib.suppress(psutil.NoSuchProcess):
            for each in (*psutil.Process(child.pid).children(recursive=True), psutil.Process(child.pid)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()
        await child.wait()

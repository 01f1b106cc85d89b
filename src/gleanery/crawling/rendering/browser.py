"""Renders pages, each in a new browser process without network access that is killed afterwards."""

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
from gleanery.crawling.rendering.resource_requests import (
    LONGEST_MESSAGE,
    Allowance,
    ResourceRequest,
    ResourceResponse,
    Scripts,
    line,
    request_of,
    response_line,
)
from gleanery.errors import Unreadable
from gleanery.net.exchange import Response

SECONDS = 20.0
SETTLED = 15.0  # after these seconds the page is taken as it is
SECONDS_TO_DIE = 5.0
AT_ONCE = 2  # a browser takes some 300 MB
LONGEST_WAIT = 30.0  # for a free browser, before the site's lease must be extended

TOO_SLOW = f"A browser could not render it in {SECONDS:g} seconds."
ENDED = "The browser ended before it had rendered the page."

Supply = Callable[[ResourceRequest], Awaitable[Response | None]]
Hold = Callable[[], Awaitable[None]]


class Browser:
    """Renders pages with the Chromium at this path; "" means rendering is off."""

    def __init__(self, chromium: str) -> None:
        self._chromium = chromium
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._scripts = Scripts()

    @property
    def is_on(self) -> bool:
        return bool(self._chromium)

    async def render(self, page: Response, supply: Supply, hold: Hold) -> bytes:
        """Return the page's HTML after its scripts have run; raise Unreadable if it cannot be rendered.

        Resources it requests are fetched with `supply`, one at a time. `hold` is called while waiting for a browser.
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
            first = asdict(ResourceResponse.of(page))
            _send(child, line(chromium=self._chromium, url=page.url, page=first, seconds=SETTLED))
            allowance = Allowance()
            while "request" in (message := await _received(child)):
                _send(child, response_line(await self._response(request_of(message["request"]), allowance, supply)))
        finally:
            await asyncio.shield(_end(child))
        if "problem" in message:
            raise Unreadable(f"A browser could not render it: {message['problem']}")
        return str(message["html"]).encode("utf-8", "replace")

    async def _response(
        self, request: ResourceRequest, allowance: Allowance, supply: Supply
    ) -> ResourceResponse | None:
        if kept := self._scripts.get(request):
            return kept
        if not allowance.grants(request):
            return None
        fetched = await supply(request)
        response = ResourceResponse.of(fetched) if fetched else None
        allowance.take(response)
        if response:
            self._scripts.keep(request, response)
        return response


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "gleanery.crawling.rendering.browser_process",
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


async def _received(child: asyncio.subprocess.Process) -> dict[str, Any]:
    assert child.stdout is not None  # noqa: S101 - it was started with one
    try:
        message: dict[str, Any] = json.loads(await child.stdout.readuntil(b"\n"))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        raise Unreadable(ENDED) from None
    return message


async def _end(child: asyncio.subprocess.Process) -> None:
    """Close the child's input, which ends it with its browser and profile; kill what does not end."""
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

"""The child process that renders one page in a browser, requests its resources from the parent, and ends.

If the parent dies, the end of the input ends the browser and removes its profile.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from typing import Any

import psutil
from playwright.async_api import Error as BrowserError
from playwright.async_api import Page, Request, Route, async_playwright

from gleanery.crawling.rendering import confinement
from gleanery.crawling.rendering.chromium import ARGUMENTS
from gleanery.crawling.rendering.resource_requests import (
    LONGEST_MESSAGE,
    ResourceRequest,
    ResourceResponse,
    line,
    response_of,
)

SECONDS_TO_DIE = 3
LONGEST_PROBLEM = 300
EMPTY_SHEET = ResourceResponse(200, {"content-type": "text/css"}, b"")  # some scripts fail without their stylesheet


class Parent:
    """The parent process, at the other end of standard input and output."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._answers = os.fdopen(os.dup(1), "wb")
        self._turn = asyncio.Lock()

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._reader.readuntil(b"\n"))
        return message

    async def fetch(self, request: ResourceRequest) -> ResourceResponse | None:
        async with self._turn:
            self.say(
                request={"url": request.url, "kind": request.kind, "method": request.method, "headers": request.headers}
            )
            return response_of((await self.receive())["response"])

    def say(self, **values: Any) -> None:
        self._answers.write(line(**values))
        self._answers.flush()


class _Input(asyncio.StreamReaderProtocol):
    """Standard input; `ended` is set when it is closed."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__(reader)
        self.ended = asyncio.Event()

    def eof_received(self) -> bool | None:
        self.ended.set()
        return super().eof_received()


async def main() -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # it exits when its input ends, and then cleans up
    reader = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    _, source = await asyncio.get_running_loop().connect_read_pipe(lambda: _Input(reader), sys.stdin)
    parent = Parent(reader)
    message = await parent.receive()
    profile = tempfile.mkdtemp(prefix="gleanery-browser-")
    confinement.own(profile)
    try:
        confinement.confine()
        tasks = [asyncio.create_task(each) for each in (_show(parent, profile, **message), source.ended.wait())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        _end_browser()
        shutil.rmtree(profile, ignore_errors=True)
        os._exit(0)  # the browser's driver would wait for ever


def _end_browser() -> None:
    """Kill the browser's driver and all its processes, in any process group."""
    below = psutil.Process().children(recursive=True)
    for each in below:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()
    psutil.wait_procs(below, timeout=SECONDS_TO_DIE)


async def _show(parent: Parent, profile: str, **message: Any) -> None:
    try:
        parent.say(html=await _shown(parent, profile, **message))
    except Exception as problem:
        parent.say(problem=str(problem).partition("\n")[0][:LONGEST_PROBLEM])


async def _shown(parent: Parent, profile: str, chromium: str, url: str, page: dict[str, Any], seconds: float) -> str:
    ends = asyncio.get_running_loop().time() + seconds
    home = response_of(page)
    assert home is not None  # noqa: S101 - the parent sends the page
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=sys.executable,
            ignore_default_args=True,
            args=["-I", "-m", confinement.__name__, profile, chromium, *ARGUMENTS],
            env={**os.environ, "HOME": profile, "TMPDIR": profile},
        )
        context = await browser.new_context(service_workers="block", accept_downloads=False)
        await context.route("**/*", _Answers(parent, home).answer)
        shown = await context.new_page()
        await shown.goto(url, wait_until="commit")
        return await _settled(shown, ends)


async def _settled(shown: Page, ends: float) -> str:
    """Return the page's HTML once it sends no more requests, or when the time is over."""
    left = ends - asyncio.get_running_loop().time()
    with contextlib.suppress(BrowserError):
        await shown.wait_for_load_state("networkidle", timeout=1000 * max(left, 1))
    return await shown.content()


class _Answers:
    """Answers the browser's requests: the page once, then what the parent grants; other documents are refused."""

    def __init__(self, parent: Parent, home: ResourceResponse) -> None:
        self._parent = parent
        self._home: ResourceResponse | None = home

    async def answer(self, route: Route, request: Request) -> None:
        with contextlib.suppress(BrowserError):  # the page may be closed
            response = await self._response(request)
            if response is None:
                await route.abort()
            else:
                await route.fulfill(status=response.status, headers=response.headers, body=response.body)

    async def _response(self, request: Request) -> ResourceResponse | None:
        kind = request.resource_type
        if kind == "document":
            home, self._home = self._home, None
            return home
        if kind == "stylesheet":
            return EMPTY_SHEET
        return await self._parent.fetch(ResourceRequest(request.url, kind, request.method, dict(request.headers)))


if __name__ == "__main__":
    asyncio.run(main())

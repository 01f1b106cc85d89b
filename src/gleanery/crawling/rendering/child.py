"""The process that shows one page in a browser: it asks its parent for all that the page wants, and then ends.

Whatever becomes of the parent, the end of its input ends the browser and removes its profile.
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
from gleanery.crawling.rendering.wishes import LONGEST_MESSAGE, Gift, Wish, gift_of, line

SECONDS_TO_DIE = 3
LONGEST_PROBLEM = 300
EMPTY_SHEET = Gift(200, {"content-type": "text/css"}, b"")  # some scripts give up where a sheet of theirs is missing


class Parent:
    """The other end of standard input and output."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._answers = os.fdopen(os.dup(1), "wb")
        self._turn = asyncio.Lock()

    async def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(await self._reader.readuntil(b"\n"))
        return told

    async def gift(self, wish: Wish) -> Gift | None:
        async with self._turn:
            self.say(wish={"url": wish.url, "kind": wish.kind, "method": wish.method, "headers": wish.headers})
            return gift_of((await self.told())["gift"])

    def say(self, **values: Any) -> None:
        self._answers.write(line(**values))
        self._answers.flush()


class _Input(asyncio.StreamReaderProtocol):
    """Standard input; `ended` is set when there will be no more of it."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__(reader)
        self.ended = asyncio.Event()

    def eof_received(self) -> bool | None:
        self.ended.set()
        return super().eof_received()


async def main() -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # the end of its input ends it, and then nothing is left behind
    reader = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    _, source = await asyncio.get_running_loop().connect_read_pipe(lambda: _Input(reader), sys.stdin)
    parent = Parent(reader)
    told = await parent.told()
    profile = tempfile.mkdtemp(prefix="gleanery-browser-")
    confinement.own(profile)
    try:
        confinement.confine()
        works = [asyncio.create_task(each) for each in (_show(parent, profile, **told), source.ended.wait())]
        await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
    finally:
        _end_browser()
        shutil.rmtree(profile, ignore_errors=True)
        os._exit(0)  # what the driver of the browser still waits for will never come


def _end_browser() -> None:
    """Its driver and its processes, whatever group they have put themselves in."""
    below = psutil.Process().children(recursive=True)
    for each in below:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()
    psutil.wait_procs(below, timeout=SECONDS_TO_DIE)


async def _show(parent: Parent, profile: str, **told: Any) -> None:
    try:
        parent.say(html=await _shown(parent, profile, **told))
    except Exception as problem:
        parent.say(problem=str(problem).partition("\n")[0][:LONGEST_PROBLEM])


async def _shown(parent: Parent, profile: str, chromium: str, url: str, page: dict[str, Any], seconds: float) -> str:
    ends = asyncio.get_running_loop().time() + seconds
    home = gift_of(page)
    assert home is not None  # noqa: S101 - the parent gives the page that it got
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
    """What it shows once it asks for nothing more, or when its time is over."""
    left = ends - asyncio.get_running_loop().time()
    with contextlib.suppress(BrowserError):
        await shown.wait_for_load_state("networkidle", timeout=1000 * max(left, 1))
    return await shown.content()


class _Answers:
    """The page itself once, then what the parent grants; no other page takes its place, and none stands in it."""

    def __init__(self, parent: Parent, home: Gift) -> None:
        self._parent = parent
        self._home: Gift | None = home

    async def answer(self, route: Route, request: Request) -> None:
        with contextlib.suppress(BrowserError):  # who asked may be gone
            gift = await self._gift(request)
            if gift is None:
                await route.abort()
            else:
                await route.fulfill(status=gift.status, headers=gift.headers, body=gift.body)

    async def _gift(self, request: Request) -> Gift | None:
        kind = request.resource_type
        if kind == "document":
            home, self._home = self._home, None
            return home
        if kind == "stylesheet":
            return EMPTY_SHEET
        return await self._parent.gift(Wish(request.url, kind, request.method, dict(request.headers)))


if __name__ == "__main__":
    asyncio.run(main())

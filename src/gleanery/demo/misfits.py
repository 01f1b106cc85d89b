"""What a page of the sample web can do that no honest page does: named in the data as `handler`, told apart here."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat

from gleanery.demo.answer import Answer, Request, redirect
from gleanery.demo.sites import Page

DEEP = 100_000  # levels of <div>: seconds or minutes for every parser that was tried
BOMB = 64 * 1024 * 1024
DRIP = 0.5


def calendar(request: Request, page: Page) -> Answer:
    """A month for ever after each month, under ever new addresses."""
    tail = request.path.removeprefix(page.path).strip("/")
    year, _, month = tail.partition("/")
    months = int(year) * 12 + int(month) - 1 if year.isdigit() and month.isdigit() else 2026 * 12
    rows = "".join(
        f'<li><a href="{page.path}{m // 12}/{m % 12 + 1}">{m // 12}-{m % 12 + 1}</a>' for m in (months - 1, months + 1)
    )
    return Answer(f"<title>Calendar {tail}</title><h1>No events in {tail}</h1><ul>{rows}</ul>".encode())


def parameters(request: Request, page: Page) -> Answer:
    """Each visit invents two more parameters to sort and filter by."""
    given = "&".join(f"{name}={value}" for name, value in sorted(request.query.items()))
    count = len(request.query)
    links = "".join(f'<a href="{page.path}?{given}&f{count}={choice}">filter {choice}</a> ' for choice in "ab")
    return Answer(f"<title>Offers</title><h1>Offers, filtered {count} times</h1>{links}".encode())


def path(request: Request, page: Page) -> Answer:
    """Puts a path below itself, for ever."""
    below = f"{request.path.rstrip('/')}/more/"
    return Answer(f'<title>More</title><h1>More of the same</h1><a href="{below}">more</a>'.encode())


def onward(request: Request, page: Page) -> Answer:
    """Redirects to a new address of its own each time."""
    tail = request.path.removeprefix(page.path).strip("/")
    return redirect(f"{page.path}{int(tail) + 1 if tail.isdigit() else 1}", 302)


def deep(request: Request, page: Page) -> Answer:
    return Answer(b"<title>Deep</title>" + b"<div>" * DEEP + b"the end" + b"</div>" * DEEP)


def bomb(request: Request, page: Page) -> Answer:
    """Small on the wire, 64 MiB unpacked."""
    return Answer(packed_spaces(), headers=(("Content-Encoding", "gzip"),))


def packed_spaces() -> bytes:
    packer = zlib.compressobj(level=1, wbits=31)
    chunk = b" " * 1024 * 1024
    return b"".join(packer.compress(part) for part in repeat(chunk, BOMB // len(chunk))) + packer.flush()


def drip(request: Request, page: Page) -> Answer:
    """Sends a letter now and then, for two minutes."""

    def letters() -> Iterator[bytes]:
        yield b"<title>One moment</title>"
        for _ in range(int(120 / DRIP)):
            time.sleep(DRIP)
            yield b"."

    return Answer(stream=letters())


HANDLERS: Mapping[str, Callable[[Request, Page], Answer]] = {
    "calendar": calendar,
    "parameters": parameters,
    "path": path,
    "onward": onward,
    "deep": deep,
    "bomb": bomb,
    "drip": drip,
}

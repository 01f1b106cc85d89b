"""Hostile and broken pages of the sample web, selected by `handler` in its data."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat

from gleanery.demo.answer import Answer, Request, redirect
from gleanery.demo.sites import Page

DEEP = 100_000  # levels of <div>: takes common parsers seconds or minutes
BOMB = 64 * 1024 * 1024
DRIP = 0.5


def calendar(request: Request, page: Page) -> Answer:
    """An endless calendar: each month links to the next, under new addresses."""
    tail = request.path.removeprefix(page.path).strip("/")
    year, _, month = tail.partition("/")
    months = int(year) * 12 + int(month) - 1 if year.isdigit() and month.isdigit() else 2026 * 12
    rows = "".join(
        f'<li><a href="{page.path}{m // 12}/{m % 12 + 1}">{m // 12}-{m % 12 + 1}</a>' for m in (months - 1, months + 1)
    )
    return Answer(f"<title>Calendar {tail}</title><h1>No events in {tail}</h1><ul>{rows}</ul>".encode())


def parameters(request: Request, page: Page) -> Answer:
    """An endless filter: each visit adds two more parameters."""
    given = "&".join(f"{name}={value}" for name, value in sorted(request.query.items()))
    count = len(request.query)
    links = "".join(f'<a href="{page.path}?{given}&f{count}={choice}">filter {choice}</a> ' for choice in "ab")
    return Answer(f"<title>Offers</title><h1>Offers, filtered {count} times</h1>{links}".encode())


def path(request: Request, page: Page) -> Answer:
    """An endless path: each page links to one below itself."""
    below = f"{request.path.rstrip('/')}/more/"
    return Answer(f'<title>More</title><h1>More of the same</h1><a href="{below}">more</a>'.encode())


def onward(request: Request, page: Page) -> Answer:
    """An endless redirect to ever new addresses."""
    tail = request.path.removeprefix(page.path).strip("/")
    return redirect(f"{page.path}{int(tail) + 1 if tail.isdigit() else 1}", 302)


def deep(request: Request, page: Page) -> Answer:
    return Answer(b"<title>Deep</title>" + b"<div>" * DEEP + b"the end" + b"</div>" * DEEP)


def bomb(request: Request, page: Page) -> Answer:
    """A small gzip response that expands to 64 MiB."""
    return Answer(packed_spaces(), headers=(("Content-Encoding", "gzip"),))


def packed_spaces() -> bytes:
    packer = zlib.compressobj(level=1, wbits=31)
    chunk = b" " * 1024 * 1024
    return b"".join(packer.compress(part) for part in repeat(chunk, BOMB // len(chunk))) + packer.flush()


def drip(request: Request, page: Page) -> Answer:
    """A response sent byte by byte over two minutes."""

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

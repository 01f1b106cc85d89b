"""Registry of the traps on the hostile site, by path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache

from tests.crawling.serving import Asked, Writer, answer

HOST = "hostile.example.org"
# Only its robots.txt is hostile: 50 MB.
WORDY = "wordy.example.org"
# Somebody else's site, which answers like any other: whatever its log shows was asked out of scope.
ELSEWHERE = "elsewhere.example.net"

Say = Callable[[Asked, Writer], Awaitable[None]]
Body = str | bytes | Callable[[], str | bytes]


@dataclass(frozen=True)
class Trap:
    path: str
    what: str
    say: Say
    # The same is said to all paths that begin so.
    whole_tree: bool = False
    linked: bool = True
    # What must be found in the text that is stored of it.
    text: str = ""


TRAPS: dict[str, Trap] = {}


def at(path: str, what: str, **more: object) -> Callable[[Say], Say]:
    def register(say: Say) -> Say:
        assert path not in TRAPS
        TRAPS[path] = Trap(path, what, say, **more)  # type: ignore[arg-type]
        return say

    return register


def bytes_at(path: str, what: str, said: bytes | Callable[[], bytes], **more: object) -> None:
    """Register a trap with a fixed response; large ones are generated once, by the server."""
    made = cache(said if callable(said) else lambda: said)

    async def say(asked: Asked, writer: Writer) -> None:
        asked.status = int(made()[9:12])
        writer.write(made())

    at(path, what, **more)(say)


def page_at(path: str, what: str, body: Body, *headers: str, **more: object) -> None:
    kind = str(more.pop("kind", "text/html; charset=utf-8"))
    bytes_at(path, what, lambda: answer(200, raw(body), *headers, kind=kind), **more)


def raw(body: Body) -> bytes:
    made = body() if callable(body) else body
    return made.encode("utf-8", "surrogatepass") if isinstance(made, str) else made


def html(body: str, title: str = "A page", head: str = "") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body><main>{body}</main></body></html>"


def links(*targets: str) -> str:
    return "".join(f'<a href="{target}">a link</a>\n' for target in targets)

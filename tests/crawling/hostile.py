"""A hostile site as a process: `with Hostile() as site`; its traps are listed in `traps.TRAPS`.

As a process: `python -m tests.crawling.hostile LOG`.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from functools import cache
from pathlib import Path

from tests.crawling import content_traps, link_traps, transfer_traps
from tests.crawling.serving import LOOPBACK, Asked, Logged, Server, ServerProcess, Writer, answer
from tests.crawling.transfer_traps import brotli_bomb, gzip_bomb
from tests.crawling.traps import ELSEWHERE, HOST, TRAPS, WORDY, Trap, at, html, links

__all__ = ["ELSEWHERE", "GOOD", "HOST", "TRAPS", "WORDY", "Hostile", "good_text"]

PACKS = (link_traps, content_traps, transfer_traps)
CANARY = "canary"
HTTP_PORT = 80
# Number 6 is only in the sitemap.
GOOD = tuple(f"/good/{number}" for number in range(1, 7))
HUGE_ROBOTS = 50_000_000
MILLION = 1_000_000
# What a broken TLS server says to a handshake.
BROKEN_TLS = b"\x15\x03\x01\xff\xff" + b"not a certificate" * 50


def good_text(path: str) -> str:
    """Return text that the stored snapshot of an honest page must contain."""
    return f"The honest page {path} tells of a concert for the school library"


@at("/good/", "honest pages", whole_tree=True, linked=False)
async def good(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    body = html(f"<h1>Honest</h1><p>{good_text(asked.path)}.</p><p>{'Plain words follow. ' * 50}</p>", title=asked.path)
    writer.write(answer(200, body.encode()))


@at("/private/", "what robots.txt forbids", whole_tree=True)
async def private(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(answer(200, html("nobody should come here").encode()))


def homepage() -> bytes:
    paths = [trap.path for trap in TRAPS.values() if trap.linked]
    return html("<h1>Welcome</h1>" + links(*GOOD[:5], *paths), title="A hostile site").encode()


@cache
def robots(host: str) -> bytes:
    if host == WORDY:
        lines = b"User-agent: *\nDisallow: /private/\n" + b"Disallow: /a-long-path-that-does-not-exist/\n" * (
            MILLION + 1
        )
        return lines + b"#" * (HUGE_ROBOTS - len(lines))
    sitemaps = (f"Sitemap: http://{host}/sitemap/{name}" for name in content_traps.SITEMAPS)
    away = (f"Sitemap: http://{ELSEWHERE}/sitemap.xml", "Sitemap: http://127.0.0.1/sitemap.xml")
    return "\n".join(("User-agent: *", "Disallow: /private/", "Crawl-delay: 0", *sitemaps, *away, "")).encode()


class Serving:
    def __init__(self, canary: int) -> None:
        self.canary = canary
        self.whole_trees = sorted(
            (trap for trap in TRAPS.values() if trap.whole_tree), key=lambda trap: -len(trap.path)
        )

    async def __call__(self, asked: Asked, writer: Writer) -> None:
        asked.headers["x-canary"] = str(self.canary)
        trap = self.trap_of(asked.path) if asked.host == HOST else None
        if trap is not None:
            await trap.say(asked, writer)
            return
        said = self.plain(asked)
        asked.status = int(said[9:12])
        writer.write(said)

    def trap_of(self, path: str) -> Trap | None:
        if path in TRAPS:
            return TRAPS[path]
        return next((trap for trap in self.whole_trees if path.startswith(trap.path)), None)

    def plain(self, asked: Asked) -> bytes:
        if asked.path == "/robots.txt":
            return answer(200, robots(asked.host), kind="text/plain")
        if asked.path == "/" and asked.host == HOST:
            return answer(200, homepage())
        if asked.path == "/":
            return answer(200, html(f"<p>Welcome to {asked.host}.</p>{links('/good/1', '/private/1')}").encode())
        if asked.path.startswith("/good/"):
            return answer(200, html(good_text(asked.path)).encode())
        return answer(404, b"<p>There is no such page.</p>")


class Hostile(ServerProcess):
    def __init__(self) -> None:
        super().__init__(__name__, (HOST, WORDY, ELSEWHERE))

    def canary_visits(self) -> list[Logged]:
        """Return the requests that reached a listener nobody should contact."""
        return self.requests_of(CANARY)


async def serve(log: str) -> None:
    gzip_bomb(), brotli_bomb()  # now, so that nobody waits for them later
    with Path(log).open("a") as file:
        server = Server(Serving(0), file, to_a_handshake=BROKEN_TLS)

        async def caught(reader: asyncio.StreamReader, writer: Writer) -> None:
            server.note(Asked("", CANARY, "/", {}), asyncio.get_running_loop().time())
            writer.close()

        canary = await asyncio.start_server(caught, LOOPBACK, 0)
        with contextlib.suppress(OSError):  # only some may listen there; the port chosen freely is for the others
            await asyncio.start_server(caught, LOOPBACK, HTTP_PORT, reuse_port=True)
        server.handler = Serving(canary.sockets[0].getsockname()[1])
        await server.run()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))

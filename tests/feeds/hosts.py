"""Hosts of pages and feeds in one process, said word by word: `with Hosts({host: {path: Said(...)}}) as hosts`.

As a process: `python -m tests.feeds.hosts LOG ANSWERS`. To its own address, POST /say/HOST/... changes what is said.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.crawling.serving import LOOPBACK, Asked, Server, ServerProcess, Writer, answer

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Said:
    """What an address says. `times` makes the body longer, `slow` waits before each byte that is owed."""

    body: str = ""
    kind: str = HTML
    status: int = 200
    headers: tuple[str, ...] = ()
    etag: str = ""
    modified: str = ""
    times: int = 1
    slow: float = 0.0


def ics(text: str, **facts: Any) -> Said:
    return Said(text, "text/calendar; charset=utf-8", **facts)


def as_json(value: Any, **facts: Any) -> Said:
    return Said(value if isinstance(value, str) else json.dumps(value), "application/json", **facts)


Web = Mapping[str, Mapping[str, Said]]


class Hosts(ServerProcess):
    def __init__(self, web: Web) -> None:
        told = {host: {path: asdict(said) for path, said in pages.items()} for host, pages in web.items()}
        super().__init__(__name__, told, json.dumps(told))

    def say(self, host: str, path: str, said: Said) -> None:
        """From now on."""
        connection = HTTPConnection(LOOPBACK, self.port, timeout=10)
        told = json.dumps({"host": host, "path": path, "said": asdict(said)}).encode().hex()
        try:
            for piece in range(0, len(told), 60_000):  # the head of a request is all that is read of it
                last = piece + 60_000 >= len(told)
                connection.request("POST", f"/{'end' if last else 'more'}/{told[piece : piece + 60_000]}")
                assert connection.getresponse().read() == b""
        finally:
            connection.close()

    def asked(self, host: str, path: str = "") -> list[str]:
        """The paths that were asked of a host, robots.txt aside, in their order."""
        rows = self.requests_of(host)
        return [each.path for each in rows if each.path != "/robots.txt" and each.path.startswith(path)]


class Serving:
    """What the process says: a path with its query, else the path alone, else that there is no such page."""

    def __init__(self, web: dict[str, dict[str, Any]]) -> None:
        self.web = web
        self.piece = ""

    async def __call__(self, asked: Asked, writer: Writer) -> None:
        if asked.host == LOOPBACK:
            asked.status = 204
            self._learn(asked.path)
            writer.write(b"HTTP/1.1 204 Heard\r\n\r\n")
            return
        pages = {unquote(path): said for path, said in self.web.get(asked.host, {}).items()}
        said = pages.get(unquote(asked.path)) or pages.get(unquote(asked.path).partition("?")[0])
        asked.status, told = self._answer(asked, said)
        await asyncio.sleep(said["slow"] if said else 0.0)
        writer.write(told)

    def _learn(self, path: str) -> None:
        _, action, piece = path.split("/")
        self.piece += piece
        if action == "end":
            told = json.loads(bytes.fromhex(self.piece))
            self.piece = ""
            self.web.setdefault(told["host"], {})[told["path"]] = told["said"]

    def _answer(self, asked: Asked, said: dict[str, Any] | None) -> tuple[int, bytes]:
        if said is None:
            return 404, answer(404, b"<h1>There is no such page</h1>")
        headers = list(said["headers"])
        headers += [f"ETag: {said['etag']}"] if said["etag"] else []
        headers += [f"Last-Modified: {said['modified']}"] if said["modified"] else []
        tag, since = asked.headers.get("if-none-match"), asked.headers.get("if-modified-since")
        if (said["etag"] and tag == said["etag"]) or (not tag and said["modified"] and since == said["modified"]):
            return 304, answer(304, b"", *headers)
        body = said["body"].encode() * said["times"]
        return said["status"], answer(said["status"], body, *headers, kind=said["kind"])


def main(log: str, web: str) -> None:
    with Path(log).open("a") as file:
        asyncio.run(Server(Serving(json.loads(web)), file).run())


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Hosts with pages and feeds in one process: `with Hosts({host: {path: Reply(...)}}) as hosts`.

As a process: `python -m tests.feeds.hosts LOG ANSWERS`. To its own address, POST /end/... changes a reply.
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
class Reply:
    """The reply of an address. `times` repeats the body, `slow` waits before each byte."""

    body: str = ""
    kind: str = HTML
    status: int = 200
    headers: tuple[str, ...] = ()
    etag: str = ""
    modified: str = ""
    times: int = 1
    slow: float = 0.0


def ics(text: str, **facts: Any) -> Reply:
    return Reply(text, "text/calendar; charset=utf-8", **facts)


def as_json(value: Any, **facts: Any) -> Reply:
    return Reply(value if isinstance(value, str) else json.dumps(value), "application/json", **facts)


Web = Mapping[str, Mapping[str, Reply]]


class Hosts(ServerProcess):
    def __init__(self, web: Web) -> None:
        data = {host: {path: asdict(reply) for path, reply in pages.items()} for host, pages in web.items()}
        super().__init__(__name__, data, json.dumps(data))

    def set_reply(self, host: str, path: str, reply: Reply) -> None:
        """Change the reply of a path."""
        connection = HTTPConnection(LOOPBACK, self.port, timeout=10)
        data = json.dumps({"host": host, "path": path, "said": asdict(reply)}).encode().hex()
        try:
            for piece in range(0, len(data), 60_000):  # the server reads request heads only
                last = piece + 60_000 >= len(data)
                connection.request("POST", f"/{'end' if last else 'more'}/{data[piece : piece + 60_000]}")
                assert connection.getresponse().read() == b""
        finally:
            connection.close()

    def asked(self, host: str, path: str = "") -> list[str]:
        """Return the requested paths of a host in order, without robots.txt."""
        rows = self.requests_of(host)
        return [each.path for each in rows if each.path != "/robots.txt" and each.path.startswith(path)]


class Serving:
    """The server: replies by path with query, else by path, else 404."""

    def __init__(self, web: dict[str, dict[str, Any]]) -> None:
        self.web = web
        self.piece = ""

    async def __call__(self, asked: Asked, writer: Writer) -> None:
        if asked.host == LOOPBACK:
            asked.status = 204
            self._receive(asked.path)
            writer.write(b"HTTP/1.1 204 Heard\r\n\r\n")
            return
        pages = {unquote(path): reply for path, reply in self.web.get(asked.host, {}).items()}
        reply = pages.get(unquote(asked.path)) or pages.get(unquote(asked.path).partition("?")[0])
        asked.status, data = self._answer(asked, reply)
        await asyncio.sleep(reply["slow"] if reply else 0.0)
        writer.write(data)

    def _receive(self, path: str) -> None:
        _, action, piece = path.split("/")
        self.piece += piece
        if action == "end":
            data = json.loads(bytes.fromhex(self.piece))
            self.piece = ""
            self.web.setdefault(data["host"], {})[data["path"]] = data["said"]

    def _answer(self, asked: Asked, reply: dict[str, Any] | None) -> tuple[int, bytes]:
        if reply is None:
            return 404, answer(404, b"<h1>There is no such page</h1>")
        headers = list(reply["headers"])
        headers += [f"ETag: {reply['etag']}"] if reply["etag"] else []
        headers += [f"Last-Modified: {reply['modified']}"] if reply["modified"] else []
        tag, since = asked.headers.get("if-none-match"), asked.headers.get("if-modified-since")
        if (reply["etag"] and tag == reply["etag"]) or (not tag and reply["modified"] and since == reply["modified"]):
            return 304, answer(304, b"", *headers)
        body = reply["body"].encode() * reply["times"]
        return reply["status"], answer(reply["status"], body, *headers, kind=reply["kind"])


def main(log: str, web: str) -> None:
    with Path(log).open("a") as file:
        asyncio.run(Server(Serving(json.loads(web)), file).run())


if __name__ == "__main__":
    main(*sys.argv[1:])

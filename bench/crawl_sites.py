"""The sites of the crawl bench as an application for granian: every page is made before the first request.

It counts what was asked: /_asked/ROUND on its own address tells how often each page of each site of this round was.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

SITES = 40
PAGES = 50
ROUNDS = 12
HTML = [("content-type", "text/html; charset=utf-8")]
TEXT = [("content-type", "text/plain")]
JSON = [("content-type", "application/json")]


def name(round_: int, index: int) -> str:
    """A round has names of its own, so that no crawler knows its sites from the one before."""
    return f"site{index:02}.round{round_:02}.example.org"


class Application:
    """Speaks RSGI, granian's own interface, which is its fastest."""

    def __rsgi_init__(self, loop: Any) -> None:
        from tests.crawling import pages  # whoever only wants the names need not have the tests on its path

        plan = pages.Plan(pages=PAGES, mesh=True)
        self.asked: Counter[tuple[str, str]] = Counter()
        self.robots = pages.robots("", plan).encode()
        self.pages = {
            (f"site{index:02}", pages.path(number)): pages.page(name(0, index), number, plan).encode()
            for index in range(SITES)
            for number in range(PAGES)
        }

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        host = scope.headers.get("host", "").partition(":")[0]
        body = self.pages.get((host[:6], scope.path))
        if body is not None:
            self.asked[host, scope.path] += 1
            protocol.response_bytes(200, HTML, body)
        elif scope.path == "/robots.txt":
            protocol.response_bytes(200, TEXT, self.robots)
        elif scope.path.startswith("/_asked/"):
            protocol.response_bytes(200, JSON, self.told(int(scope.path[8:])))
        else:
            protocol.response_bytes(404, TEXT, b"There is no such page.")

    def told(self, round_: int) -> bytes:
        hosts = {name(round_, index) for index in range(SITES)}
        return json.dumps([[*key, count] for key, count in self.asked.items() if key[0] in hosts]).encode()


application = Application()

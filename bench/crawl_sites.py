"""Sites of the crawl benchmark as a granian application; all pages are generated before the first request.

/_asked/ROUND returns the number of requests for each page of each site in a round.
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
    """Return a site name; each round has its own, so that no crawler knows the sites from an earlier round."""
    return f"site{index:02}.round{round_:02}.example.org"


class Application:
    """Application for RSGI, granian's fastest interface."""

    def __rsgi_init__(self, loop: Any) -> None:
        from tests.crawling import pages  # imported here, because the names alone do not need the tests

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
            protocol.response_bytes(200, JSON, self.counts(int(scope.path[8:])))
        else:
            protocol.response_bytes(404, TEXT, b"There is no such page.")

    def counts(self, round_: int) -> bytes:
        hosts = {name(round_, index) for index in range(SITES)}
        return json.dumps([[*key, count] for key, count in self.asked.items() if key[0] in hosts]).encode()


application = Application()

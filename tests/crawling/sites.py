"""Honest sites in one process; `with Sites(40, Plan(pages=5)) as sites` serves site00 ... site39.

As a process: `python -m tests.crawling.sites LOG PLANS`. To its own address, POST /version/2 changes the content.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.client import HTTPConnection
from pathlib import Path

from tests.crawling import pages
from tests.crawling.pages import Plan
from tests.crawling.serving import LOOPBACK, Asked, Server, ServerProcess, Writer, answer

FIRST_VERSION = datetime(2026, 1, 1, tzinfo=UTC)


def site(index: int) -> str:
    return f"site{index:02}.example.org"


class Sites(ServerProcess):
    """Sites with one plan for all, or one plan each."""

    def __init__(self, count: int, plan: Plan | list[Plan]) -> None:
        plans = plan if isinstance(plan, list) else [plan] * count
        named = {site(index): asdict(each) for index, each in zip(range(count), plans, strict=True)}
        super().__init__(__name__, named, json.dumps(named))

    def set_version(self, version: int) -> None:
        connection = HTTPConnection(LOOPBACK, self.port, timeout=10)
        try:
            connection.request("POST", f"/version/{version}", headers={"Host": LOOPBACK})
            assert connection.getresponse().status == 204
        finally:
            connection.close()


class Serving:
    """Responses of the sites."""

    def __init__(self, plans: dict[str, Plan]) -> None:
        self.plans = plans
        self.version = 1

    async def __call__(self, asked: Asked, writer: Writer) -> None:
        if asked.host == LOOPBACK:
            self.version = int(asked.path.rpartition("/")[2])
            asked.status = 204
            writer.write(b"HTTP/1.1 204 Changed\r\n\r\n")
            return
        plan = self.plans[asked.host]
        await asyncio.sleep(plan.latency)
        said = self.answer_of(asked, plan)
        asked.status = int(said[9:12])
        writer.write(said)

    def answer_of(self, asked: Asked, plan: Plan) -> bytes:
        if asked.path == "/robots.txt":
            return answer(200, pages.robots(asked.host, plan).encode(), kind="text/plain")
        if asked.path == "/sitemap.xml" and plan.sitemap:
            return answer(200, pages.sitemap(asked.host, plan).encode(), kind="application/xml")
        number = pages.number_of(asked.path)
        if number is None or number >= plan.pages + plan.orphans:
            return answer(404, b"<h1>There is no such page</h1>")
        return self.page(asked, plan, number)

    def page(self, asked: Asked, plan: Plan, number: int) -> bytes:
        version = plan.version_of(number, self.version)
        validators = validators_of(number, version) if plan.validators else {}
        if is_known(asked, validators):
            return answer(304, b"", *(f"{name}: {value}" for name, value in validators.items()))
        clock = datetime.now(UTC).isoformat() if plan.clock else "always the same"
        body = pages.page(asked.host, number, plan, version).replace("{clock}", clock)
        return answer(200, body.encode(), *(f"{name}: {value}" for name, value in validators.items()))


def validators_of(number: int, version: int) -> dict[str, str]:
    changed = FIRST_VERSION + timedelta(days=version)
    return {"ETag": f'"{number}-{version}"', "Last-Modified": format_datetime(changed, usegmt=True)}


def is_known(asked: Asked, validators: dict[str, str]) -> bool:
    """Compare validators as in RFC 9110: the ETag decides if sent, else the date."""
    if not validators:
        return False
    if tag := asked.headers.get("if-none-match"):
        return tag == validators["ETag"]
    return asked.headers.get("if-modified-since") == validators["Last-Modified"]


def main(log: str, plans: str) -> None:
    serving = Serving({host: Plan(**each) for host, each in json.loads(plans).items()})
    with Path(log).open("a") as file:
        asyncio.run(Server(serving, file).run())


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Fetches and parses robots.txt (parsing is pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from protego import Protego

from gleanery.errors import FetchError, FetchProblem
from gleanery.net.charset import decode
from gleanery.net.client import Client
from gleanery.net.exchange import DEADLINE, Request
from gleanery.net.target import web_target

TOKEN = "Gleanery"  # noqa: S105 - the name in User-agent lines, not a secret
SUCCESS = range(200, 300)
SERVER_ERROR = 500
NOT_FOUND = 404
LARGEST = 500 * 1024
LONGEST_DELAY = 60.0
MOST_SITEMAPS = 100

AGENT_LINE = re.compile(r"^([ \t]*user[ \t-]*agent[ \t:]+)([^#\r\n]*)", re.IGNORECASE | re.MULTILINE)
AGENT_NAME = re.compile(r"\*|[a-z_-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of robots.txt; `wait` means it could not be read, so nothing is fetched until it can be."""

    reason: str
    wait: bool = False
    delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    robots: Protego | None = None

    def allows(self, url: str) -> bool:
        if self.wait:
            return False
        return self.robots is None or self.robots.can_fetch(url, TOKEN)


def parse(status: int, body: bytes) -> Rules:
    if status >= SERVER_ERROR:
        return Rules(f"robots.txt could not be read (status {status}), so the crawl waits.", wait=True)
    if status not in SUCCESS:
        return Rules(f"There is no robots.txt (status {status}), so everything is allowed.")
    robots = Protego.parse(ours(decode(whole_lines(body))))
    delay = robots.crawl_delay(TOKEN)
    return Rules(
        "robots.txt was read.",
        delay=None if delay is None else min(delay, LONGEST_DELAY),
        sitemaps=tuple(robots.sitemaps)[:MOST_SITEMAPS],
        robots=robots,
    )


def whole_lines(body: bytes) -> bytes:
    """Cut at the limit by whole lines, since half a rule could mean something else."""
    if len(body) <= LARGEST:
        return body
    return body[:LARGEST].rpartition(b"\n")[0]


def ours(text: str) -> str:
    """Rename all other agents alike: the parser stores each rule per agent, and a hostile file may list 20,000."""
    return AGENT_LINE.sub(lambda line: line[1] + group_of(line[2]), text)


def group_of(agent: str) -> str:
    name = AGENT_NAME.match(agent.strip())
    if name is None:
        return "others"
    return name[0] if name[0] == "*" or name[0].lower() == TOKEN.lower() else "others"


class Answer(NamedTuple):
    """The response to a request for robots.txt; `problem` and `kind` say why there is none."""

    status: int
    body: bytes = b""
    problem: str = ""
    kind: FetchProblem | None = None


def rules_of(answer: Answer) -> Rules:
    if answer.problem:
        return Rules(answer.problem, wait=not answer.status)
    return parse(answer.status, answer.body)


async def ask(client: Client, url: str, deadline: float = DEADLINE) -> Answer:
    """Fetch the robots.txt of this URL's site; status 0 means it could not be read. Raises only for invalid URLs.

    Failures are not logged, since crawls also use it to find out whether a site has https.
    """
    address = web_target("/robots.txt", base=web_target(url).url).url
    try:
        response = await client.fetch(
            Request(url=address, deadline=deadline, largest=LARGEST + 1, cut=True, trial=True)
        )
    except FetchError as problem:
        if problem.kind is FetchProblem.TOO_MANY_REDIRECTS:
            reason = "robots.txt redirects too many times, so everything is allowed."
            return Answer(NOT_FOUND, problem=reason, kind=problem.kind)
        return Answer(0, problem=f"robots.txt cannot be read, so the crawl waits. {problem}", kind=problem.kind)
    return Answer(response.status, response.body)


async def fetch_rules(client: Client, url: str, deadline: float = DEADLINE) -> Rules:
    """Return the rules for this URL's site; raises for an invalid URL, says wait for a failing site."""
    return rules_of(await ask(client, url, deadline))

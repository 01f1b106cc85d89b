"""The request that follows a redirect, and which headers it keeps (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from string import printable
from typing import NamedTuple
from urllib.parse import quote

from gleanery.net.target import Target, web_target

SEE_OTHER = 303
OLD_REDIRECTS = frozenset({301, 302})
REDIRECTS = OLD_REDIRECTS | {SEE_OTHER, 307, 308}
MOST_REDIRECTS = 5

# Headers kept across origins; any other header may hold a key, and validators belong to one origin.
HARMLESS = frozenset({"accept", "accept-language", "content-type"})


class Step(NamedTuple):
    """One request in a chain of redirects."""

    target: Target
    method: str
    headers: Mapping[str, str]
    body: bytes | None


def next_step(step: Step, status: int, location: str) -> Step:
    """Return the next request; its address is parsed and checked as untrusted input."""
    target = web_target(escaped(location), base=step.target.url)
    headers = step.headers
    if target.origin != step.target.origin:
        headers = {name: value for name, value in headers.items() if name.lower() in HARMLESS}
    if status == SEE_OTHER or (status in OLD_REDIRECTS and step.method == "POST"):
        headers = {name: value for name, value in headers.items() if name.lower() != "content-type"}
        return Step(target, "GET", headers, None)
    return Step(target, step.method, headers, step.body)


def escaped(location: str) -> str:
    """Percent-encode raw bytes in a Location header, whatever their charset."""
    return quote(location.encode("utf-8", "surrogateescape"), safe=printable)

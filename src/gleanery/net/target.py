"""A URL at the door: parsed once by ada-url, checked for scheme, userinfo and port."""

from __future__ import annotations

from dataclasses import dataclass

from ada_url import URL, HostType
from yarl import URL as WireURL  # noqa: N811 - aiohttp's own kind of URL

from gleanery.errors import FetchProblem
from gleanery.net.problem import refuse

LONGEST = 8000
SCHEMES = {"http:": 80, "https:": 443}
WEB_PORTS = frozenset(SCHEMES.values())


@dataclass(frozen=True, slots=True)
class Target:
    url: str
    origin: str
    host: str
    port: int
    is_literal: bool
    wire: WireURL


def web_target(url: str, base: str | None = None) -> Target:
    """For addresses that come from outside: a page, a link, a redirect."""
    target = any_target(url, base)
    if target.port not in WEB_PORTS:
        raise refuse(FetchProblem.PORT)
    return target


def any_target(url: str, base: str | None = None) -> Target:
    """For addresses that the operator configured, on whatever port."""
    parsed = parse(url, base)
    if parsed.protocol not in SCHEMES:
        raise refuse(FetchProblem.SCHEME)
    if parsed.username or parsed.password:
        raise refuse(FetchProblem.BAD_URL)
    return Target(
        url=parsed.href.partition("#")[0],
        origin=parsed.origin,
        host=parsed.hostname,
        port=int(parsed.port or SCHEMES[parsed.protocol]),
        is_literal=parsed.host_type is not HostType.DEFAULT,
        wire=wire_url(parsed),
    )


def parse(url: str, base: str | None) -> URL:
    if len(url) > LONGEST:
        raise refuse(FetchProblem.BAD_URL)
    try:
        return URL(url, base)
    except ValueError:
        raise refuse(FetchProblem.BAD_URL) from None


def wire_url(parsed: URL) -> WireURL:
    """Handed over in parts, so that no second parser has an opinion on where the host ends."""
    return WireURL.build(
        scheme=parsed.protocol[:-1],
        authority=parsed.host,
        path=parsed.pathname,
        query_string=parsed.search[1:],
        encoded=True,
    )

"""Parses URLs once, with ada-url, and checks scheme, user info and port."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from ada_url import join_url, normalize_url
from yarl import URL as WireURL  # noqa: N811 - aiohttp's URL class

from gleanery.errors import FetchProblem
from gleanery.net.problem import refuse

LONGEST = 8000
SCHEMES = {"http": 80, "https": 443}
WEB_PORTS = frozenset(SCHEMES.values())


class Target(NamedTuple):
    """The parts of a URL as ada-url writes it, without the fragment. IPv6 hosts are in brackets."""

    url: str
    origin: str
    host: str
    port: int
    path: str
    query: str

    @property
    def is_literal(self) -> bool:
        try:
            ip_address(self.host.strip("[]"))
        except ValueError:
            return False
        return True

    @property
    def wire(self) -> WireURL:
        """The URL for aiohttp, passed in parts so that no second parser decides where the host ends."""
        scheme, _, authority = self.origin.partition("://")
        return WireURL.build(scheme=scheme, authority=authority, path=self.path, query_string=self.query, encoded=True)


def web_target(url: str, base: str | None = None) -> Target:
    """Return the target of an untrusted URL: a page, a link, a redirect."""
    target = any_target(url, base)
    if target.port not in WEB_PORTS:
        raise refuse(FetchProblem.PORT)
    return target


def any_target(url: str, base: str | None = None) -> Target:
    """Return the target of a URL configured by the operator, on any port."""
    whole = normal(url, base).partition("#")[0]
    scheme, _, rest = whole.partition("://")
    if scheme not in SCHEMES:
        raise refuse(FetchProblem.SCHEME)
    # In ada-url's output the first slash ends the host, and an @ before it can only end user info.
    authority, _, tail = rest.partition("/")
    if "@" in authority:
        raise refuse(FetchProblem.BAD_URL)
    path, _, query = tail.partition("?")
    host, port = split(authority)
    return Target(
        url=whole,
        origin=f"{scheme}://{authority}",
        host=host,
        port=SCHEMES[scheme] if port is None else port,
        path=f"/{path}",
        query=query,
    )


def normal(url: str, base: str | None) -> str:
    if len(url) > LONGEST:
        raise refuse(FetchProblem.BAD_URL)
    try:
        return normalize_url(url) if base is None else join_url(base, url)
    except ValueError:
        raise refuse(FetchProblem.BAD_URL) from None


def split(authority: str) -> tuple[str, int | None]:
    host, colon, port = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        return authority, None
    return host, int(port)

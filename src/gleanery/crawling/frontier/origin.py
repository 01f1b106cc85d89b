"""The origin that a site uses: http or https, with or without www, and the robots.txt of each origin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gleanery.crawling.frontier.leases import Lease
from gleanery.domains.names import domain_of, in_scope
from gleanery.domains.urls import canonical_url
from gleanery.errors import FetchProblem, InvalidDomain
from gleanery.net.robots import Answer, Rules, rules_of

if TYPE_CHECKING:
    from gleanery.crawling.visiting.crawl_stages import OpenedCrawl

# After these failures the site may still respond without TLS, or with www.
WRONG_ADDRESS = frozenset(
    {FetchProblem.DNS, FetchProblem.TLS, FetchProblem.CONNECT, FetchProblem.TIMEOUT, FetchProblem.RESET}
)
MOST_SITEMAPS = 20


class Origins:
    """`base` is the origin that responded; `robots` holds the robots.txt response of each origin tried."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.base = lease.base
        self.robots: dict[str, Answer] = {}
        self._rules: dict[str, Rules] = {}
        self._prefers_http = False

    def learn(self, opened: OpenedCrawl) -> None:
        self.robots = opened.robots
        self._prefers_http = opened.prefers_http

    def candidates(self) -> list[str]:
        """Return origins to try: the one that responded before, then https, then http, with www where possible."""
        name = self.lease.name.name
        schemes = ("http", "https") if self._prefers_http else ("https", "http")
        hosts = [name, f"www.{name}"] if _has_www(name) else [name]
        found = [f"{scheme}://{host}" for host in hosts for scheme in schemes]
        return list(dict.fromkeys([self.base, *found] if self.base else found))

    def may_try_another(self, answer: Answer) -> bool:
        """Return True if this failure suggests a wrong origin rather than a site in trouble."""
        return answer.kind in WRONG_ADDRESS

    def rules(self, origin: str) -> Rules:
        """Return the rules of an origin, parsed once per time slice."""
        if origin not in self._rules:
            self._rules[origin] = rules_of(self.robots[origin])
        return self._rules[origin]

    def of(self, url: str) -> str:
        """Return the origin of a canonical URL, in which the first slash ends the host."""
        scheme, _, rest = url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}"

    @property
    def delay(self) -> float:
        return (self.rules(self.base).delay or 0.0) if self.base in self.robots else 0.0

    def sitemaps(self) -> list[str]:
        """Return the sitemaps of this site named in robots.txt, else the usual address."""
        named = [url for url in self.rules(self.base).sitemaps if in_scope(url, self.lease.name)]
        return [self.normalised(url) for url in named[:MOST_SITEMAPS]] or [f"{self.base}/sitemap.xml"]

    def normalised(self, url: str) -> str:
        return self.with_base(canonical_url(url))

    def all_with_base(self, urls: Iterable[str]) -> list[str]:
        home = f"{self.base}/"
        return [url if url.startswith(home) else self.with_base(url) for url in urls]

    def with_base(self, url: str) -> str:
        """Return the URL with the site's own scheme and www prefix."""
        if url.startswith(self.base + "/"):
            return url
        scheme, _, rest = url.partition("://")
        host, slash, path = rest.partition("/")
        base_scheme, _, base_host = self.base.partition("://")
        if base_host == f"www.{host}":
            host = base_host
        if base_scheme == "https" and host == base_host:
            scheme = base_scheme
        return f"{scheme}://{host}{slash}{path}"

    def at_base(self, url: str) -> str:
        """Return the URL moved to the origin that responds; "" if it is already there or off the site."""
        path = url.removeprefix(self.of(url))
        address = f"{self.base}{path}"
        return address if address != url and in_scope(url, self.lease.name) else ""

    def follow_home_redirect(self, url: str, leads_to: str) -> None:
        """Use the origin that the home page redirects to."""
        if urlsplit(url).path == "/" and urlsplit(leads_to).path == "/":
            self.base = self.of(leads_to)

    def canonical_page(self, url: str, canonical: str) -> str:
        """Return the canonical URL if it is another page of this site, else "".

        Many sites wrongly name their home page as canonical for every page, and other sites may not be fetched.
        """
        if not canonical or not in_scope(canonical, self.lease.name):
            return ""
        address = self.with_base(canonical)
        is_home = urlsplit(address).path == "/" and not urlsplit(address).query
        return "" if address == self.with_base(url) or is_home else address


def _has_www(name: str) -> bool:
    try:
        return domain_of(f"www.{name}").name == name
    except InvalidDomain:
        return False

"""Which of its addresses a site really uses: http or https, with www or without, and what robots.txt says on each."""

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
    from gleanery.crawling.visiting.crawl_stages import Opened

# A site that fails like this may still answer without TLS, or with www.
WRONG_ADDRESS = frozenset(
    {FetchProblem.DNS, FetchProblem.TLS, FetchProblem.CONNECT, FetchProblem.TIMEOUT, FetchProblem.RESET}
)
MOST_SITEMAPS = 20


class Origins:
    """`base` is the origin that answered; what robots.txt said is kept for each that was asked."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.base = lease.base
        self.robots: dict[str, Answer] = {}
        self._rules: dict[str, Rules] = {}
        self._prefers_http = False

    def learn(self, opened: Opened) -> None:
        self.robots = opened.robots
        self._prefers_http = opened.prefers_http

    def candidates(self) -> list[str]:
        """What answered before comes first; then https, then http, and www for names that may have it."""
        name = self.lease.name.name
        schemes = ("http", "https") if self._prefers_http else ("https", "http")
        hosts = [name, f"www.{name}"] if _has_www(name) else [name]
        found = [f"{scheme}://{host}" for host in hosts for scheme in schemes]
        return list(dict.fromkeys([self.base, *found] if self.base else found))

    def may_try_another(self, answer: Answer) -> bool:
        """A site in trouble is left alone; another address is tried only where this one may be the wrong one."""
        return answer.kind in WRONG_ADDRESS

    def rules(self, origin: str) -> Rules:
        """Parsed once for each slice."""
        if origin not in self._rules:
            self._rules[origin] = rules_of(self.robots[origin])
        return self._rules[origin]

    def of(self, url: str) -> str:
        """Of a canonical address, in which the first slash ends the host."""
        scheme, _, rest = url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}"

    @property
    def delay(self) -> float:
        return (self.rules(self.base).delay or 0.0) if self.base in self.robots else 0.0

    def sitemaps(self) -> list[str]:
        """Those that robots.txt names, on this site; else the usual place."""
        named = [url for url in self.rules(self.base).sitemaps if in_scope(url, self.lease.name)]
        return [self.spell(url) for url in named[:MOST_SITEMAPS]] or [f"{self.base}/sitemap.xml"]

    def spell(self, url: str) -> str:
        return self.respell(canonical_url(url))

    def respell_all(self, urls: Iterable[str]) -> list[str]:
        home = f"{self.base}/"
        return [url if url.startswith(home) else self.respell(url) for url in urls]

    def respell(self, url: str) -> str:
        """An address as this site spells it: https if it speaks that, www if the bare name leads there."""
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

    def instead(self, url: str) -> str:
        """The same page at the origin that answers, for an address of the site at one that does not; else nothing."""
        path = url.removeprefix(self.of(url))
        spelled = f"{self.base}{path}"
        return spelled if spelled != url and in_scope(url, self.lease.name) else ""

    def moved(self, url: str, leads_to: str) -> None:
        """The home page leads to another spelling of the site: that is the one it uses."""
        if urlsplit(url).path == "/" and urlsplit(leads_to).path == "/":
            self.base = self.of(leads_to)

    def original(self, url: str, canonical: str) -> str:
        """The page of this site that the page names as its original, if it is another one.

        Home pages named as the original of everything are a usual mistake, and other sites are not ours to ask.
        """
        if not canonical or not in_scope(canonical, self.lease.name):
            return ""
        spelled = self.respell(canonical)
        is_home = urlsplit(spelled).path == "/" and not urlsplit(spelled).query
        return "" if spelled == self.respell(url) or is_home else spelled


def _has_www(name: str) -> bool:
    try:
        return domain_of(f"www.{name}").name == name
    except InvalidDomain:
        return False

"""What the net says about one URL, for the operator at the command line: addresses are shown here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gleanery.net.client import Client
from gleanery.net.guard import refusal
from gleanery.net.robots import Rules, fetch_rules
from gleanery.net.target import Target, web_target


class Address(NamedTuple):
    address: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Check:
    url: str
    addresses: tuple[Address, ...]
    rules: Rules

    @property
    def allowed(self) -> bool:
        return self.rules.allows(self.url)

    @property
    def lines(self) -> tuple[str, ...]:
        delay = "none asked for" if self.rules.delay is None else f"{self.rules.delay:g} s"
        return (
            f"URL: {self.url}",
            *(f"Address: {each.address}: {each.verdict}" for each in self.addresses),
            f"Robots: {self.rules.reason}",
            f"This page: {'may be fetched' if self.allowed else 'is not fetched'}",
            f"Delay: {delay}",
            *(f"Sitemap: {sitemap}" for sitemap in self.rules.sitemaps),
        )


async def check(client: Client, url: str) -> Check:
    """Raises FetchError for a URL that is refused before anything is asked."""
    target = web_target(url)
    return Check(target.url, await addresses(client, target), await fetch_rules(client, target.url))


async def addresses(client: Client, target: Target) -> tuple[Address, ...]:
    """A lookup for the eyes alone: the one that counts is made, and checked, when a connection is opened."""
    if target.is_literal:
        return (judged(target.host.strip("[]")),)
    if target.host in client.fixed:
        host, port = client.fixed[target.host]
        return (Address(f"{host} port {port}", "fixed by GLEANERY_NET_RESOLVE"),)
    try:
        found = await client.lookup(target.host)
    except OSError:
        found = ()
    return tuple(judged(address) for address in found) or (Address(target.host, "the name is not known"),)


def judged(address: str) -> Address:
    why = refusal(address)
    return Address(address, "public" if why is None else f"blocked, {why}")

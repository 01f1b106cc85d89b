"""Network diagnosis of one URL for the operator; the only place where IP addresses are shown."""

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
        delay = "none" if self.rules.delay is None else f"{self.rules.delay:g} s"
        return (
            f"URL: {self.url}",
            *(f"Address: {each.address}: {each.verdict}" for each in self.addresses),
            f"Robots: {self.rules.reason}",
            f"This page: {'may be fetched' if self.allowed else 'is not fetched'}",
            f"Delay: {delay}",
            *(f"Sitemap: {sitemap}" for sitemap in self.rules.sitemaps),
        )


async def check(client: Client, url: str) -> Check:
    """Diagnose a URL; raise FetchError if it is refused before any request."""
    target = web_target(url)
    return Check(target.url, await addresses(client, target), await fetch_rules(client, target.url))


async def addresses(client: Client, target: Target) -> tuple[Address, ...]:
    """Look up addresses for display only; a connection looks up and checks its own."""
    if target.is_literal:
        return (judged(target.host.strip("[]")),)
    if target.host in client.fixed:
        host, port = client.fixed[target.host]
        return (Address(f"{host} port {port}", "fixed by GLEANERY_NET_RESOLVE"),)
    try:
        found = await client.lookup(target.host)
    except OSError:
        found = ()
    return tuple(judged(address) for address in found) or (Address(target.host, "the name cannot be resolved"),)


def judged(address: str) -> Address:
    why = refusal(address)
    return Address(address, "public" if why is None else f"blocked, {why}")

"""Decides which IP addresses may be contacted: only global unicast (pure; reasons are for the log)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# Listed instead of `is_global`, which changed between Python releases and has gaps.
BLOCKED_V4 = (
    (IPv4Network("0.0.0.0/8"), "this network"),
    (IPv4Network("10.0.0.0/8"), "private"),
    (IPv4Network("100.64.0.0/10"), "carrier-grade NAT"),
    (IPv4Network("127.0.0.0/8"), "loopback"),
    (IPv4Network("168.63.129.16/32"), "a cloud's own services"),
    (IPv4Network("169.254.0.0/16"), "link-local"),
    (IPv4Network("172.16.0.0/12"), "private"),
    (IPv4Network("192.0.0.0/24"), "protocol assignments"),
    (IPv4Network("192.0.2.0/24"), "documentation"),
    (IPv4Network("192.88.99.0/24"), "6to4 relay"),
    (IPv4Network("192.168.0.0/16"), "private"),
    (IPv4Network("198.18.0.0/15"), "benchmarks"),
    (IPv4Network("198.51.100.0/24"), "documentation"),
    (IPv4Network("203.0.113.0/24"), "documentation"),
    (IPv4Network("224.0.0.0/4"), "multicast"),
    (IPv4Network("240.0.0.0/4"), "reserved or broadcast"),
)

# Everything outside is blocked: loopback, local, multicast, NAT64, and IPv4 embedded in IPv6.
UNICAST_V6 = IPv6Network("2000::/3")

BLOCKED_V6 = (
    (IPv6Network("2001::/23"), "protocol assignments, Teredo among them"),
    (IPv6Network("2001:db8::/32"), "documentation"),
    (IPv6Network("2002::/16"), "6to4, which carries an IPv4 address"),
    (IPv6Network("3fff::/20"), "documentation"),
)


def is_public(address: str) -> bool:
    return refusal(address) is None


@lru_cache(maxsize=4096)  # called twice per connection: for the DNS result and for the socket
def refusal(address: str) -> str | None:
    """Return why this address may not be contacted, or None if it may."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "not an address"
    if isinstance(parsed, IPv4Address):
        return refusal_v4(parsed)
    # The kernel connects to a mapped address over IPv4, so the IPv4 address is checked.
    if parsed.ipv4_mapped is not None and parsed.scope_id is None:
        return refusal_v4(parsed.ipv4_mapped)
    return refusal_v6(parsed)


def refusal_v4(address: IPv4Address) -> str | None:
    return next((why for network, why in BLOCKED_V4 if address in network), None)


def refusal_v6(address: IPv6Address) -> str | None:
    if address.scope_id is not None:
        return "bound to one interface"
    if address not in UNICAST_V6:
        return "not global unicast"
    return next((why for network, why in BLOCKED_V6 if address in network), None)

"""The address that a request comes from. No other module reads a forwarding header."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The caller's address, as an IP address that a column of that type takes; empty if it is unknown.

    Gleanery listens on this machine alone. With GLEANERY_PUBLIC_URL a web server stands in front of it, and the last
    address in X-Forwarded-For is the one that this server saw itself. Without it, anybody may have written that header.
    """
    direct = _plain(str(request.META.get("REMOTE_ADDR", "")))
    if not (settings.ENVIRONMENT.public_url and _is_loopback(direct)):
        return direct
    return _plain(request.headers.get("X-Forwarded-For", "").rpartition(",")[2]) or direct


def network_of(address: str) -> str:
    """What counts as one caller: a household has a whole /64 of IPv6 and could come from a new address each time."""
    address = _plain(address)
    if address and isinstance(found := ip_address(address), IPv6Address):
        return str(ip_network((found, 64), strict=False).network_address)
    return address


def counted_as(request: HttpRequest) -> str:
    """The address under which wrong passwords are counted."""
    return network_of(address_of(request))


def is_on_this_machine(request: HttpRequest) -> bool:
    """Return True if nobody elsewhere can have sent this request.

    With a web server in front every request comes from this machine, and only a header would tell them apart.
    """
    return not settings.ENVIRONMENT.public_url and _is_loopback(_plain(str(request.META.get("REMOTE_ADDR", ""))))


def _plain(given: str) -> str:
    """The address without zone, brackets or port, as some web servers write them; empty if it is none."""
    text = given.strip().partition("%")[0]
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:  # IPv4 with a port
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return ""
    return str(getattr(found, "ipv4_mapped", None) or found)


def _is_loopback(address: str) -> bool:
    return bool(address) and ip_address(address).is_loopback

"""The IP address that a request comes from; no other module reads forwarding headers."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """Return the caller's IP address, "" if unknown.

    Gleanery only listens on this machine. With GLEANERY_PUBLIC_URL a web server in front of it adds the last address in
    X-Forwarded-For. Without it, anybody may have written that header.
    """
    direct = _plain(str(request.META.get("REMOTE_ADDR", "")))
    if not (settings.ENVIRONMENT.public_url and _is_loopback(direct)):
        return direct
    return _plain(request.headers.get("X-Forwarded-For", "").rpartition(",")[2]) or direct


def network_of(address: str) -> str:
    """Return the network that counts as one caller: one household has a whole /64 of IPv6."""
    address = _plain(address)
    if address and isinstance(found := ip_address(address), IPv6Address):
        return str(ip_network((found, 64), strict=False).network_address)
    return address


def counted_as(request: HttpRequest) -> str:
    """Return the address under which wrong passwords are counted."""
    return network_of(address_of(request))


def is_on_this_machine(request: HttpRequest) -> bool:
    """Return True if the request was surely sent from this machine.

    With a web server in front, every request comes from this machine.
    """
    return not settings.ENVIRONMENT.public_url and _is_loopback(_plain(str(request.META.get("REMOTE_ADDR", ""))))


def _plain(given: str) -> str:
    """Return the address without zone, brackets or port; "" if it is not an IP address."""
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

"""The guard lets through global unicast addresses and nothing else."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.net.guard import BLOCKED_V4, BLOCKED_V6, is_public, refusal

# The first and last address of every blocked block, and their neighbours outside where those are public.
V4_EDGES = (
    ("0.0.0.0", "0.255.255.255", None, "1.0.0.0"),  # noqa: S104 - nothing is bound to it
    ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
    ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
    ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
    ("168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"),
    ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
    ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
    ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
    ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
    ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
    ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
    ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
    ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
    ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
    ("224.0.0.0", "239.255.255.255", "223.255.255.255", None),
    ("240.0.0.0", "255.255.255.255", None, None),
)

V6_EDGES = (
    ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None, None),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::", "2001:db9::"),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"),
    ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::", None),
)


@pytest.mark.parametrize("edges", [*V4_EDGES, *V6_EDGES], ids=lambda edges: edges[0])
def test_a_blocked_range_ends_where_it_should(edges):
    first, last, before, after = edges
    assert not is_public(first)
    assert not is_public(last)
    assert all(is_public(address) for address in (before, after) if address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:2800:21f:cb07::1", "2a00:1450::1"])
def test_ordinary_servers_are_public(address):
    assert refusal(address) is None


@pytest.mark.parametrize("edges", V4_EDGES, ids=lambda edges: edges[0])
def test_a_mapped_address_is_checked_as_the_one_inside(edges):
    assert not is_public(f"::ffff:{edges[0]}")
    assert all(is_public(f"::ffff:{address}") for address in edges[2:] if address)


@pytest.mark.parametrize(
    "address",
    ["::7f00:1", "::101:101", "64:ff9b::101:101", "64:ff9b:1::101:101", "::ffff:0:101:101", "2002:101:101::1"],
)
def test_other_ipv4_inside_ipv6_is_blocked_whatever_it_holds(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["2606:2800:21f:cb07::1%eth0", "fe80::1%eth0", "::ffff:1.1.1.1%eth0", "", "localhost", "127.1", "1.1.1.1 "],
)
def test_anything_but_a_plain_address_is_blocked(address):
    assert not is_public(address)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_nothing_is_public_that_python_calls_local(address):
    """Cross-check with Python's own table."""
    if is_public(str(address)):
        inner = getattr(address, "ipv4_mapped", None) or address
        assert inner.is_global
        assert not inner.is_multicast


@given(st.sampled_from([*BLOCKED_V4, *BLOCKED_V6]), st.data())
def test_every_address_of_a_blocked_range_is_refused_with_its_reason(block, data):
    network, why = block
    kind = IPv4Address if network.version == 4 else IPv6Address
    number = data.draw(st.integers(int(network.network_address), int(network.broadcast_address)))
    assert refusal(str(kind(number))) in {why, "protocol assignments, Teredo among them"}
    assert ip_address(number) if network.version == 6 else True

"""The address of a request: forwarding headers count only with a web server in front."""

from dataclasses import replace
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from gleanery.accounts.caller import address_of, counted_as, is_on_this_machine


def asked(direct: str, forwarded: str = "") -> HttpRequest:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return RequestFactory().get("/", headers=headers, REMOTE_ADDR=direct)


@pytest.fixture
def behind_a_web_server(settings: Any) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="https://gleanery.example.org")


@pytest.mark.parametrize("direct", ["127.0.0.1", "::1", "203.0.113.1"])
def test_without_a_public_address_no_header_counts(direct: str) -> None:
    assert address_of(asked(direct, "198.51.100.9")) == direct


@pytest.mark.usefixtures("behind_a_web_server")
@pytest.mark.parametrize(
    ("direct", "forwarded", "address"),
    [
        ("127.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("127.0.0.1", "10.0.0.1, 198.51.100.9", "198.51.100.9"),
        ("::1", "2001:db8::5", "2001:db8::5"),
        ("127.0.0.1", "198.51.100.9:4711", "198.51.100.9"),
        ("127.0.0.1", "[2001:db8::5]:4711", "2001:db8::5"),
        ("127.0.0.1", "fe80::1%eth0", "fe80::1"),
        ("127.0.0.1", "::ffff:198.51.100.9", "198.51.100.9"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.9, unknown", "127.0.0.1"),
        ("127.0.0.1", "' OR 1=1", "127.0.0.1"),
        ("203.0.113.1", "198.51.100.9", "203.0.113.1"),
    ],
)
def test_behind_a_web_server_the_last_valid_address_counts(direct: str, forwarded: str, address: str) -> None:
    assert address_of(asked(direct, forwarded)) == address


def test_a_network_of_ipv6_counts_as_one_caller() -> None:
    assert counted_as(asked("2001:db8:1:2::3")) == counted_as(asked("2001:db8:1:2:ffff::")) == "2001:db8:1:2::"
    assert counted_as(asked("2001:db8:1:3::3")) != counted_as(asked("2001:db8:1:2::3"))
    assert counted_as(asked("")) == ""


def test_a_local_request_is_surely_local_only_without_a_web_server_in_front(settings: Any) -> None:
    assert is_on_this_machine(asked("127.0.0.1"))
    assert not is_on_this_machine(asked("192.0.2.7", "127.0.0.1"))
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="https://gleanery.example.org")
    assert not is_on_this_machine(asked("127.0.0.1"))
    assert not is_on_this_machine(asked("127.0.0.1", "127.0.0.1"))

"""An invalid certificate ends the fetch; it is not retried without verification."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime

import pytest
import trustme

from gleanery.errors import FetchError, FetchProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request

from .servers import Site, answer, environment, says, site


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def server_side(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)
    return context


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def fetch(certificate: trustme.LeafCert, trusted: ssl.SSLContext | None) -> tuple[bytes | FetchProblem, Site]:
    async def run() -> tuple[bytes | FetchProblem, Site]:
        async with (
            site(says(answer(200, b"secret")), server_side(certificate)) as www,
            Client(environment(www=www), tls=trusted) as client,
        ):
            try:
                return (await client.fetch(Request(url="https://www.test/"))).body, www
            except FetchError as error:
                return error.kind, www

    return asyncio.run(run())


def test_a_good_certificate_is_accepted(authority: trustme.CA):
    body, www = fetch(authority.issue_cert("www.test"), trusting(authority))
    assert body == b"secret"
    assert www.heard[0].headers["host"] == "www.test"


def test_a_certificate_of_another_host_is_refused(authority: trustme.CA):
    kind, www = fetch(authority.issue_cert("other.test"), trusting(authority))
    assert kind is FetchProblem.TLS
    assert www.heard == []


def test_a_certificate_of_an_unknown_authority_is_refused(authority: trustme.CA):
    kind, www = fetch(trustme.CA().issue_cert("www.test"), trusting(authority))
    assert kind is FetchProblem.TLS
    assert www.heard == []


def test_only_the_systems_authorities_are_trusted_by_default(authority: trustme.CA):
    kind, www = fetch(authority.issue_cert("www.test"), None)
    assert kind is FetchProblem.TLS
    assert www.heard == []


def test_an_expired_certificate_is_refused(authority: trustme.CA):
    expired = authority.issue_cert("www.test", not_after=datetime(2024, 1, 1, tzinfo=UTC))
    kind, www = fetch(expired, trusting(authority))
    assert kind is FetchProblem.TLS
    assert www.heard == []


def test_a_plain_http_server_on_an_https_address_is_an_error(authority: trustme.CA):
    async def run() -> FetchProblem:
        async with (
            site(says(answer(200, b"plain"))) as www,
            Client(environment(www=www), tls=trusting(authority)) as client,
        ):
            with pytest.raises(FetchError) as caught:
                await client.fetch(Request(url="https://www.test/", deadline=2))
            return caught.value.kind

    assert asyncio.run(run()) in {FetchProblem.TLS, FetchProblem.RESET, FetchProblem.CONNECT, FetchProblem.TIMEOUT}

"""`gleanery net check` shows the operator everything about one URL."""

from __future__ import annotations

import asyncio

import pytest

from gleanery.environment import Environment
from gleanery.errors import FetchError
from gleanery.net.check import Check, check
from gleanery.net.client import Client

from .canary import Dials
from .scripted_dns import ScriptedDns
from .servers import answer, environment, says, site


def checked(url: str, dns: ScriptedDns) -> Check:
    async def run() -> Check:
        async with Client(Environment(), lookup=dns.lookup, open_socket=Dials()) as client:
            return await check(client, url)

    return asyncio.run(run())


def test_a_working_site_is_described_line_by_line():
    text = b"User-agent: *\nDisallow: /no\nCrawl-delay: 3\nSitemap: http://www.test/map.xml"

    async def run() -> tuple[Check, int]:
        async with site(says(answer(200, text))) as www, Client(environment(www=www)) as client:
            return await check(client, "http://www.test/yes#part"), www.port

    done, port = asyncio.run(run())
    assert done.lines == (
        "URL: http://www.test/yes",
        f"Address: 127.0.0.1 port {port}: fixed by GLEANERY_NET_RESOLVE",
        "Robots: robots.txt was read.",
        "This page: may be fetched",
        "Delay: 3 s",
        "Sitemap: http://www.test/map.xml",
    )


def test_every_address_has_its_verdict(dns: ScriptedDns):
    done = checked("http://mixed.test/", dns)
    assert "Address: 127.0.0.1: blocked, loopback" in done.lines
    assert "Address: 93.184.215.14: public" in done.lines
    assert not done.allowed
    assert "This page: is not fetched" in done.lines


def test_a_literal_and_an_unknown_name_are_shown_too(dns: ScriptedDns):
    assert checked("http://[::1]/", dns).addresses[0].verdict == "blocked, not global unicast"
    assert checked("http://nobody.test/", dns).addresses[0].verdict == "the name cannot be resolved"
    assert checked("http://empty.test/", dns).addresses[0].verdict == "the name cannot be resolved"


def test_an_invalid_address_is_refused(dns: ScriptedDns):
    with pytest.raises(FetchError):
        checked("ftp://www.test/", dns)

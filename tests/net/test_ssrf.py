"""No form of a private address, no DNS answer and no redirect gets past the client."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest

from gleanery.environment import Environment
from gleanery.errors import FetchError, FetchProblem
from gleanery.net.check import check
from gleanery.net.client import Client
from gleanery.net.exchange import Request, json_post
from gleanery.net.robots import fetch_rules

from .canary import Canary, Dials
from .scripted_dns import ScriptedDns, scripted_dns
from .servers import Heard, Writer, answer, environment, says, site
from .vectors import ALL, PUBLIC, RELATIVE

REFUSALS = {
    FetchProblem.BLOCKED_ADDRESS,
    FetchProblem.BAD_URL,
    FetchProblem.SCHEME,
    FetchProblem.PORT,
    FetchProblem.DNS,
}


async def by_get(client: Client, url: str) -> None:
    await client.fetch(Request(url=url))


async def by_post(client: Client, url: str) -> None:
    await client.fetch(json_post(url, {"q": "x"}, {}))


async def by_robots(client: Client, url: str) -> None:
    assert (await fetch_rules(client, url)).wait


async def by_check(client: Client, url: str) -> None:
    assert not (await check(client, url)).allowed


FETCHES = (by_get, by_post)
LOOKS = (by_robots, by_check)


async def refused(entry: Callable[[Client, str], Awaitable[None]], client: Client, url: str) -> FetchProblem | None:
    try:
        await entry(client, url)
    except FetchError as error:
        return error.kind
    return None


def test_the_vectors_are_many_and_unique():
    assert len(set(ALL)) == len(ALL) >= 80


def test_the_canary_notices_a_visitor():
    canary = Canary()
    with socket.create_connection(("127.0.0.1", canary.port)) as visitor:
        assert visitor.recv(1) == b""
    canary.close()
    assert canary.visits == 1


@pytest.mark.parametrize("vector", ALL, ids=ascii)
def test_a_private_address_is_refused_by_every_entry_point(vector: str, canary: Canary, dns: ScriptedDns):
    async def attack() -> None:
        url = vector.replace("PORT", str(canary.port))
        async with Client(Environment(), lookup=dns.lookup, open_socket=dials) as client:
            for entry in FETCHES:
                assert await refused(entry, client, url) in REFUSALS
            for entry in LOOKS:
                assert await refused(entry, client, url) in {*REFUSALS, None}

    dials = Dials()
    asyncio.run(attack())
    assert dials.addresses == []
    assert canary.visits == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("entry", [by_get, by_post, by_robots])
def test_a_redirect_to_a_private_address_is_refused(entry, status: int, canary: Canary, dns: ScriptedDns):
    async def sends_on(heard: Heard, writer: Writer) -> None:
        writer.write(location[0])

    async def attack() -> None:
        async with site(sends_on) as www:
            dials = Dials()
            async with Client(environment(www=www), lookup=dns.lookup, open_socket=dials) as client:
                for vector in set(ALL) - RELATIVE:
                    # What no header can hold goes as the parser would read it.
                    url = vector.replace("PORT", str(canary.port)).replace("\n", "").replace("\x00", "%00")
                    location[0] = answer(status, b"", f"Location: {url}")
                    kind = await refused(entry, client, "http://www.test/")
                    assert kind in REFUSALS or (kind is None and entry is by_robots), url
            assert set(dials.addresses) <= {"127.0.0.1"}
            assert len(dials.addresses) == www.connections

    location = [b""]
    asyncio.run(attack())
    assert canary.visits == 0


def test_a_name_is_looked_up_once_and_the_address_that_was_checked_is_dialled():
    async def attack(dns: ScriptedDns) -> None:
        async with Client(Environment(), lookup=dns.lookup, open_socket=dials) as client:
            assert await refused(by_get, client, "http://rebind.test/") is FetchProblem.CONNECT
            assert dns.lookups["rebind.test"] == 1
            assert dials.addresses == [PUBLIC]
            assert await refused(by_get, client, "http://rebind.test/") is FetchProblem.BLOCKED_ADDRESS
            assert dns.lookups["rebind.test"] == 2
            assert dials.addresses == [PUBLIC]

    dials = Dials()
    with scripted_dns({"rebind.test": [[PUBLIC], ["127.0.0.1"]]}) as dns:
        asyncio.run(attack(dns))


def test_all_public_addresses_are_tried_in_turn():
    async def run(dns: ScriptedDns) -> None:
        async with Client(Environment(), lookup=dns.lookup, open_socket=dials) as client:
            assert await refused(by_get, client, "http://two.test/") is FetchProblem.CONNECT
            assert await refused(by_get, client, "http://8.8.8.8/") is FetchProblem.CONNECT
            assert await refused(by_get, client, "http://[::ffff:8.8.4.4]/") is FetchProblem.CONNECT

    dials = Dials()
    with scripted_dns({"two.test": [[PUBLIC, "2606:2800:21f:cb07::1"]]}) as dns:
        asyncio.run(run(dns))
    assert set(dials.addresses) == {PUBLIC, "2606:2800:21f:cb07::1", "8.8.8.8", "::ffff:808:404"}


def test_the_system_resolver_is_guarded_too(canary: Canary):
    async def attack() -> None:
        async with Client(Environment(), open_socket=dials) as client:
            assert await refused(by_get, client, "http://localhost/") is FetchProblem.BLOCKED_ADDRESS
            assert await refused(by_get, client, f"http://{'a' * 70}.test/") is FetchProblem.DNS
            assert await refused(by_get, client, "http://a..test/") is FetchProblem.DNS

    dials = Dials()
    asyncio.run(attack())
    assert dials.addresses == []
    assert canary.visits == 0


def test_a_refresh_instruction_is_ignored(canary: Canary):
    body = f'<meta http-equiv="refresh" content="0;url=http://127.0.0.1:{canary.port}/">'.encode()

    async def run() -> None:
        async with (
            site(says(answer(200, body, f"Refresh: 0;url=http://127.0.0.1:{canary.port}/"))) as www,
            Client(environment(www=www)) as client,
        ):
            assert (await client.fetch(Request(url="http://www.test/"))).body == body

    asyncio.run(run())
    assert canary.visits == 0


def test_messages_contain_no_ip_address():
    async def run() -> str:
        async with Client(Environment(), lookup=lambda host: asyncio.sleep(0, ["10.7.7.7"])) as client:
            with pytest.raises(FetchError) as caught:
                await client.fetch(Request(url="http://inside.test/"))
            assert caught.value.__cause__ is None
            return str(caught.value)

    assert "10.7.7.7" not in asyncio.run(run())

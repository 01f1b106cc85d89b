"""What the client sends, keeps and reports."""

from __future__ import annotations

import asyncio
import json
import random
import warnings
import zlib
from typing import Any

import pytest
import structlog

from gleanery import __version__
from gleanery.environment import Environment
from gleanery.errors import BadSetting, FetchError, FetchProblem
from gleanery.net import robots
from gleanery.net.client import Client
from gleanery.net.exchange import Request, Response, json_post

from .canary import Dials
from .servers import Handler, Heard, Site, Writer, answer, environment, says, says_and_closes, site


def ask(handler: Handler, *requests: Request, **settings: str) -> tuple[list[Response], Site]:
    async def run() -> tuple[list[Response], Site]:
        async with site(handler) as www:
            known = Environment(net_resolve={"www.test": www.where}, **settings)  # type: ignore[arg-type]
            async with Client(known) as client:
                return [await client.fetch(request) for request in requests], www

    return asyncio.run(run())


def failure(handler: Handler, **request: object) -> FetchProblem:
    with pytest.raises(FetchError) as caught:
        ask(handler, Request(url="http://www.test/", **request))  # type: ignore[arg-type]
    assert str(caught.value).endswith(".")
    return caught.value.kind


def test_the_user_agent_names_the_program_and_the_contact():
    _, www = ask(says(answer()), Request(url="http://www.test/"), contact="https://example.org/bot")
    assert www.heard[0].headers["user-agent"] == f"Gleanery/{__version__} (+https://example.org/bot)"
    _, www = ask(says(answer()), Request(url="http://www.test/"), contact="a\r\nX-Evil: 1")
    assert www.heard[0].headers["user-agent"] == f"Gleanery/{__version__} (+a X-Evil: 1)"
    _, www = ask(says(answer()), Request(url="http://www.test/"))
    assert www.heard[0].headers["user-agent"] == f"Gleanery/{__version__}"


def test_a_fixed_name_is_sent_in_the_host_header():
    [response], www = ask(says(answer(200, b"hello")), Request(url="http://WWW.test:80/a%20b?c=%D1%8F#part"))
    assert (response.url, response.body) == ("http://www.test/a%20b?c=%D1%8F", b"hello")
    assert (www.heard[0].path, www.heard[0].headers["host"]) == ("/a%20b?c=%D1%8F", "www.test")
    assert response.elapsed > 0


def test_a_fixed_name_is_that_name_alone():
    async def run() -> None:
        async with site(says(answer())) as www:
            fixed = Environment(net_resolve={"www.test": www.where})
            async with Client(fixed, lookup=lambda host: asyncio.sleep(0, ["127.0.0.1"])) as client:
                for url in ("http://test/", "http://a.www.test/", "http://www.test./", "http://127.0.0.1/"):
                    with pytest.raises(FetchError) as caught:
                        await client.fetch(Request(url=url))
                    assert caught.value.kind is FetchProblem.BLOCKED_ADDRESS
                with pytest.raises(FetchError) as caught:
                    await client.fetch(Request(url=f"http://www.test:{www.port}/"))
                assert caught.value.kind is FetchProblem.PORT
            assert www.connections == 0

    asyncio.run(run())


def test_a_fixed_name_in_another_alphabet_is_found():
    async def run() -> bytes:
        async with (
            site(says(answer(200, b"hello"))) as www,
            Client(Environment(net_resolve={"пример.бг": www.where})) as client,
        ):
            return (await client.fetch(Request(url="http://пример.бг/"))).body

    assert asyncio.run(run()) == b"hello"


@pytest.mark.parametrize("name", ["127.0.0.1", "2130706433", "[::1]", "", "a b", "a/b", "a@b"])
def test_only_a_name_can_be_fixed(name: str):
    with pytest.raises(BadSetting):
        Client(Environment(net_resolve={name: ("127.0.0.1", 80)}))


def test_conditional_headers_and_json_go_out_as_given():
    answers = says(answer(304, b"", "ETag: x"))
    [first, second], www = ask(
        answers,
        Request(url="http://www.test/", headers={"If-None-Match": '"x"'}),
        json_post("http://www.test/search", {"q": "фонд"}, {"X-API-KEY": "k"}, deadline=5),
    )
    assert (first.status, first.body, second.status) == (304, b"", 304)
    assert www.heard[0].headers["if-none-match"] == '"x"'
    post = www.heard[1]
    assert (post.method, json.loads(post.body), post.headers["x-api-key"]) == ("POST", {"q": "фонд"}, "k")
    assert post.headers["content-type"] == "application/json"


def test_a_connection_is_kept_and_many_fetches_run_at_once():
    _, www = ask(says(answer(200, b"x")), *[Request(url="http://www.test/")] * 3)
    assert www.connections == 1

    async def run() -> int:
        async with site(says(answer(200, b"x" * 20_000))) as www, Client(environment(www=www)) as client:
            pages = await asyncio.gather(*(client.fetch(Request(url=f"http://www.test/{n}")) for n in range(80)))
            return sum(len(page.body) for page in pages)

    assert asyncio.run(run()) == 80 * 20_000


def test_a_kept_connection_closed_by_the_site_is_replaced():
    responses, www = ask(says_and_closes(answer(200, b"x")), *[Request(url="http://www.test/")] * 3)
    assert [each.body for each in responses] == [b"x"] * 3
    assert www.connections == 3


def test_cookies_are_not_kept():
    _, www = ask(says(answer(200, b"", "Set-Cookie: a=b; Path=/")), *[Request(url="http://www.test/")] * 2)
    assert all("cookie" not in heard.headers for heard in www.heard)


def test_proxies_and_netrc_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path):
    (tmp_path / "netrc").write_text("machine www.test login me password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    [response], www = ask(says(answer(200, b"direct")), Request(url="http://www.test/"))
    assert response.body == b"direct"
    assert "authorization" not in www.heard[0].headers


def test_headers_are_case_insensitive_and_hold_no_broken_text():
    raw = "Content-Type: text/html; charset=windows-1251", "X-Name: \udcef\udce0"
    [response], _ = ask(says(answer(200, b"\xcf\xf0\xe8", *raw)), Request(url="http://www.test/"))
    assert (response.headers["content-TYPE"], response.charset) == (raw[0].partition(": ")[2], "windows-1251")
    assert response.headers["x-name"] == "ïà"
    assert response.text == "При"


def test_an_operators_endpoint_is_the_configured_origin_alone():
    async def run() -> bytes:
        async with site(says(answer(200, b"results"))) as searx:
            url = f"http://localhost:{searx.port}"
            async with Client(Environment(searxng_url=url)) as client:
                other = url.replace("localhost", "127.0.0.1")
                with pytest.raises(ValueError, match="not an endpoint"):
                    await client.fetch(Request(url=other, operator=True))
                with pytest.raises(FetchError):
                    await client.fetch(Request(url=url))
                assert searx.connections == 0
                return (await client.fetch(Request(url=f"{url}/search?q=x", operator=True))).body

    assert asyncio.run(run()) == b"results"


def test_a_kept_connection_to_an_operators_endpoint_serves_no_guarded_request():
    async def run() -> None:
        dials = Dials()
        async with site(says(answer(200, b"private"))) as searx:
            # The port is a web port only for this test: the pool is what is looked at.
            url = f"http://searx.lan:{searx.port}"
            client = Client(
                Environment(searxng_url=url), lookup=lambda host: asyncio.sleep(0, ["127.0.0.1"]), open_socket=dials
            )
            async with client:
                await client.fetch(Request(url=url, operator=True))
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr("gleanery.net.target.WEB_PORTS", {searx.port})
                    with pytest.raises(FetchError) as caught:
                        await client.fetch(Request(url=url))
                assert caught.value.kind is FetchProblem.BLOCKED_ADDRESS
            assert dials.addresses == ["127.0.0.1"]

    asyncio.run(run())


@pytest.mark.parametrize("setting", ["searxng_url", "llm_base_url", "provider_urls"])
def test_every_setting_that_names_an_endpoint_makes_it_the_operators(setting: str):
    async def run() -> bytes:
        async with site(says(answer(200, b"results"))) as endpoint:
            url = f"http://127.0.0.1:{endpoint.port}"
            known = Environment(**{setting: {"serper": url} if setting == "provider_urls" else url})  # type: ignore[arg-type]
            async with Client(known) as client:
                return (await client.fetch(Request(url=f"{url}/x", operator=True))).body

    assert asyncio.run(run()) == b"results"


def test_an_endpoint_setting_with_a_password_is_refused_by_name():
    with pytest.raises(BadSetting, match="SEARXNG_URL"):
        Client(Environment(searxng_url="http://me:secret@localhost:8888"))


def test_nobody_listening_is_a_failed_connection():
    async def run() -> FetchProblem:
        async with site(says(b"")) as www:
            gone = www.where
        async with Client(Environment(net_resolve={"www.test": gone})) as client:
            with pytest.raises(FetchError) as caught:
                await client.fetch(Request(url="http://www.test/"))
            return caught.value.kind

    assert asyncio.run(run()) is FetchProblem.CONNECT


def test_an_unknown_name_is_reported_as_such():
    async def run() -> FetchProblem:
        async with Client(Environment()) as client:
            with pytest.raises(FetchError) as caught:
                await client.fetch(Request(url="http://does-not-exist.invalid/"))
            return caught.value.kind

    assert asyncio.run(run()) is FetchProblem.DNS


@pytest.mark.parametrize(
    "said",
    [b"garbage\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", b"\x16\x03\x01"],
)
def test_anything_but_http_is_a_bad_response(said: bytes):
    assert failure(says_and_closes(said)) in {FetchProblem.BAD_RESPONSE, FetchProblem.RESET}


WELL_FORMED = (
    answer(200, b"hello", "Content-Type: text/html"),
    answer(200, zlib.compress(b"hello", wbits=31), "Content-Encoding: gzip"),
    answer(302, b"", "Location: /next"),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
    b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nhello",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nhello",
)


def damaged(said: bytes, chance: random.Random) -> bytes:
    """Return the bytes with a few changed, doubled or removed."""
    for _ in range(chance.randint(0, 4)):
        at = chance.randrange(len(said) or 1)
        piece = chance.choice([b"", bytes([chance.randrange(256)]), said[at : at + 9] * 2, b"\r\n", b"\0", b"99999999"])
        said = said[:at] + piece + said[at + chance.randint(0, 3) :]
    return said


def test_whatever_a_server_sends_is_a_response_or_a_fetch_error():
    chance = random.Random(20261115)

    async def confused(heard: Heard, writer: Writer) -> None:
        writer.write(damaged(chance.choice(WELL_FORMED), chance))
        await writer.drain()
        writer.close()

    async def attempt(client: Client) -> str:
        try:
            return str((await client.fetch(Request(url="http://www.test/", deadline=2))).status)
        except FetchError as error:
            return error.kind

    async def run() -> set[str]:
        async with site(confused) as www, Client(environment(www=www)) as client:
            return {await attempt(client) for _ in range(1500)}

    assert {"200", FetchProblem.BAD_RESPONSE, FetchProblem.RESET} <= asyncio.run(run())


def test_the_log_has_the_address_but_no_path_or_query():
    async def run(url: str, handler: Handler, **client: Any) -> None:
        async with site(handler) as www, Client(environment(www=www), **client) as made:
            with pytest.raises(FetchError):
                await made.fetch(Request(url=url, deadline=1))

    async def private(host: str) -> list[str]:
        return ["10.7.7.7"]

    async def slow(host: str) -> list[str]:
        raise TimeoutError

    with structlog.testing.capture_logs() as lines:
        asyncio.run(run("http://www.test/a?key=secret", says(b"garbage\r\n\r\n")))
        asyncio.run(run("http://in.test/a?key=secret", says(b""), lookup=private))
        asyncio.run(run("http://slow.test/a?key=secret", says(b""), lookup=slow))
    assert [line["kind"] for line in lines] == ["bad_response", "blocked_address", "timeout"]
    assert "10.7.7.7" in lines[1]["detail"]
    assert "secret" not in str(lines)


def test_a_failed_trial_of_an_address_is_not_logged():
    async def run() -> robots.Answer:
        async with site(says(b"garbage\r\n\r\n")) as www, Client(environment(www=www)) as made:
            return await robots.ask(made, "http://www.test/")

    with structlog.testing.capture_logs() as lines:
        assert "cannot be read" in asyncio.run(run()).problem
    assert not lines


def test_a_cancelled_fetch_leaves_nothing_behind():
    async def silent(heard: Heard, writer: Writer) -> None:
        await asyncio.sleep(60)

    async def run() -> None:
        async with site(silent) as www, Client(environment(www=www)) as client:
            fetching = asyncio.create_task(client.fetch(Request(url="http://www.test/")))
            await asyncio.sleep(0.05)
            fetching.cancel()
            with pytest.raises(asyncio.CancelledError):
                await fetching
            assert not client._exempt.connector._acquired
            others = asyncio.all_tasks() - {asyncio.current_task()}
            assert not [task for task in others if "silent" not in str(task) and "serve" not in str(task)]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(run())


def test_a_redirect_that_is_not_followed_is_the_response():
    moved = answer(301, b"", "Location: http://elsewhere.test/")
    [response], www = ask(says(moved), Request(url="http://www.test/", follow=False))
    assert (response.status, response.headers["Location"]) == (301, "http://elsewhere.test/")
    assert len(www.heard) == 1


def test_the_body_of_an_unwanted_media_type_is_not_read():
    picture = answer(200, b"x" * 100, "Content-Type: image/png")
    [response], _ = ask(says(picture), Request(url="http://www.test/", only=frozenset({"text/html"}), largest=10))
    assert (response.status, response.body, response.media_type) == (200, b"", "image/png")
    page = answer(200, b"page", "Content-Type: Text/HTML; charset=utf-8")
    [response], _ = ask(says(page), Request(url="http://www.test/", only=frozenset({"text/html"})))
    assert response.body == b"page"

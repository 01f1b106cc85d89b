"""Up to five redirects are followed as browsers do, without sending secrets to other origins."""

from __future__ import annotations

import asyncio

import pytest

from gleanery.environment import Environment
from gleanery.errors import FetchError, FetchProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Hop, Request, Response, json_post
from gleanery.net.redirect import Step, next_step
from gleanery.net.target import web_target

from .servers import Handler, Heard, Site, Writer, answer, environment, says, site


def countdown() -> Handler:
    """Redirect /3 to /2, /2 to /1 and so on; /0 is the end."""

    async def handler(heard: Heard, writer: Writer) -> None:
        left = int(heard.path.strip("/"))
        writer.write(answer(302, b"", f"Location: /{left - 1}") if left else answer(200, b"end"))

    return handler


def fetch(url: str) -> Response:
    async def run() -> Response:
        async with site(countdown()) as www, Client(environment(www=www)) as client:
            return await client.fetch(Request(url=url))

    return asyncio.run(run())


def test_five_redirects_are_followed_and_reported():
    response = fetch("http://www.test/5")
    assert (response.url, response.body) == ("http://www.test/0", b"end")
    assert response.redirects == tuple(Hop(f"http://www.test/{left}", 302) for left in (5, 4, 3, 2, 1))


def test_the_sixth_redirect_is_refused():
    with pytest.raises(FetchError) as caught:
        fetch("http://www.test/6")
    assert caught.value.kind is FetchProblem.TOO_MANY_REDIRECTS


def step(method: str = "GET", **headers: str) -> Step:
    body = b"{}" if method == "POST" else None
    return Step(web_target("https://a.test/x"), method, {k.replace("_", "-"): v for k, v in headers.items()}, body)


@pytest.mark.parametrize(
    ("status", "before", "after"),
    [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        (301, "GET", "GET"),
        (303, "GET", "GET"),
        (308, "GET", "GET"),
    ],
)
def test_the_method_changes_as_in_a_browser(status: int, before: str, after: str):
    new = next_step(step(before, Content_Type="application/json"), status, "/y")
    assert new.method == after
    assert (new.body is not None) == (after == "POST")
    assert ("Content-Type" in new.headers) == (after == "POST" or (before == "GET" and status != 303))


@pytest.mark.parametrize(
    "elsewhere", ["https://b.test/", "http://a.test/", "https://a.test:80/", "https://www.a.test/", "https://a.test./"]
)
def test_secrets_do_not_cross_origins(elsewhere: str):
    secrets = {"Authorization": "x", "X_API_KEY": "x", "X_Subscription_Token": "x", "Cookie": "x", "If_None_Match": "x"}
    assert next_step(step(Accept="text/html", **secrets), 307, elsewhere).headers == {"Accept": "text/html"}


def test_secrets_stay_within_an_origin_and_do_not_come_back_to_it():
    at_home = next_step(step(Authorization="x"), 307, "https://a.test:443/y")
    assert at_home.headers == {"Authorization": "x"}
    back = next_step(next_step(at_home, 307, "https://b.test/"), 307, "https://a.test/")
    assert back.headers == {}


def test_secrets_are_not_sent_to_another_site():
    async def run(there: Site) -> None:
        async with (
            site(says(answer(307, b"", "Location: http://there.test/"))) as here,
            Client(environment(here=here, there=there)) as client,
        ):
            await client.fetch(json_post("http://here.test/", {"q": 1}, {"X-API-KEY": "secret"}))
        assert here.heard[0].headers["x-api-key"] == "secret"

    async def both() -> Site:
        async with site(says(answer(200, b"ok"))) as there:
            await run(there)
            return there

    heard = asyncio.run(both()).heard
    assert [(each.method, each.body) for each in heard] == [("POST", b'{"q": 1}')]
    assert "secret" not in str(heard[0].headers)


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("y", "https://a.test/y"),
        ("//b.test/y", "https://b.test/y"),
        ("\\\\b.test\\y", "https://b.test/y"),
        ("?q#part", "https://a.test/x?q"),
        ("/път", "https://a.test/%D0%BF%D1%8A%D1%82"),
        ("/\udcef\udce0", "https://a.test/%EF%E0"),
        ("https://пример.бг/", "https://xn--e1afmkfd.xn--90ae/"),
    ],
)
def test_a_location_is_parsed_as_in_the_url_standard(location: str, url: str):
    assert next_step(step(), 302, location).target.url == url


def test_a_redirect_without_a_location_is_the_response():
    async def run() -> Response:
        async with site(says(answer(302, b"where to?"))) as www, Client(environment(www=www)) as client:
            return await client.fetch(Request(url="http://www.test/"))

    response = asyncio.run(run())
    assert (response.status, response.body) == (302, b"where to?")


def test_an_operators_endpoint_may_be_private_but_not_redirect():
    async def run() -> FetchProblem:
        async with site(says(answer(302, b"", "Location: /elsewhere"))) as searx:
            url = f"http://127.0.0.1:{searx.port}"
            async with Client(Environment(searxng_url=url)) as client:
                with pytest.raises(FetchError) as caught:
                    await client.fetch(Request(url=f"{url}/search", operator=True))
            assert [each.path for each in searx.heard] == ["/search"]
            return caught.value.kind

    assert asyncio.run(run()) is FetchProblem.REDIRECT_REFUSED

"""Which providers are enabled, at which address, and that their keys stay secret."""

from __future__ import annotations

import asyncio
import logging
import traceback

import pytest
from structlog.testing import capture_logs

from gleanery.discovery.providers.registry import PROVIDERS, enabled
from gleanery.discovery.providers.retrying import search_with_retries
from gleanery.environment import Environment, read
from gleanery.errors import BadSetting, FetchError, FetchProblem, ProviderFailure
from gleanery.net.client import Client
from gleanery.net.exchange import Request
from tests.net.servers import Heard, Writer, answer

from .vendors import GRANTS, KEY, NAMES, Script, Time, found, says_json, vendor

ON = {
    "BRAVE_API_KEY": "brave_search",
    "SEARXNG_URL": "searxng",
    "SERPER_API_KEY": "serper",
    "TAVILY_API_KEY": "tavily",
    "PERPLEXITY_API_KEY": "perplexity",
}
VENDORS = {
    "brave_search": "https://api.search.brave.com/res/v1/web/search",
    "serper": "https://google.serper.dev/search",
    "tavily": "https://api.tavily.com/search",
    "perplexity": "https://api.perplexity.ai/search",
}


def names(environ: dict[str, str]) -> list[str]:
    return [provider.name for provider in enabled(read(environ))]


def test_without_a_key_no_provider_is_enabled():
    assert names({}) == []
    assert names({"BRAVE_API_KEY": " ", "GLEANERY_PROVIDER_URLS": "serper=http://127.0.0.1:9000"}) == []


@pytest.mark.parametrize("variable", ON)
def test_its_setting_enables_a_provider(variable: str):
    assert names({variable: "http://127.0.0.1:8080"}) == [ON[variable]]


def test_all_settings_enable_all_providers_in_the_order_of_the_tuple():
    assert names(dict.fromkeys(ON, "http://127.0.0.1:8080")) == [offer.name for offer in PROVIDERS] == list(NAMES)


class Noted(Exception):
    """Raised instead of sending a request."""


class Listening:
    """Replaces the client to record the request, since no test may call a vendor."""

    async def fetch(self, request: Request) -> None:
        self.request = request
        raise Noted


def asked_for(environment: Environment, name: str) -> Request:
    [provider] = [each for each in enabled(environment) if each.name == name]
    client = Listening()
    with pytest.raises(Noted):
        asyncio.run(provider.search(client, GRANTS))  # type: ignore[arg-type]
    return client.request


@pytest.mark.parametrize("name", VENDORS)
def test_a_vendor_is_queried_at_its_own_address_with_the_guard(name: str):
    offer = next(each for each in PROVIDERS if each.name == name)
    request = asked_for(Environment(**{offer.setting: KEY}), name)  # type: ignore[arg-type]
    assert request.url.partition("?")[0] == VENDORS[name]
    assert not request.operator


@pytest.mark.parametrize("name", VENDORS)
def test_another_address_replaces_the_vendors_origin(name: str):
    offer = next(each for each in PROVIDERS if each.name == name)
    settings = {offer.setting: KEY, "provider_urls": {name: "http://gate.internal:9000/search-gate"}}
    request = asked_for(Environment(**settings), name)  # type: ignore[arg-type]
    path = VENDORS[name].split("/", 3)[3]
    assert request.url.partition("?")[0] == f"http://gate.internal:9000/search-gate/{path}"
    assert request.operator


def test_searxng_may_have_a_path_or_another_address():
    plain = Environment(searxng_url="http://10.0.0.5:8080/searxng")
    assert asked_for(plain, "searxng").url.startswith("http://10.0.0.5:8080/searxng/search?")
    other = Environment(searxng_url="http://10.0.0.5:8080", provider_urls={"searxng": "http://127.0.0.1:9000"})
    assert asked_for(other, "searxng").url.startswith("http://127.0.0.1:9000/search?")
    assert asked_for(other, "searxng").operator


def test_a_misspelled_provider_is_reported_before_any_request():
    with pytest.raises(BadSetting, match=r"GLEANERY_PROVIDER_URLS names 'brave'\. Possible are brave_search, "):
        names({"BRAVE_API_KEY": KEY, "GLEANERY_PROVIDER_URLS": "brave=http://127.0.0.1:9000"})


@pytest.mark.parametrize("key", ["two words", "a\r\nX-Evil: 1", "ключ", "a\x00b", "a\tb"])
def test_a_key_that_cannot_be_sent_in_a_header_is_refused_without_being_shown(key: str):
    with pytest.raises(BadSetting) as caught:
        enabled(Environment(serper_api_key=key))
    assert str(caught.value) == "SERPER_API_KEY has characters that no key has. Copy it again."


def test_a_searxng_address_in_another_alphabet_is_accepted():
    assert [each.name for each in enabled(Environment(searxng_url="http://търси.бг"))] == ["searxng"]


def test_a_private_address_of_a_vendor_is_blocked():
    async def run() -> None:
        known = Environment(serper_api_key=KEY)
        lookup = lambda host: asyncio.sleep(0, ["127.0.0.1"])  # noqa: E731
        async with Client(known, lookup=lookup) as client:
            with pytest.raises(ProviderFailure) as caught:
                await enabled(known)[0].search(client, GRANTS)
            assert (caught.value.kind, caught.value.worth_retrying) == ("network", False)
            with pytest.raises(FetchError) as direct:
                await client.fetch(Request(url="https://google.serper.dev/search"))
            assert direct.value.kind is FetchProblem.BLOCKED_ADDRESS

    asyncio.run(run())


async def breaks(heard: Heard, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")
    await writer.drain()
    writer.transport.abort()


ECHOES: dict[str, Script] = {
    "401": says_json({"error": f"Invalid key {KEY}", "message": KEY, "detail": {"error": KEY}}, 401),
    "422": says_json({"error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": KEY}}, 422),
    "429": says_json({"error": KEY}, 429, f"Retry-After: {KEY}"),
    "400": says_json({"message": f"Not enough credits on {KEY}"}, 400),
    "500": answer(500, KEY.encode()),
    "garbage": answer(200, f"<html>{KEY}</html>".encode()),
    "error inside": says_json({"error": {"message": KEY}}),
    "reset": breaks,
    "redirect": answer(302, b"", f"Location: http://example.org/?key={KEY}"),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES.keys())
def test_a_key_is_in_no_error_no_trace_and_no_log_even_if_the_vendor_echoes_it(
    name: str, echo: Script, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)

    async def run() -> str:
        async with vendor(name, echo) as (client, provider, _):
            assert KEY not in repr(provider)
            with pytest.raises(ProviderFailure) as caught:
                await search_with_retries(client, provider, GRANTS, pacing=Time().pacing())
            error = caught.value
            told = [str(error), repr(error), error.sentence, str(vars(error)), *traceback.format_exception(error)]
            return "\n".join(told)

    with capture_logs() as events:
        told = asyncio.run(run())
    assert KEY not in told
    assert KEY not in caplog.text
    assert KEY not in str(events)


def test_a_key_is_in_no_log_after_a_success(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)

    async def run() -> None:
        for name in NAMES:
            async with vendor(name, found(name, [])) as (client, provider, _):
                await search_with_retries(client, provider, GRANTS, pacing=Time().pacing())

    asyncio.run(run())
    assert KEY not in caplog.text

"""robots.txt is obeyed as in RFC 9309, and a hostile one does no harm."""

from __future__ import annotations

import asyncio
import time

import pytest

from gleanery.errors import FetchError
from gleanery.net.client import Client
from gleanery.net.robots import LARGEST, Rules, fetch_rules, parse

from .servers import Handler, Heard, Site, Writer, answer, environment, says, says_and_closes, site

RULES = b"""
User-agent: *
Disallow: /private
Crawl-delay: 5

User-agent: Gleanery
Disallow: /no-gleaning
Allow: /no-gleaning/but-this
Crawl-delay: 7

Sitemap: https://www.test/sitemap.xml
Sitemap: https://www.test/news.xml
"""


def test_our_own_group_replaces_the_general_one():
    rules = parse(200, RULES)
    assert rules.allows("https://www.test/private")
    assert not rules.allows("https://www.test/no-gleaning/x")
    assert rules.allows("https://www.test/no-gleaning/but-this")
    assert (rules.delay, rules.wait) == (7.0, False)
    assert rules.sitemaps == ("https://www.test/sitemap.xml", "https://www.test/news.xml")


@pytest.mark.parametrize("agent", ["*", "gleanery", "GLEANERY", "Gleanery/0.1", "Gleanery # us", "  Gleanery"])
def test_a_group_for_us_is_found_however_it_is_spelled(agent: str):
    assert not parse(200, f"User-agent: {agent}\nDisallow: /".encode()).allows("https://www.test/")


@pytest.mark.parametrize("agent", ["Glean", "g", "Googlebot", "Gleanery-News", "NotGleanery", "8bot", "бот"])
def test_a_group_for_another_agent_does_not_apply(agent: str):
    assert parse(200, f"User-agent: {agent}\nDisallow: /".encode()).allows("https://www.test/")


def test_several_agents_may_share_a_group():
    text = b"User-agent: Googlebot\nUser-agent: Gleanery\nDisallow: /a\n\nUser-agent: Bingbot\nDisallow: /b"
    rules = parse(200, text)
    assert not rules.allows("https://www.test/a")
    assert rules.allows("https://www.test/b")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 429, 451])
def test_a_client_error_means_there_are_no_rules(status: int):
    rules = parse(status, b"User-agent: *\nDisallow: /")
    assert rules.allows("https://www.test/")
    assert not rules.wait


@pytest.mark.parametrize("status", [500, 502, 503, 504, 599])
def test_a_server_error_means_wait(status: int):
    rules = parse(status, b"User-agent: *\nAllow: /")
    assert rules.wait
    assert not rules.allows("https://www.test/")


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("0", 0.0), ("1.5", 1.5), ("60", 60.0), ("61", 60.0), ("1e9", 60.0), ("inf", None), ("-1", None)],
)
def test_a_delay_is_kept_up_to_one_minute(asked: str, kept: float | None):
    assert parse(200, f"User-agent: *\nCrawl-delay: {asked}".encode()).delay == kept


def test_only_the_first_500_kib_count_and_no_half_line():
    line = b"Disallow: /directory/page\n"
    head = b"User-agent: *\n#"
    filler = head + b"x" * (LARGEST - len(head) - len(line) + 5) + b"\n"
    rules = parse(200, filler + line + b"Disallow: /late\n")
    assert rules.allows("https://www.test/late")
    assert rules.allows("https://www.test/directory/")
    assert not parse(200, b"User-agent: *\n" + line).allows("https://www.test/directory/page")


@pytest.mark.parametrize("body", [b"", b"<html>not found</html>", b"\xff\xfe\x00\xd8", b"\x00" * 1000, b"Disallow: /"])
def test_an_unreadable_file_allows_everything(body: bytes):
    assert parse(200, body).allows("https://www.test/")


def test_a_byte_order_mark_hides_no_rule():
    assert not parse(200, b"\xef\xbb\xbfUser-agent: *\nDisallow: /").allows("https://www.test/")


HOSTILE = {
    "agents times rules": b"\n".join(b"User-agent: a%d" % n for n in range(15_000)) + b"\nAllow: /" * 28_000,
    "spaced agents times rules": b"\n".join(b"User agent a%d" % n for n in range(15_000)) + b"\nAllow: /" * 28_000,
    "many wildcards": b"User-agent: *\nDisallow: /" + b"*a" * 200_000,
    "many sitemaps": b"Sitemap: /\n" * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_parsed_quickly(name: str):
    started = time.process_time()
    rules = parse(200, HOSTILE[name])
    rules.allows("https://www.test/" + "a" * 2000)
    assert time.process_time() - started < 3
    assert len(rules.sitemaps) <= 100


def fetched(handler: Handler, url: str = "http://www.test/deep/page?q", **limits: float) -> tuple[Rules, Site]:
    async def run() -> tuple[Rules, Site]:
        async with site(handler) as www, Client(environment(www=www)) as client:
            return await fetch_rules(client, url, **limits), www

    return asyncio.run(run())


def test_the_rules_are_at_the_root_of_the_site():
    rules, www = fetched(says(answer(200, RULES)))
    assert [heard.path for heard in www.heard] == ["/robots.txt"]
    assert not rules.allows("http://www.test/no-gleaning")


def test_a_huge_file_is_cut_and_not_refused():
    rules, _ = fetched(says(answer(200, b"User-agent: *\nDisallow: /a\n" + b"#" * 20 * 1024 * 1024)))
    assert not rules.allows("http://www.test/a")


def test_five_redirects_are_followed_and_a_loop_counts_as_no_file():
    async def hops(heard: Heard, writer: Writer) -> None:
        left = 5 if heard.path == "/robots.txt" else int(heard.path[1:])
        said = answer(302, b"", f"Location: /{left - 1}") if left else answer(200, b"User-agent: *\nDisallow: /")
        writer.write(said)

    rules, _ = fetched(hops)
    assert not rules.allows("http://www.test/")
    rules, _ = fetched(says(answer(302, b"", "Location: /robots.txt")))
    assert rules.allows("http://www.test/")


def test_a_redirect_to_a_private_address_means_wait():
    rules, _ = fetched(says(answer(302, b"", "Location: http://127.0.0.1/robots.txt")))
    assert rules.wait


async def silent(heard: Heard, writer: Writer) -> None:
    await asyncio.sleep(60)


@pytest.mark.parametrize("handler", [silent, says_and_closes(b""), says(b"garbage\r\n\r\n")])
def test_a_site_in_trouble_means_wait(handler: Handler):
    rules, _ = fetched(handler, deadline=0.5)
    assert rules.wait
    assert not rules.allows("http://www.test/")
    assert rules.reason.endswith(".")


def test_a_url_that_cannot_be_fetched_has_no_rules_at_all():
    with pytest.raises(FetchError):
        fetched(says(answer()), "ftp://www.test/")

"""The test sites of the crawler behave as described."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

import pytest

from tests.crawling import pages
from tests.crawling.pages import Plan
from tests.crawling.sites import Sites, site
from tests.crawling.workers import wait_for

PLAN = Plan(pages=30, fan_out=3, validators=True, sitemap=True, orphans=2, crawl_delay=0.5, changes_every=5)


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    with Sites(2, [PLAN, Plan(pages=3, latency=0.3)]) as running:
        yield running


def get(sites: Sites, host: str, path: str, **headers: str) -> tuple[HTTPResponse, str]:
    connection = HTTPConnection("127.0.0.1", sites.port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": host, **headers})
        response = connection.getresponse()
        return response, response.read().decode()
    finally:
        connection.close()


def test_following_the_links_finds_every_page_at_its_depth() -> None:
    depth = {"/": 0}
    for path in (queue := ["/"]):
        number = pages.number_of(path)
        assert number is not None
        for link in (link.partition("#")[0] for link in PLAN.links(number)):
            if link not in depth:
                depth[link] = depth[path] + 1
                queue.append(link)
    assert len(depth) == PLAN.pages
    assert max(depth.values()) == 3


def test_a_page_has_the_planned_size_links_and_event(sites: Sites) -> None:
    response, body = get(sites, site(0), "/page/7")
    assert response.status == 200
    assert 19_000 < len(body.encode()) < 22_000
    assert len(re.findall(r"<a href=", body)) == pages.LINKS
    (event,) = re.findall(r"ld\+json.>(.*?)</script>", body)
    assert json.loads(event)["@type"] == "Event"


def test_only_the_clock_changes_between_two_requests(sites: Sites) -> None:
    first, second = (get(sites, site(0), "/page/7")[1] for _ in range(2))
    assert first != second
    assert re.sub("Now it is .*? here", "", first) == re.sub("Now it is .*? here", "", second)


def test_a_new_version_changes_the_planned_pages(sites: Sites) -> None:
    tags = {n: get(sites, site(0), pages.path(n))[0].headers["ETag"] for n in (0, 5, 7)}
    sites.set_version(2)
    try:
        known = {n: get(sites, site(0), pages.path(n), **{"If-None-Match": tag})[0].status for n, tag in tags.items()}
    finally:
        sites.set_version(1)
    assert known == {0: 200, 5: 200, 7: 304}
    wait_for(lambda: [each.conditional for each in sites.requests_of(site(0))][-3:] == [True] * 3)


def test_robots_txt_has_the_delay_and_the_sitemap_the_orphans(sites: Sites) -> None:
    _, robots = get(sites, site(0), "/robots.txt")
    assert "Crawl-delay: 0.5" in robots
    assert "Disallow: /private/" in robots
    _, sitemap = get(sites, site(0), "/sitemap.xml")
    assert sitemap.count("<loc>") == 32
    assert get(sites, site(0), "/page/31")[0].status == 200
    assert get(sites, site(0), "/page/32")[0].status == 404


def test_the_log_shows_overlapping_requests(sites: Sites) -> None:
    both = [threading.Thread(target=get, args=(sites, site(1), f"/page/{n}")) for n in (1, 2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    wait_for(lambda: len(sites.requests_of(site(1))) == 2)  # it is written down after the answer is out
    first, second = sites.requests_of(site(1))
    assert first.end - first.start >= 0.3
    assert second.start < first.end
    assert (first.status, first.agent) == (200, "")


def test_a_tls_handshake_is_cut_off_and_is_not_logged_as_a_request(sites: Sites) -> None:
    def ask(path: str) -> None:
        get(sites, site(0), path)
        wait_for(lambda: [each.path for each in sites.requests()][-1:] == [path])  # and all that was asked for before

    ask("/before")
    with socket.create_connection(("127.0.0.1", sites.port), timeout=5) as caller:
        caller.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert caller.recv(10) == b""
    ask("/after")
    assert [each.path for each in sites.requests()][-2:] == ["/before", "/after"]

"""What a response means for the visit."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from gleanery.crawling.visiting.outcome import LONGEST_PAUSE, Outcome, of_error, of_response, retry_after, robots_tag
from gleanery.domains.names import domain_of
from gleanery.errors import FetchError, FetchProblem
from gleanery.net.exchange import Response

DOMAIN = domain_of("example.org")


def response(status: int = 200, body: bytes = b"x", url: str = "https://example.org/a", **headers: str) -> Response:
    given = CIMultiDict({name.replace("_", "-"): value for name, value in headers.items()})
    proxy = CIMultiDictProxy(given)
    return Response(url=url, status=status, headers=proxy, body=body, elapsed=0.1, redirects=())


def outcome(status: int = 200, *, attempts: int = 0, hops: int = 0, **facts: str) -> Outcome:
    return of_response(response(status, **facts), attempts, hops, DOMAIN)  # type: ignore[arg-type]


READABLE = ["text/html", "TEXT/HTML; charset=x", "application/xhtml+xml", "text/calendar", "application/pdf"]


@pytest.mark.parametrize("media_type", READABLE)
def test_pages_calendars_and_pdfs_are_read(media_type: str):
    assert outcome(Content_Type=media_type).state == "read"


WITHOUT = """
import sys
sys.modules["pypdf"] = None
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "pypdf" else find(name, package)
from gleanery.crawling.visiting import outcome
print("application/pdf" in outcome.READ, outcome._of_type("application/pdf", True).state)
"""


def test_without_the_library_for_it_a_pdf_is_noted_and_never_fetched():
    said = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "noted"]


@pytest.mark.parametrize("media_type", ["image/png", "application/zip", "", "text/plain"])
def test_other_types_are_refused_by_name(media_type: str):
    said = outcome(Content_Type=media_type)
    assert said.state == "refused"
    assert (media_type or "unknown") in said.reason


def test_an_empty_response_is_not_a_page():
    assert of_response(response(body=b"", Content_Type="text/html"), 0, 0, DOMAIN).state == "failed"


def test_not_modified_is_unchanged():
    assert outcome(304).state == "unchanged"


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_not_found_is_gone(status: int):
    assert (outcome(status).state, outcome(status).gone) == ("failed", True)


@pytest.mark.parametrize("status", [401, 403, 451, 999])
def test_a_refusal_by_the_site_is_final(status: int):
    assert (outcome(status).state, outcome(status).gone) == ("failed", False)


def test_a_server_error_is_tried_three_times_in_all():
    assert [outcome(500, attempts=tried).state for tried in range(3)] == ["queued", "queued", "failed"]


def test_a_busy_site_is_left_alone_as_long_as_it_asks_up_to_an_hour():
    assert outcome(429, Retry_After="120").pause == 120
    assert outcome(503, Retry_After="1").pause == 30
    assert outcome(429, Retry_After="999999999").pause == LONGEST_PAUSE
    assert outcome(429).down
    assert [outcome(429, attempts=tried).state for tried in range(3)] == ["queued", "queued", "failed"]


def test_retry_after_is_read_as_seconds_or_as_a_date():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 85 < retry_after(later) <= 90
    assert retry_after("5") == 5
    assert [retry_after(text) for text in ("", "soon", "-5", "Wed, 99 Foo", "1e9")] == [0] * 5


@given(st.text())
def test_no_retry_after_header_stops_the_crawl(text: str):
    assert retry_after(text) >= 0


@pytest.mark.parametrize(
    ("location", "leads_to"),
    [
        ("/b", "https://example.org/b"),
        ("http://www.example.org/b#part", "http://www.example.org/b"),
        ("//EXAMPLE.org/b?utm_source=x", "https://example.org/b"),
    ],
)
def test_a_redirect_within_the_site_is_another_visit(location: str, leads_to: str):
    said = outcome(301, Location=location)
    assert (said.state, said.leads_to) == ("redirected", leads_to)


@pytest.mark.parametrize(
    "location",
    ["https://other.org/", "https://evil-example.org/", "https://sub.example.org/", "http://127.0.0.1/", "ftp://example.org/",
     "javascript:alert(1)", "http://example.org:8080/", "http://user@example.org/", "http://[::1]/", ""],
)  # fmt: skip
def test_a_redirect_out_of_the_site_is_refused(location: str):
    said = outcome(302, Location=location)
    assert (said.state, said.leads_to) == (("refused", "") if location else ("redirected", "https://example.org/a"))


def test_the_sixth_redirect_in_a_row_is_refused():
    assert outcome(302, hops=4, Location="/b").state == "redirected"
    assert outcome(302, hops=5, Location="/b").state == "refused"


def test_a_lost_connection_is_tried_again_and_a_refused_address_is_not():
    lost = FetchError(FetchProblem.TIMEOUT, "It took too long.")
    assert [of_error(lost, tried).state for tried in range(3)] == ["queued", "queued", "failed"]
    assert of_error(lost, 0).down
    blocked = FetchError(FetchProblem.BLOCKED_ADDRESS, "It is not public.")
    assert (of_error(blocked, 0).state, of_error(blocked, 0).down) == ("failed", False)


@pytest.mark.parametrize(
    ("header", "noindex", "nofollow"),
    [
        ("", False, False),
        ("noindex", True, False),
        ("NoIndex, NoFollow", True, True),
        ("none", True, True),
        ("otherbot: noindex, nofollow", False, False),
        ("otherbot: noindex, gleanery: nofollow", False, True),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", True, False),
    ],
)
def test_the_robots_header_is_obeyed_if_it_addresses_us(header: str, noindex: bool, nofollow: bool):
    assert robots_tag(header) == (noindex, nofollow)

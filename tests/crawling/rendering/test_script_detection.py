"""Which pages need a browser, and which resources a page may request while it is rendered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gleanery.crawling.pages.page_reader import Document, read
from gleanery.crawling.rendering.resource_requests import (
    MOST_BYTES,
    MOST_REQUESTS,
    SCRIPTS_KEPT,
    Allowance,
    ResourceRequest,
    ResourceResponse,
    Scripts,
)
from gleanery.domains.names import domain_of

WORDS = "<p>The board meets on the third of March in the Town Hall.</p>" * 6
SCRIPT = ResourceRequest("https://app.example.org/app.js", "script", "GET", {})


def rendering(html: str) -> str:
    given = {"media_type": "text/html", "charset": "utf-8", "domain": domain_of("app.example.org")}
    return read(Document(body=html.encode(), url="https://app.example.org/", **given)).rendering  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<div id=root></div><script src=/app.js></script>", "wanted"),
        ("<noscript>Please turn on JavaScript.</noscript><script type=module src=/app.js></script>", "wanted"),
        (f"<script src=/app.js></script>{WORDS}", "plain"),
        ("<p>We are moving to another server.</p>", "plain"),
        ("<div id=root></div><script>document.title = 'none is loaded'</script>", "plain"),
    ],
)
def test_a_page_with_hardly_any_text_that_loads_scripts_needs_a_browser(html: str, said: str) -> None:
    assert rendering(html) == said


@pytest.mark.parametrize(
    "wish",
    [
        replace(SCRIPT, method="POST"),
        *(replace(SCRIPT, kind=kind) for kind in ("image", "font", "media", "websocket", "ping", "document", "other")),
    ],
    ids=lambda wish: f"{wish.method} {wish.kind}",
)
def test_a_page_gets_only_resources_that_can_change_its_text(wish: ResourceRequest) -> None:
    assert Allowance().grants(SCRIPT)
    assert not Allowance().grants(wish)


def test_a_page_gets_a_limited_number_of_responses_and_bytes() -> None:
    assert Allowance(MOST_REQUESTS - 1, MOST_BYTES - 1).grants(SCRIPT)
    many, large = Allowance(MOST_REQUESTS - 1), Allowance()
    many.take(None)
    large.take(ResourceResponse(200, {}, b" " * MOST_BYTES))
    assert not many.grants(SCRIPT)
    assert not large.grants(SCRIPT)


def test_cookies_and_the_user_agent_are_not_passed_on() -> None:
    headers = {"accept": "*/*", "cookie": "a=b", "user-agent": "HeadlessChrome", "x-api-key": "public", "referer": "/"}
    assert replace(SCRIPT, headers=headers).allowed_headers == {"accept": "*/*", "x-api-key": "public"}


def test_scripts_are_kept_for_later_pages_and_the_oldest_are_dropped() -> None:
    scripts, half = Scripts(), ResourceResponse(200, {}, b" " * (SCRIPTS_KEPT // 2))
    wishes = [replace(SCRIPT, url=f"https://app.example.org/{number}.js") for number in range(3)]
    for wish in wishes:
        scripts.keep(wish, half)
    assert [scripts.get(wish) for wish in wishes] == [None, half, half]
    scripts.keep(wishes[2], half)
    assert scripts.get(wishes[1]) is half, "what is kept anew takes no more room"
    data = replace(SCRIPT, kind="fetch")
    scripts.keep(data, half)
    scripts.keep(SCRIPT, ResourceResponse(404, {}, b""))
    assert scripts.get(data) is scripts.get(SCRIPT) is None

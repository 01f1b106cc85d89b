"""Which pages only a browser shows, and what a page may ask for while it is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gleanery.crawling.pages.page_reader import Document, read
from gleanery.crawling.rendering.wishes import (
    MOST_BYTES,
    MOST_REQUESTS,
    SCRIPTS_KEPT,
    Allowance,
    Gift,
    Scripts,
    Wish,
)
from gleanery.domains.names import domain_of

WORDS = "<p>The board meets on the third of March in the Town Hall.</p>" * 6
SCRIPT = Wish("https://app.example.org/app.js", "script", "GET", {})


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
def test_a_page_of_hardly_any_text_that_loads_scripts_wants_a_browser(html: str, said: str) -> None:
    assert rendering(html) == said


@pytest.mark.parametrize(
    "wish",
    [
        replace(SCRIPT, method="POST"),
        *(replace(SCRIPT, kind=kind) for kind in ("image", "font", "media", "websocket", "ping", "document", "other")),
    ],
    ids=lambda wish: f"{wish.method} {wish.kind}",
)
def test_a_page_gets_what_can_change_its_text_and_changes_nothing_elsewhere(wish: Wish) -> None:
    assert Allowance().grants(SCRIPT)
    assert not Allowance().grants(wish)


def test_a_page_gets_so_many_answers_and_bytes() -> None:
    assert Allowance(MOST_REQUESTS - 1, MOST_BYTES - 1).grants(SCRIPT)
    many, large = Allowance(MOST_REQUESTS - 1), Allowance()
    many.take(None)
    large.take(Gift(200, {}, b" " * MOST_BYTES))
    assert not many.grants(SCRIPT)
    assert not large.grants(SCRIPT)


def test_cookies_and_the_name_of_the_browser_are_not_passed_on() -> None:
    headers = {"accept": "*/*", "cookie": "a=b", "user-agent": "HeadlessChrome", "x-api-key": "public", "referer": "/"}
    assert replace(SCRIPT, headers=headers).told_headers == {"accept": "*/*", "x-api-key": "public"}


def test_scripts_are_kept_for_the_next_page_and_the_oldest_make_room() -> None:
    scripts, half = Scripts(), Gift(200, {}, b" " * (SCRIPTS_KEPT // 2))
    wishes = [replace(SCRIPT, url=f"https://app.example.org/{number}.js") for number in range(3)]
    for wish in wishes:
        scripts.keep(wish, half)
    assert [scripts.get(wish) for wish in wishes] == [None, half, half]
    scripts.keep(wishes[2], half)
    assert scripts.get(wishes[1]) is half, "what is kept anew takes no more room"
    data = replace(SCRIPT, kind="fetch")
    scripts.keep(data, half)
    scripts.keep(SCRIPT, Gift(404, {}, b""))
    assert scripts.get(data) is scripts.get(SCRIPT) is None

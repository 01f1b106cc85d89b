"""A visitor follows a search in a real browser: from its page to a confirmed e-mail, and out again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import LazySettings
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from gleanery.publishing.tasks import send_letters
from tests.interfaces.test_up import CHROMIUM_FLAGS
from tests.mail_server import Postbox, mail_server

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def post(settings: LazySettings, live_server: LiveServer) -> Iterator[Postbox]:
    with mail_server() as (box, url):
        told = {"smtp_url": url, "smtp_from": "Town <news@town.example>", "public_url": live_server.url}
        settings.ENVIRONMENT = replace(settings.ENVIRONMENT, **told)
        yield box


@contextmanager
def browser(root: str) -> Iterator[Page]:
    """The database is asked only while none is open: its loop and Django's do not mix."""
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield opened.new_context(base_url=root).new_page()
        opened.close()


def problems(page: Page) -> list[str]:
    """Return what axe finds on a small telephone, and whether the page is wider than that."""
    page.set_viewport_size({"width": 320, "height": 900})
    found = [str(each["id"]) for each in Axe().run(page).response["violations"]]
    return found + (["too wide"] if page.evaluate("document.documentElement.scrollWidth") > 320 else [])


def test_a_visitor_follows_a_search_and_leaves_it_again(live_server: LiveServer, post: Postbox) -> None:
    with browser(live_server.url) as page:
        page.goto("/search?kind=event&place=Sofia")
        page.get_by_role("link", name="by e-mail and more").click()
        assert page.locator("h1").inner_text() == "Events · Sofia"
        assert problems(page) == []
        page.get_by_label("Your e-mail address").fill("no mailbox")
        page.get_by_role("button", name="Get new ones by e-mail").click()
        assert page.get_by_role("alert").inner_text().startswith("This is no e-mail address")
        assert problems(page) == []
        page.get_by_label("Your e-mail address").fill("anna@home.example")
        page.get_by_role("radio", name="Every morning").check()
        page.get_by_role("button", name="Get new ones by e-mail").click()
        assert page.locator("h1").inner_text() == "Please look into your mailbox"
    send_letters(0)
    ((_, message),) = post.taken
    (link,) = re.findall(r"http\S+/follow/confirm/\S+", str(message.get_body(("plain",)).get_content()))  # type: ignore[union-attr]
    with browser(live_server.url) as page:
        page.goto(link)
        assert problems(page) == []
        page.get_by_role("button", name="Yes, send me these e-mails").click()
        assert page.locator("h1").inner_text() == "You will get e-mails"
        page.get_by_role("link", name="Stop these e-mails").click()
        assert problems(page) == []
        page.get_by_role("button", name="Delete everything about me").click()
        assert page.locator("h1").inner_text() == "No more of these e-mails"

"""The static copy in a real browser, given out by Python's own file server from a folder of a folder."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, sync_playwright

from gleanery.publishing.static_site.services import copy_site
from tests.interfaces.test_up import CHROMIUM_FLAGS
from tests.resolution.shop import tell

pytestmark = [pytest.mark.django_db, pytest.mark.browser]
ROOT = Path(__file__).parents[2]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as server:
        assert server.stdout is not None
        found = re.search(r"port (\d+)", server.stdout.readline())
        assert found is not None
        try:
            yield f"http://127.0.0.1:{found[1]}"
        finally:
            server.terminate()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Page]:
    """Whatever the database is asked is asked before a browser is open: its loop and Django's do not mix."""
    day = timezone.now().date() + timedelta(days=2)
    for name, town in (("Джаз вечер", "Пловдив"), ("Chess evening", "Varna"), ("Tango for everybody", "Varna")):
        tell("a", "event", name, name=name, start=f"{day}", venue_name=f"House of {name}", locality=town)
    tell("a", "organization", "f", name="Food Bank", locality="Varna", url="https://foodbank.example/")
    copy_site(tmp_path / "city" / "guide", "https://pages.example/city/guide")
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with served(tmp_path) as base, sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield opened.new_page(base_url=f"{base}/city/guide/")
        opened.close()


def hits(browser: Page) -> list[str]:
    browser.wait_for_selector("#found > :first-child")
    return [each.inner_text() for each in browser.locator("#found h3").all()]


def test_the_copy_is_browsed_and_searched(browser: Page) -> None:
    problems: list[str] = []
    browser.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    browser.on("response", lambda answer: problems.append(answer.url) if answer.status >= 400 else None)
    browser.goto("./")
    assert "Chess evening" in browser.inner_text("main")
    browser.get_by_role("link", name="Events", exact=True).first.click()
    assert browser.url.endswith("/city/guide/lists/event/")
    browser.get_by_role("link", name="Chess evening").click()
    assert browser.inner_text("h1") == "Chess evening"
    assert browser.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") != "16px", (
        "the stylesheet is there"
    )
    browser.get_by_role("link", name="House of Chess evening").first.click()
    assert browser.inner_text("h1") == "House of Chess evening"
    browser.goto("./")
    browser.locator("#q").fill("plovdiv")
    browser.keyboard.press("Enter")
    assert hits(browser) == ["Джаз вечер", "House of Джаз вечер"]
    browser.locator("#q").fill("Танго")
    browser.keyboard.press("Enter")
    assert hits(browser) == ["Tango for everybody", "House of Tango for everybody"]
    browser.get_by_role("link", name="Tango for everybody", exact=True).click()
    assert browser.inner_text("h1") == "Tango for everybody"
    browser.goto("search/?kind=event&place=Varna")
    assert sorted(hits(browser)) == ["Chess evening", "Tango for everybody"]
    browser.goto("search/?q=nothing+of+the+kind")
    assert hits(browser) == []
    assert "Nothing found" in browser.inner_text("#found")
    assert problems == []

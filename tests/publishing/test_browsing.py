"""The public site in a real browser without JavaScript, from a small telephone to a desk."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.interfaces.test_up import CHROMIUM_FLAGS
from tests.resolution.shop import JAZZ, tell

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
# The colours of each text and of what it stands on, as contrasts.
CONTRASTS = """() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const channels = colour => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const linear = x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    const light = colour => {
        const [r, g, b] = channels(colour).map(x => linear(x / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = element => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor;
            if (channels(colour)[3] === 255) return light(colour);
        }
        return light('white');
    };
    const says = each => [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    const texts = [...document.querySelectorAll('body *')].filter(each => says(each) && each.checkVisibility());
    return texts.map(each => {
        const [one, other] = [light(getComputedStyle(each).color), ground(each)].sort((a, b) => b - a);
        return [(one + 0.05) / (other + 0.05), each.textContent.trim().slice(0, 40)];
    }).filter(([contrast]) => contrast < 4.5);
}"""


@pytest.fixture
def browser(live_server: LiveServer) -> Iterator[Page]:
    """Whatever the database is asked is asked before a browser is open: its loop and Django's do not mix."""
    day = f"{timezone.now().date()}"
    tell("a", "event", "1", **(JAZZ | {"name": "Празник в Пловдив", "start": day, "is_accessible_for_free": True}))
    tell("a", "event", "2", **(JAZZ | {"name": "W" * 300, "venue_name": "V" * 200, "event_status": "EventCancelled"}))
    tell("a", "funding", "3", name="Fund for halls", funder_name="Kestrel", deadline=day, amount_max=500)
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        page = opened.new_context(base_url=live_server.url, java_script_enabled=False).new_page()
        yield page
        opened.close()


def test_a_visitor_searches_reads_and_changes_the_language_without_scripts(browser: Page) -> None:
    browser.goto("/")
    browser.get_by_role("searchbox", name="Search").fill("plovdiv")
    browser.keyboard.press("Enter")
    browser.get_by_role("link", name="Празник в Пловдив").click()
    assert browser.locator("h1").inner_text() == "Празник в Пловдив"
    browser.get_by_role("link", name="Български").click()
    assert browser.locator("h1").inner_text() == "Празник в Пловдив"
    assert browser.locator("html").get_attribute("lang") == "bg"
    assert "Добави в календара" in browser.locator("main").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_and_no_page_is_wider_than_the_window(browser: Page, scheme: str) -> None:
    browser.goto("/")
    links = [str(each.get_attribute("href")) for each in browser.locator("main a[href^='/records/']").all()]
    links.append(links[0].replace("/records/", "/report/").rpartition("/")[0].rpartition("/")[0] + "/")
    assert browser.context.browser is not None
    context = browser.context.browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page, root = context.new_page(), browser.url.rstrip("/")
    for path in dict.fromkeys(
        [
            "/",
            "/search",
            "/search?q=jazz&kind=event&when=week&near=x",
            "/calendar",
            "/map",
            "/submit/",
            "/about/",
            "/data/",
            "/nowhere",
            *links,
        ]
    ):
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(f"{root}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        assert page.evaluate(CONTRASTS) == [], path
    context.close()

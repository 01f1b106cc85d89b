"""Every public page in a real browser: no violation that axe knows, no other host asked, no error in the console."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright
from pytest_django.live_server_helper import LiveServer

from gleanery.resolution.models import Record
from tests.interfaces.test_up import CHROMIUM_FLAGS
from tests.resolution.shop import JAZZ, record_of, tell

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
# Wide by day and narrow by night: each page in both widths and both sets of colours.
LOOKS = [(1280, "light"), (390, "dark")]
PLAIN = ["/", "/search", "/search?q=jazz&kind=event", "/about/", "/data/", "/submit/", "/nowhere"]


@pytest.fixture
def paths() -> list[str]:
    """Whatever the database is asked is asked before a browser is open: its loop and Django's do not mix."""
    day = timezone.now().date()
    about = {
        "lat": 42.7,
        "lon": 23.3,
        "cost": "12",
        "keywords": ["jazz"],
        "organizer_name": "Club",
        "in_language": "bg",
    }
    event = record_of(tell("a", "event", "1", **(JAZZ | about | {"start": f"{day}", "url": "https://a.example/"})))
    tell("a", "event", "2", **(JAZZ | {"name": "Tango", "start": f"{day}", "event_status": "EventCancelled"}))
    fund = record_of(tell("a", "funding", "3", name="Fund", funder_name="Kestrel", deadline=f"{day}", amount_max=500))
    help_ = record_of(tell("a", "service", "4", name="Food bank", provider_name="Klas", opening_hours="Mon 9-12"))
    gone = record_of(tell("a", "funding", "5", name="Old", funder_name="Kestrel", deadline=f"{day}"))
    Record.objects.filter(pk=gone.pk).update(status="deleted")
    records = [f"/records/{each.pk}/" for each in (event, event.place, event.organization, fund, help_, gone) if each]
    return [*PLAIN, *records, f"/report/{event.pk}/"]


@pytest.fixture
def browser() -> Iterator[Browser]:
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield opened
        opened.close()


def test_no_page_shuts_anybody_out_or_asks_another_host(
    live_server: LiveServer, paths: list[str], browser: Browser
) -> None:
    for width, scheme in LOOKS:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        page, errors, asked = context.new_page(), [], []
        page.on("console", lambda message, errors=errors: errors.append(message.text))
        page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        for path in paths:
            answer = page.goto(path)
            found = Axe().run(page)
            assert found.violations_count == 0, f"{path} at {width}: {found.generate_report()}"
            assert answer is not None
            # Chromium notes that an answer was 404 or 410; nothing else may be there.
            expected = [] if answer.ok else [each for each in errors if f"status of {answer.status}" in each]
            assert errors == expected, path
            errors.clear()
        assert [each for each in asked if not each.startswith(live_server.url)] == []
        assert [each for each in asked if "/fonts/" in each]
        context.close()


def test_a_form_that_was_refused_and_one_that_was_taken_shut_nobody_out(
    live_server: LiveServer, paths: list[str], browser: Browser
) -> None:
    page = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 800}).new_page()
    for path, field, refused, taken in (
        (paths[-1], "What should it say?", "Choose what is wrong.", "Thank you"),
        ("/submit/", "Web address", "Please look at this again", "Submitted for review"),
    ):
        page.goto(path)
        page.locator("form[method=post] button").click()
        assert refused in page.locator("main").inner_text()
        assert Axe().run(page).violations_count == 0, path
        page.get_by_label(field).fill("foodbank.org")
        if path != "/submit/":
            page.get_by_label("The place is wrong").check()
        page.locator("form[method=post] button").click()
        assert taken in page.locator("main").inner_text()
        assert Axe().run(page).violations_count == 0, path

"""Pages of the console: dashboard, breadcrumbs, headings, layout."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, sync_playwright
from pytest_django import DjangoAssertNumQueries
from pytest_django.live_server_helper import LiveServer

from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.domains.models import Domain
from gleanery.domains.services import blacklist
from gleanery.extraction.models import Observation
from gleanery.review.sources import source_decisions
from gleanery.roles import Role
from tests.interfaces.test_up import CHROMIUM_FLAGS
from tests.resolution.shop import BACKWARDS, JAZZ, WORDS, tell
from tests.review.shop import proposed, somebody

LoggedIn = Callable[[Role], Client]
ROOT = Path(__file__).parents[2]
QUEUE = "/admin/review/item/"


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def counts(page: str) -> dict[str, int]:
    """Return the links of the dashboard with their counts."""
    found = re.findall(r'<a href="([^"]+)"[^>]*><strong[^>]*>(\d+)</strong>', page)
    return {address: int(count) for address, count in found}


@pytest.mark.django_db
def test_the_dashboard_counts_pending_work_with_links(logged_in: LoggedIn) -> None:
    client = logged_in(Role.REVIEWER)
    assert set(counts(text_of(client.get("/admin/"))).values()) == {0}
    for name in ("iskra.bg", "lampa.bg"):
        proposed(name)
    for name in WORDS[:3]:
        tell("a", "event", name, **{**BACKWARDS, "name": name})
    page = text_of(client.get("/admin/"))
    assert counts(page) == {
        f"{QUEUE}?kind=source": 2,
        f"{QUEUE}?kind=record": 3,
        f"{QUEUE}?warning=duplicates": 0,
    }
    assert f'href="{QUEUE}?warning=reversed_dates">end before start</a> (3)' in page
    for address, count in counts(page).items():
        rows = re.findall(rf'"{address.partition("?")[0]}([0-9a-f-]+)/change/', text_of(client.get(address)))
        assert len(set(rows)) == count, address
    blacklist(system(), "lampa.bg", "It is a casino.")
    assert counts(text_of(client.get("/admin/")))[f"{QUEUE}?kind=source"] == 1


@pytest.mark.django_db
def test_the_dashboard_has_a_constant_number_of_queries(
    logged_in: LoggedIn, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = logged_in(Role.REVIEWER)
    with django_assert_max_num_queries(100) as before:
        client.get("/admin/")
    for name in WORDS[:5]:
        tell("a", "event", name, **{**BACKWARDS, "name": name})
        proposed(f"{name.lower()}.bg")
    with django_assert_max_num_queries(len(before)):
        client.get("/admin/")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("resolution/record", ("Catalogue", "Records")),
        ("domains/domain", ("Finding sources", "Domains")),
        ("review/item", ("Review", "Review items")),
    ],
)
def test_breadcrumbs_do_not_repeat_a_name(logged_in: LoggedIn, page: str, said: tuple[str, str]) -> None:
    text = text_of(logged_in(Role.VIEWER).get(f"/admin/{page}/"))
    parts = re.findall(r'<a href="[^"]+" class="align-middle[^>]*>\s*(.*?)\s*</a', text)
    assert tuple(parts) == said


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "headings"),
    [
        ("domains/domain", ("Times found", "Best confidence")),
        ("crawling/crawl", ("Pages kept", "Pages refused", "Pages failed", "Pages waiting")),
        ("review/item", ("How it came",)),
    ],
)
def test_headings_say_what_they_count(logged_in: LoggedIn, page: str, headings: tuple[str, ...]) -> None:
    proposed()
    text = text_of(logged_in(Role.VIEWER).get(f"/admin/{page}/"))
    for heading in headings:
        assert heading in text, heading


@pytest.mark.django_db
def test_a_refused_decision_about_a_domain_keeps_its_reason(logged_in: LoggedIn) -> None:
    domain, client = proposed(), logged_in(Role.REVIEWER)
    source_decisions.approve(somebody(Role.ADMIN), domain)
    address = f"/admin/domains/domain/{domain.pk}/act/"
    page = text_of(client.post(address, {"action": "reject", "reason": "It <b>sells."}, follow=True))
    (form,) = re.findall(r"<details open .*?</details>", page, re.DOTALL)
    assert "Nothing was saved." in form
    assert ">\nIt &lt;b&gt;sells.</textarea>" in form
    assert "it is already approved" in page
    assert Domain.objects.get(pk=domain.pk).approval_status == "approved"
    page = text_of(client.post(address, {"action": "suspend", "reason": "It is being rebuilt."}, follow=True))
    assert "<details open " not in page
    assert JournalEntry.objects.get(action="suspend").reason == "It is being rebuilt."


@pytest.fixture
def long_one(transactional_db: None) -> str:
    """Return the page of an observation with very long values, one of them in Bulgarian."""
    payload = {**JAZZ, "description": "Джаз <b>вечер</b> " + "дълго" * 200, "url": f"https://a.bg/{'x' * 900}"}
    tell("a", "event", "1" * 250, **payload)
    return f"/admin/extraction/observation/{Observation.objects.get(kind='event').pk}/change/"


def test_source_data_is_shown_in_its_own_script_and_escaped(long_one: str, logged_in: LoggedIn) -> None:
    Observation.objects.update(original={"име": "Джаз <script>alert(1)</script>"})
    page = text_of(logged_in(Role.VIEWER).get(long_one))
    assert "&quot;име&quot;: &quot;Джаз &lt;script&gt;" in page
    assert "\\u0" not in page
    assert "<script>alert(1)" not in page


@pytest.fixture
def domain_page(transactional_db: None) -> str:
    """Return the page of a domain with very long values."""
    domain = proposed()
    source_decisions.approve(somebody(Role.REVIEWER), domain)
    return f"/admin/domains/domain/{domain.pk}/change/"


@pytest.fixture
def browser(long_one: str, logged_in: LoggedIn, live_server: LiveServer) -> Iterator[Page]:
    """Whatever the database is asked is asked before a browser is open: its loop and Django's do not mix."""
    cookie = logged_in(Role.VIEWER).cookies["sessionid"].value
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        page = opened.new_page(viewport={"width": 1100, "height": 800}, base_url=live_server.url)
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        yield page
        opened.close()


@pytest.mark.browser
def test_long_values_fit_the_window(long_one: str, browser: Page) -> None:
    browser.goto(long_one)
    assert "Джаз <b>вечер</b>" in browser.inner_text("pre")
    for width in (1100, 600):
        browser.set_viewport_size({"width": width, "height": 800})
        widest = browser.evaluate(
            "Math.max(...[...document.querySelectorAll('#main *, pre, table')]"
            ".map(each => each.getBoundingClientRect().right))"
        )
        assert widest <= width, width


@pytest.mark.browser
def test_values_of_a_domain_do_not_overlap_labels(domain_page: str, browser: Page) -> None:
    browser.set_viewport_size({"width": 1280, "height": 900})
    browser.goto(domain_page)
    ends = browser.evaluate(
        "[...document.querySelectorAll('.field-line')].map(line =>"
        " [line.getBoundingClientRect().right, ...[...line.querySelectorAll('*')]"
        ".map(each => each.getBoundingClientRect().right)])"
    )
    assert len(ends) > 20
    for edge, *inside in ends:
        assert max(inside) <= edge + 1

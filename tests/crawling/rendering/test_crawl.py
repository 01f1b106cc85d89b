"""Crawls of a site built by scripts: without a browser they say so, with one they read it politely."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from gleanery.crawling import numbers, services
from gleanery.crawling.models import Page, Snapshot, Visit
from gleanery.crawling.rendering.script_detection import NEEDS_BROWSER
from gleanery.review.sources.dossier import dossier_of
from tests.crawling.conftest import Resolve, approved, crawl
from tests.crawling.rendering.scripted import CDN, HOST, App

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]

HINT = "1 of 1 page has hardly any text and loads scripts. Set GLEANERY_BROWSER=on to read more of them."


@pytest.fixture
def app(reach: Resolve) -> Iterator[App]:
    with App() as app:
        reach(app)
        yield app


def turn_on(settings: Any, browser: str = "on") -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, browser=browser)


def test_without_a_browser_the_crawl_and_the_dossier_report_pages_that_need_one(app: App) -> None:
    domain = approved(HOST)
    row = crawl(domain)
    assert Visit.objects.get(snapshot__isnull=False).reason == NEEDS_BROWSER
    assert {"state": "stored", "reason": NEEDS_BROWSER, "count": 1} in numbers.of_crawl(row.pk).reasons
    assert numbers.made_by_scripts(domain.pk) == HINT
    assert dossier_of(domain).preview.sentence.endswith(HINT)
    assert {each.path for each in app.requests_of(HOST)} == {"/robots.txt", "/sitemap.xml", "/"}


def test_without_a_browser_the_crawl_goes_on(app: App, settings: Any) -> None:
    turn_on(settings, "/nowhere/chromium")
    domain = approved(HOST)
    assert crawl(domain).status == "completed"
    assert "no browser has rendered it yet" in numbers.made_by_scripts(domain.pk)


def test_requests_of_the_browser_count_for_the_crawl(app: App, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_on(settings)
    monkeypatch.setattr(services, "MOST_PAGES", 4)
    row = crawl(approved(HOST))
    asked = [each.path for each in app.requests() if each.path not in ("/robots.txt", "/sitemap.xml")]
    assert asked == ["/", "/library.js", "/moved.js", "/app.js"]
    assert row.visits.get(snapshot__isnull=False).requests == 4
    assert row.status == "completed"


def test_the_rendered_page_is_stored(app: App, settings: Any) -> None:
    turn_on(settings)
    domain = approved(HOST, crawl_rate_limit_seconds=1)
    crawl(domain)
    snapshot = Snapshot.objects.get(rendering="rendered")
    assert "March 3, 2027, 6:00 PM, Town Hall, with the library" in snapshot.text
    assert b"<h2><a href=" in zlib.decompress(bytes(snapshot.raw))
    assert Page.objects.get(url=snapshot.url).etag == ""
    assert Visit.objects.filter(url__endswith="/ethics", state="stored").exists()  # a link that only the browser saw
    assert numbers.made_by_scripts(domain.pk) == ""

    asked = sorted(app.requests())
    assert {each.path for each in asked if each.host == CDN} == {"/robots.txt", "/library.js"}
    paths = [each.path for each in asked if each.host == HOST]
    assert {"/moved.js", "/app.js", "/api/events.json", "/ethics"} <= set(paths)
    assert len(paths) == len(set(paths)), "nothing is asked for twice"
    assert not {"/private/spy.js", "/logo.png", "/app.css", "/api/visits"} & set(paths)
    assert all(each.agent.startswith("Gleanery/") for each in asked)
    shown = [each for each in asked if each.path in ("/", "/library.js", "/moved.js", "/app.js", "/api/events.json")]
    assert all(later.start - earlier.end > 0.9 for earlier, later in pairwise(shown))

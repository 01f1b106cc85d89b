"""Every site of the sample web renders, and its links work unless broken on purpose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from gleanery.demo.rendering import is_plain_page, text_of
from gleanery.demo.sites import ENGINES, Page, Site, by_host, hosts, page_in, sites, truth
from gleanery.demo.web import page_at
from gleanery.domains.names import domain_of
from tests.demo.conftest import TODAY

PAGES = [(site, page) for site in sites() for page in site.pages]
DAYS = [TODAY, date(2028, 2, 29), date(2026, 12, 31)]
each_site = pytest.mark.parametrize("site", sites(), ids=lambda site: site.host)


class Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name == "href" and value and tag in ("a", "link")]


def links_of(site: Site, page: Page, version: int) -> list[str]:
    there = page_in(page, version)
    return Links(text_of(site, there, TODAY)).found if there and page.type == "text/html" else []


def target_of(site: Site, page: Page, link: str, version: int) -> tuple[Site, Page] | None:
    parts = urlsplit(urljoin(f"http://{site.main_host}{page.path}", link))
    there = by_host().get(parts.netloc)
    found = page_at(there, unquote(parts.path), version) if there else None
    return (there, found) if there and found else None


def test_there_are_enough_sites_with_enough_pages() -> None:
    assert len(sites()) >= 26
    assert all(4 <= len(site.pages) <= 16 for site in sites())
    assert {site.language for site in sites()} == {"en", "bg"}


@pytest.mark.parametrize("host", hosts())
def test_every_host_is_a_reserved_domain(host: str) -> None:
    assert domain_of(host).name == by_host()[host].host
    assert host.endswith((".example", ".test"))


@each_site
def test_paths_are_unique_and_begin_at_the_root(site: Site) -> None:
    paths = [page.path for page in site.pages]
    assert paths[0] == "/"
    assert len(set(paths)) == len(paths)
    assert all(path.startswith("/") for path in paths)


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_page_renders_with_all_its_dates(day: date) -> None:
    for site, page in PAGES:
        for version in page.versions:
            there = page_in(page, version)
            assert there
            text = text_of(site, there, day)
            assert "{{" not in text.replace("{{}}", ""), f"{site.host}{page.path}"
            assert len(text) > 50 or page.redirect or page.handler or page.status != 200


def test_dates_depend_on_the_day() -> None:
    assert text_at("vitoshalights.example", "/programme", date(2026, 6, 1)).count("26 June 2026") == 1
    assert "4 юли 2026 г." not in text_at(
        "fondacia-iskra.example", "/programi/uchilishte-s-badeshte/", date(2026, 6, 1)
    )
    assert "6 юли 2026 г." in text_at("fondacia-iskra.example", "/programi/uchilishte-s-badeshte/", date(2026, 6, 1))


def text_at(host: str, path: str, day: date) -> str:
    page = page_at(by_host()[host], path, 1)
    assert page
    return text_of(by_host()[host], page, day)


@each_site
@pytest.mark.parametrize("version", [1, 2])
def test_links_work_or_are_broken_on_purpose(site: Site, version: int) -> None:
    dead = {
        link
        for page in site.pages
        for link in links_of(site, page, version)
        if not link.startswith("mailto:") and target_of(site, page, link, version) is None
    }
    assert dead == set(site.broken_links)


@each_site
def test_redirects_lead_to_pages_or_to_forbidden_addresses(site: Site) -> None:
    for page in site.pages:
        if page.redirect and target_of(site, page, page.redirect, 1) is None:
            assert urlsplit(page.redirect).netloc == "127.0.0.1"


@pytest.mark.parametrize("version", [1, 2])
def test_an_honest_page_can_be_reached_from_the_home_page(version: int) -> None:
    for site in sites():
        if truth()["sites"][site.host]["quality"] == "spam":
            continue
        reached = {"/"}
        for path in reached_from(site, version):
            reached.add(path)
        unreached = {page.path for page in site.pages if page_in(page, version)} - reached - {"/loop/b"}
        assert not unreached, site.host


def reached_from(site: Site, version: int) -> Iterator[str]:
    waiting, seen = ["/"], {"/"}
    while waiting:
        page = page_at(site, waiting.pop(), version)
        assert page
        for link in links_of(site, page, version) if not page.handler else []:
            found = target_of(site, page, link, version)
            if found and found[0] is site and found[1].path not in seen:
                seen.add(found[1].path)
                waiting.append(found[1].path)
                yield found[1].path


def test_structured_data_parses() -> None:
    with_data = [
        json.loads(text_of_json(page, version)) for _, page in PAGES if page.json_ld for version in page.versions
    ]
    assert len(with_data) > 25
    assert any("itemtype" in page.body for _, page in PAGES)
    assert sum(page.type == "text/calendar" for _, page in PAGES) >= 1


def text_of_json(page: Page, version: int) -> str:
    there = page_in(page, version)
    assert there
    return there.json_ld


def test_every_change_of_version_two_changes_something() -> None:
    for site, page in PAGES:
        for change in page.changes:
            texts = page.title + page.description + page.body + page.json_ld
            assert change["from"] in texts, f"{site.host}{page.path}: {change['from']}"
        if page.changes:
            before, after = page_in(page, 1), page_in(page, 2)
            assert before
            assert after
            assert text_of(site, before, TODAY) != text_of(site, after, TODAY)


def test_other_forms_of_an_address_belong_to_the_same_site() -> None:
    spelled = [(site, url) for site, page in PAGES for urls in page.found_as.values() for url in urls]
    assert len(spelled) >= 10
    for site, url in spelled:
        assert domain_of(url).name == site.host
    assert all(set(page.engines) <= set(ENGINES) for _, page in PAGES)


def test_search_engines_and_sitemaps_list_plain_pages_only() -> None:
    assert not any(is_plain_page(page) for _, page in PAGES if page.redirect or page.handler or page.status != 200)


def test_the_built_package_contains_the_data(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (wheel,) = WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])
    names = set(ZipFile(wheel).namelist())
    data = root / "src" / "gleanery" / "demo" / "data"
    wanted = {f"gleanery/demo/data/{path.relative_to(data).as_posix()}" for path in data.rglob("*") if path.is_file()}
    assert len(wanted) > len(sites())
    assert wanted <= names

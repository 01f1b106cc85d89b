"""truth.toml agrees with the pages."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from gleanery.demo.dates import render
from gleanery.demo.evaluation import FLAGGED, JOINED, MISSED
from gleanery.demo.rendering import text_of
from gleanery.demo.search_index import plain
from gleanery.demo.sites import Page, by_host, page_in, sites, truth
from gleanery.demo.web import page_at
from tests.demo.conftest import TODAY

WRITTEN = ("short", "american", "dots", "slashes", "iso", "basic")
KINDS = {"event", "funding", "service", "opportunity", "place", "organization"}
QUALITIES = {"good", "second-hand", "off-topic", "spam", "hostile"}
THINGS: dict[str, dict[str, Any]] = {thing["id"]: thing for thing in truth()["things"]}
MENTIONS = [(thing, where, name) for thing in THINGS.values() for where, name in thing["mentions"].items()]
EACH_MENTION = pytest.mark.parametrize(
    ("thing", "where", "name"), MENTIONS, ids=[f"{thing['id']}-{where}" for thing, where, _ in MENTIONS]
)


def page_with(where: str, version: int = 1) -> tuple[str, Page]:
    parts = urlsplit(f"http://{where}")
    site = by_host()[parts.netloc]
    page = page_at(site, parts.path, version)
    assert page, where
    return text_of(site, page, TODAY), page


def test_every_site_is_judged_and_no_other() -> None:
    judged = truth()["sites"]
    assert set(judged) == {site.host for site in sites()}
    assert {each["quality"] for each in judged.values()} == QUALITIES
    assert {each.get("trouble") for each in judged.values()} == {None, "slow", "broken", "hostile"}
    assert all(each["sign"] for each in judged.values() if each["quality"] == "spam")
    assert all(set(each["topics"]) <= set(truth()["queries"]) for each in judged.values())


def test_the_slow_site_is_slow() -> None:
    assert {site.host for site in sites() if site.delay} == {
        host for host, each in truth()["sites"].items() if each.get("trouble") == "slow"
    }


def test_every_kind_is_mentioned_and_most_things_more_than_once() -> None:
    assert len(THINGS) == len(truth()["things"]), "ids are there once"
    assert {thing["kind"] for thing in THINGS.values()} == KINDS
    for kind in KINDS:
        assert sum(len(thing["mentions"]) > 1 for thing in THINGS.values() if thing["kind"] == kind) >= 3, kind


@pytest.mark.parametrize(
    ("thing", "where", "name"), MENTIONS, ids=[f"{thing['id']}-{where}" for thing, where, _ in MENTIONS]
)
def test_a_page_mentions_the_thing_under_that_name(thing: dict[str, Any], where: str, name: str) -> None:
    document, page = page_with(where)
    written = render(name, TODAY, page.language)
    assert written in plain(document) or written in document
    if part := urlsplit(f"http://{where}").fragment:
        assert f'id="{part}"' in document or f'#{part}"' in document


@pytest.mark.parametrize("thing", THINGS.values(), ids=lambda thing: thing["id"])
def test_facts_point_to_other_things_and_to_real_days(thing: dict[str, Any]) -> None:
    facts = thing.get("facts", {})
    for role, kind in {
        "venue": "place",
        "organizer": "organization",
        "funder": "organization",
        "provider": "organization",
    }.items():
        assert role not in facts or THINGS[facts[role]]["kind"] == kind
    for when in ("start", "deadline"):
        assert render(facts.get(when, ""), TODAY)[:4] in ("", "2026", "2027")
    assert ("amount_max" in facts) == ("currency" in facts)


@pytest.mark.parametrize(
    ("thing", "where", "name"), MENTIONS, ids=[f"{thing['id']}-{where}" for thing, where, _ in MENTIONS]
)
def test_a_page_that_mentions_a_dated_thing_has_the_date(thing: dict[str, Any], where: str, name: str) -> None:
    facts = thing.get("facts", {})
    when = facts.get("start") or facts.get("deadline")
    if not when:
        return
    document, page = page_with(where)
    token = when[2:-2].partition("|")[0]
    written = {render(f"{{{{{token}|{form}}}}}", TODAY, page.language) for form in WRITTEN}
    assert any(each in document for each in written), f"{where} says none of {written}"


@pytest.mark.parametrize("thing", THINGS.values(), ids=lambda thing: thing["id"])
def test_its_own_source_has_the_amount_and_the_phone(thing: dict[str, Any]) -> None:
    facts = thing.get("facts", {})
    documents = [page_with(where)[0] for where in thing["mentions"]]
    digits = [re.sub(r"\D", "", document) for document in documents]
    if "amount_max" in facts:
        assert str(facts["amount_max"]) in digits[0]
    if "phone" in facts:
        assert any(facts["phone"][-6:] in each for each in digits)


def test_look_alikes_are_different_things_of_one_kind() -> None:
    assert len(truth()["alike"]) >= 8
    for alike in truth()["alike"]:
        assert len(set(alike["things"])) == len(alike["things"]) > 1
        assert len({THINGS[each]["kind"] for each in alike["things"]}) == 1
        assert alike["why"].endswith(".")


def test_expected_results_cover_every_outcome_and_things_on_several_pages() -> None:
    expected = [thing for thing in THINGS.values() if "expect" in thing]
    assert {thing["expect"] for thing in expected} == {JOINED, FLAGGED, MISSED}
    assert all(len(thing["mentions"]) > 1 for thing in expected)
    assert {alike.get("expect", FLAGGED) for alike in truth()["alike"]} == {FLAGGED}


@pytest.mark.parametrize("change", truth()["changes"], ids=lambda change: change["page"])
def test_a_change_appears_in_version_two(change: dict[str, str]) -> None:
    host, _, path = change["page"].partition("/")
    (page,) = [page for page in by_host()[host].pages if page.path == f"/{path}"]
    assert page_in(page, 1) != page_in(page, 2)
    if "thing" in change:
        assert any(where.partition("#")[0] == change["page"] for where in THINGS[change["thing"]]["mentions"])

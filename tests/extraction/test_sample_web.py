"""Extraction from the sample web, compared with its known content."""

from __future__ import annotations

import difflib
import re
from datetime import date
from functools import cache

from gleanery.demo.rendering import text_of
from gleanery.demo.sites import sites, truth
from gleanery.extraction.draft import Draft, PageSource
from gleanery.extraction.extractors import extract
from gleanery.extraction.generated_ids import fold_name

DAY = date(2026, 11, 15)
OFFERS = ("event", "funding", "service", "opportunity")
WEEKDAY = re.compile(r"\b(?:monday|thursday|saturday|sunday|понеделник|сряда|четвъртък|петък|събота|неделя)\b", re.I)


@cache
def drafts_by_page() -> dict[str, tuple[Draft, ...]]:
    """Return the drafts by address, without www."""
    found = {}
    for site in sites():
        for page in site.pages:
            host = site.main_host.removeprefix("www.")
            source = PageSource(
                html=text_of(site, page, DAY),
                url=f"http://{site.main_host}{page.path}",
                media_type="text/calendar" if page.path.endswith(".ics") else "text/html",
                fetched=DAY,
                country="BG",
            )
            found[f"{host}{page.path}"] = extract(source).drafts
    return found


def one(page: str, name: str) -> dict[str, object]:
    return next(each.fields for each in drafts_by_page()[page] if each.fields["name"] == name)


def test_most_things_of_the_sample_web_are_found_by_name() -> None:
    pairs = [
        (thing["kind"], where.partition("#")[0], name)
        for thing in truth()["things"]
        if thing["kind"] in OFFERS
        for where, name in thing["mentions"].items()
    ]
    found = [pair for pair in pairs if any(_is(draft, *pair[::2]) for draft in drafts_by_page().get(pair[1], ()))]
    assert len(found) / len(pairs) > 0.7


def _is(draft: Draft, kind: str, name: str) -> bool:
    likeness = difflib.SequenceMatcher(None, fold_name(name), fold_name(draft.fields["name"])).ratio()
    return draft.kind == kind and likeness > 0.6


def test_dates_are_not_read_as_names_or_places_nor_sentences_as_addresses() -> None:
    for page, drafts in drafts_by_page().items():
        for draft in drafts:
            for field in ("name", "venue_name", "locality"):
                assert not WEEKDAY.search(str(draft.fields.get(field, ""))), (page, field, draft.fields[field])
            assert not re.search(r"\d\. [A-ZА-Я]", str(draft.fields.get("address", ""))), (page, draft.fields)
            assert not re.search(r"\d:\d\d", str(draft.fields.get("venue_name", ""))), (page, draft.fields)


def test_a_page_is_named_by_its_own_heading() -> None:
    assert [each.fields["name"] for each in drafts_by_page()["obshtina-plovdiv.example/kultura.htm"]] == [
        "Програма „Култура“"
    ]


def test_the_heading_above_a_dated_line_names_the_event() -> None:
    names = [each.fields["name"] for each in drafts_by_page()["biblioteka-rilski.example/събития/"]]
    assert names == ["Среща с писателката Мила Дончева", "Работилница за фенери", "Час на приказката"]


def test_a_play_on_two_evenings_of_a_list_is_two_events() -> None:
    evenings = [each for each in drafts_by_page()["teatar-most.example/afish"] if "Вишнева" in each.fields["name"]]
    assert [each.fields["start"][:10] for each in evenings] == ["2026-12-03", "2026-12-10"]
    assert len({each.external_id for each in evenings}) == 2


def test_two_times_joined_by_and_are_no_range() -> None:
    assert "end" not in one("teatar-most.example/afish", "Котаракът с чизми")


def test_an_address_of_one_event_is_not_given_to_the_others() -> None:
    assert "address" not in one("serdica-courier.example/whats-on", "Vitosha Lights opens")


def test_a_digest_is_not_the_funder_of_calls_by_others() -> None:
    funders = [each.fields.get("funder_name") for each in drafts_by_page()["grantsdigest.example/schools"]]
    assert funders == ["Spark Foundation", None, None]


def test_a_column_headed_service_lists_services_of_others() -> None:
    drafts = drafts_by_page()["obshtina-plovdiv.example/socialni.htm"]
    assert [each.kind for each in drafts] == ["service"] * 3
    assert not any(each.fields.get("provider_name", "").startswith("Община") for each in drafts)


def test_step_free_is_not_free_of_charge() -> None:
    assert not any("is_accessible_for_free" in each.fields for each in drafts_by_page()["starata-fabrika.example/en"])

"""What the extractors take from the sample web, held against what is true of it."""

from __future__ import annotations

import difflib
import re
from datetime import date
from functools import cache

from gleanery.demo.rendering import text_of
from gleanery.demo.sites import sites, truth
from gleanery.extraction.draft import Draft, Source
from gleanery.extraction.extractors import extract
from gleanery.extraction.identity import folded

DAY = date(2026, 11, 15)
OFFERS = ("event", "funding", "service", "opportunity")
WEEKDAY = re.compile(r"\b(?:monday|thursday|saturday|sunday|понеделник|сряда|четвъртък|петък|събота|неделя)\b", re.I)


@cache
def told() -> dict[str, tuple[Draft, ...]]:
    """By the address of each page, without www."""
    found = {}
    for site in sites():
        for page in site.pages:
            host = site.main_host.removeprefix("www.")
            source = Source(
                html=text_of(site, page, DAY),
                url=f"http://{site.main_host}{page.path}",
                media_type="text/calendar" if page.path.endswith(".ics") else "text/html",
                fetched=DAY,
                country="BG",
            )
            found[f"{host}{page.path}"] = extract(source).drafts
    return found


def one(page: str, name: str) -> dict[str, object]:
    return next(each.fields for each in told()[page] if each.fields["name"] == name)


def test_most_of_what_the_sample_web_offers_is_found_under_its_name() -> None:
    pairs = [
        (thing["kind"], where.partition("#")[0], name)
        for thing in truth()["things"]
        if thing["kind"] in OFFERS
        for where, name in thing["told"].items()
    ]
    found = [pair for pair in pairs if any(_is(draft, *pair[::2]) for draft in told().get(pair[1], ()))]
    assert len(found) / len(pairs) > 0.7


def _is(draft: Draft, kind: str, name: str) -> bool:
    likeness = difflib.SequenceMatcher(None, folded(name), folded(draft.fields["name"])).ratio()
    return draft.kind == kind and likeness > 0.6


def test_no_day_passes_for_a_name_a_house_or_a_town_and_no_sentence_for_an_address() -> None:
    for page, drafts in told().items():
        for draft in drafts:
            for field in ("name", "venue_name", "locality"):
                assert not WEEKDAY.search(str(draft.fields.get(field, ""))), (page, field, draft.fields[field])
            assert not re.search(r"\d\. [A-ZА-Я]", str(draft.fields.get("address", ""))), (page, draft.fields)
            assert not re.search(r"\d:\d\d", str(draft.fields.get("venue_name", ""))), (page, draft.fields)


def test_a_page_is_named_by_its_own_heading_and_not_by_the_sites() -> None:
    assert [each.fields["name"] for each in told()["obshtina-plovdiv.example/kultura.htm"]] == ["Програма „Култура“"]


def test_the_heading_over_a_dated_line_names_the_event() -> None:
    names = [each.fields["name"] for each in told()["biblioteka-rilski.example/събития/"]]
    assert names == ["Среща с писателката Мила Дончева", "Работилница за фенери", "Час на приказката"]


def test_a_play_on_two_evenings_of_a_list_is_two_events() -> None:
    evenings = [each for each in told()["teatar-most.example/afish"] if "Вишнева" in each.fields["name"]]
    assert [each.fields["start"][:10] for each in evenings] == ["2026-12-03", "2026-12-10"]
    assert len({each.external_id for each in evenings}) == 2


def test_two_times_joined_by_and_are_no_span() -> None:
    assert "end" not in one("teatar-most.example/afish", "Котаракът с чизми")


def test_an_address_of_one_event_is_not_given_to_the_others() -> None:
    assert "address" not in one("serdica-courier.example/whats-on", "Vitosha Lights opens")


def test_a_digest_is_not_the_funder_of_what_others_give() -> None:
    funders = [each.fields.get("funder_name") for each in told()["grantsdigest.example/schools"]]
    assert funders == ["Spark Foundation", None, None]


def test_a_column_headed_service_lists_services_of_others() -> None:
    drafts = told()["obshtina-plovdiv.example/socialni.htm"]
    assert [each.kind for each in drafts] == ["service"] * 3
    assert not any(each.fields.get("provider_name", "").startswith("Община") for each in drafts)


def test_step_free_is_not_free_of_charge() -> None:
    assert not any("is_accessible_for_free" in each.fields for each in told()["starata-fabrika.example/en"])

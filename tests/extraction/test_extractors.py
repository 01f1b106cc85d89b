"""What the extractors find together: the truth of every structured page, each thing once, the same on every visit."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction import extractors
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.extractors import EXTRACTORS, STRUCTURED, extract
from gleanery.extraction.structured.page import Page
from gleanery.extraction.uniting import alike, same_time, united, united_contacts

PAGES = Path(__file__).parent / "pages" / "structured"
HTML = sorted(path.stem for path in PAGES.glob("*.html"))
# Fields that only machines are told; the rest may also be completed from the words of a page.
CERTAIN = (
    "start",
    "end",
    "event_status",
    "attendance_mode",
    "venue_name",
    "organizer_name",
    "lat",
    "lon",
    "country",
)


def case(name: str) -> tuple[Source, dict[str, Any]]:
    truth = json.loads((PAGES / f"{name}.json").read_text(encoding="utf-8"))
    source = Source(
        html=(PAGES / f"{name}.html").read_text(encoding="utf-8"),
        url=truth["url"],
        media_type="text/html",
        fetched=date.fromisoformat(truth["fetched"]),
        country=truth["country"],
        language=truth["language"],
    )
    return source, truth


def draft(kind: str = "event", **fields: Any) -> Draft:
    fields = {"name": "A concert of winds", **({"start": "2027-01-02"} if kind == "event" else {}), **fields}
    return Draft(
        kind=kind, external_id=str(fields), fields=fields, evidence=dict.fromkeys(fields, "there"), extractor="test"
    )


@pytest.mark.parametrize("name", HTML)
def test_a_structured_page_gives_the_things_of_its_truth(name: str) -> None:
    source, truth = case(name)
    found = {(each.kind, each.fields["name"], each.fields.get("start", "")) for each in extract(source).drafts}
    assert found == {(each["kind"], each["name"], each.get("start", "")) for each in truth["observations"]}


@pytest.mark.parametrize("name", HTML)
def test_what_machines_are_told_comes_out_as_it_is(name: str) -> None:
    source, truth = case(name)
    drafts = {(each.kind, each.fields["name"], each.fields.get("start", "")): each for each in extract(source).drafts}
    for told in truth["observations"]:
        found = drafts[told["kind"], told["name"], told.get("start", "")]
        wrong = {
            field: (found.fields.get(field), told[field])
            for field in CERTAIN
            if field in told and found.fields.get(field) != told[field]
        }
        assert not wrong
        assert "external_id" not in told or found.external_id == told["external_id"]


@pytest.mark.parametrize("name", HTML)
def test_the_same_page_gives_the_same_ids_and_no_id_twice(name: str) -> None:
    source, _ = case(name)
    first = extract(source)
    assert first == extract(source)
    assert first.drafts == extract(replace(source, fetched=date(2026, 11, 16))).drafts
    ids = [(each.kind, each.external_id) for each in first.drafts]
    assert len(ids) == len(set(ids))


def test_the_extractors_stand_in_the_order_in_which_they_are_believed() -> None:
    names = [each.__name__ for each in EXTRACTORS]
    assert names == ["from_json_ld", "from_microdata", "from_rdfa", "from_calendar", "from_open_graph", "from_words"]
    assert EXTRACTORS[: len(STRUCTURED)] == STRUCTURED


def test_an_extractor_that_stumbles_is_a_problem_of_the_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_nothing(page: Page) -> Extracted:
        raise ZeroDivisionError

    monkeypatch.setattr(extractors, "EXTRACTORS", (from_nothing, *EXTRACTORS))
    source, truth = case(HTML[0])
    found = extract(source)
    assert len(found.drafts) == len(truth["observations"])
    assert found.problems == ("from_nothing gave up on this page (ZeroDivisionError).",)


def test_what_a_second_form_says_fills_gaps_and_overrules_nothing() -> None:
    (one,) = united([draft(venue_name="Hall")], [draft(venue_name="Other hall", organizer_name="Band")], add=True)
    assert (one.fields["venue_name"], one.fields["organizer_name"]) == ("Hall", "Band")
    assert one.evidence.keys() == one.fields.keys()


def test_events_on_different_days_and_things_of_different_kinds_stay_apart() -> None:
    assert len(united([draft()], [draft(start="2027-01-03")], add=True)) == 2
    assert len(united([draft()], [draft("funding", description="x")], add=True)) == 2


def test_things_that_one_extractor_tells_apart_stay_apart() -> None:
    both = [draft(name="Workshop with clay and fire"), draft(name="Workshop with clay and water")]
    assert len(united([], both, add=True)) == 2
    assert len(united([], [both[0], both[0]], add=True)) == 1


def test_branches_that_share_a_name_are_several() -> None:
    branches = [
        draft("place", name="Library", address="ul. Zora 5"),
        draft("place", name="Library", address="ul. Zora 9"),
    ]
    assert len(united([], branches, add=True)) == 2


def test_of_a_thing_that_machines_were_told_of_words_give_the_conditions_alone() -> None:
    words = draft("funding", deadline="2027-03-01", funder_name="Somebody")
    (one,) = united([draft("funding", description="x")], [words], add=False, fields=extractors.IN_WORDS)
    assert one.fields["deadline"] == "2027-03-01"
    assert "funder_name" not in one.fields


def test_words_add_nothing_to_a_page_that_tells_machines_what_it_is_about() -> None:
    known = [draft()]
    assert united(known, [draft(name="Something else entirely", start="2027-03-04")], add=False) == known


def test_half_an_address_is_not_taken_from_another_town() -> None:
    one = draft("place", locality="Ruse")
    (place,) = united([one], [draft("place", locality="Varna", address="ul. Zora 5", phone="+35929991234")], add=True)
    assert "address" not in place.fields
    assert place.fields["phone"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Зимен концерт", "„Зимен концерт“!", True),
        ("2113 Help at home", "Help at home", True),
        ("Session 1", "Session 2", False),
        ("Open day", "Closing night", False),
        ("Concert", "Concert of the year with many more words", False),
    ],
)
def test_names_are_compared_as_people_do(one: str, other: str, same: bool) -> None:
    assert bool(alike(one, other)) is same
    assert bool(alike(other, one)) is same


def test_times_are_compared_by_what_both_tell() -> None:
    assert same_time("2027-01-02T10:00:00+02:00", "2027-01-02T08:00:00+00:00")
    assert same_time("2027-01-02T10:00:00+02:00", "2027-01-02T10:00:00")
    assert same_time("2027-01-02T10:00:00+02:00", "2027-01-02")
    assert not same_time("2027-01-02T10:00:00", "2027-01-02T11:00:00")


def test_contacts_are_one_where_something_is_shared_and_nothing_at_odds() -> None:
    known = ContactDraft(name="Office", phone="+35929991234")
    more = [
        ContactDraft(phone="+35929991234", email="a@example.org"),
        ContactDraft(name="Ana Petrova", phone="+35929991234"),
        ContactDraft(name="Office", phone="+35929995678"),
    ]
    result = united_contacts([known], more)
    assert result[0] == ContactDraft(name="Office", phone="+35929991234", email="a@example.org")
    assert len(result) == 3


def test_the_person_behind_a_mailbox_is_named_once() -> None:
    known = ContactDraft(name="The Fund", email="a@example.org")
    person = ContactDraft(name="Ana Petrova", role="officer", email="a@example.org", phone="+35929991234")
    assert united_contacts([known], [person]) == [person]
    assert len(united_contacts([], [replace(person, name="Iva Ilieva", role="head"), person])) == 2


def pieces() -> Iterator[str]:
    for name in HTML:
        html = (PAGES / f"{name}.html").read_text(encoding="utf-8")
        yield from (html[start : start + 700] for start in range(0, len(html), 700))


@given(
    st.lists(st.sampled_from(list(pieces())) | st.text(max_size=20), max_size=6),
    st.sampled_from(["text/html", "text/calendar", "", "x"]),
)
def test_pages_torn_and_glued_together_raise_nothing(parts: list[str], media_type: str) -> None:
    source = Source(
        html="".join(parts), url="https://example.org/", media_type=media_type, fetched=date(2026, 11, 15), country="BG"
    )
    found = extract(source)
    assert not [each for each in found.problems if "gave up" in each]
    for each in found.drafts:
        assert each.fields["name"]
        assert each.kind != "event" or each.fields["start"]

"""All extractors together: expected results of structured pages, merging, stable ids."""

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
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, PageSource
from gleanery.extraction.draft_merging import merge_contacts, merge_drafts, name_similarity, same_time
from gleanery.extraction.extractors import EXTRACTORS, STRUCTURED, extract
from gleanery.extraction.structured.html_page import HtmlPage

PAGES = Path(__file__).parent / "pages" / "structured"
HTML = sorted(path.stem for path in PAGES.glob("*.html"))
# Fields that only structured data gives; others may also come from the text.
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


def case(name: str) -> tuple[PageSource, dict[str, Any]]:
    truth = json.loads((PAGES / f"{name}.json").read_text(encoding="utf-8"))
    source = PageSource(
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
def test_a_structured_page_gives_the_expected_observations(name: str) -> None:
    source, truth = case(name)
    found = {(each.kind, each.fields["name"], each.fields.get("start", "")) for each in extract(source).drafts}
    assert found == {(each["kind"], each["name"], each.get("start", "")) for each in truth["observations"]}


@pytest.mark.parametrize("name", HTML)
def test_structured_values_are_not_changed(name: str) -> None:
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


def test_extractors_are_listed_in_order_of_precedence() -> None:
    names = [each.__name__ for each in EXTRACTORS]
    assert names == ["from_json_ld", "from_microdata", "from_rdfa", "from_calendar", "from_open_graph", "from_words"]
    assert EXTRACTORS[: len(STRUCTURED)] == STRUCTURED


def test_a_failing_extractor_is_reported_as_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_nothing(page: HtmlPage) -> Extracted:
        raise ZeroDivisionError

    monkeypatch.setattr(extractors, "EXTRACTORS", (from_nothing, *EXTRACTORS))
    source, truth = case(HTML[0])
    found = extract(source)
    assert len(found.drafts) == len(truth["observations"])
    assert found.problems == ("from_nothing failed on this page (ZeroDivisionError).",)


def test_a_second_format_fills_gaps_and_overrides_nothing() -> None:
    (one,) = merge_drafts([draft(venue_name="Hall")], [draft(venue_name="Other hall", organizer_name="Band")], add=True)
    assert (one.fields["venue_name"], one.fields["organizer_name"]) == ("Hall", "Band")
    assert one.evidence.keys() == one.fields.keys()


def test_events_on_different_days_and_things_of_different_kinds_stay_apart() -> None:
    assert len(merge_drafts([draft()], [draft(start="2027-01-03")], add=True)) == 2
    assert len(merge_drafts([draft()], [draft("funding", description="x")], add=True)) == 2


def test_things_listed_separately_by_one_extractor_stay_separate() -> None:
    both = [draft(name="Workshop with clay and fire"), draft(name="Workshop with clay and water")]
    assert len(merge_drafts([], both, add=True)) == 2
    assert len(merge_drafts([], [both[0], both[0]], add=True)) == 1


def test_branches_with_one_name_stay_separate() -> None:
    branches = [
        draft("place", name="Library", address="ul. Zora 5"),
        draft("place", name="Library", address="ul. Zora 9"),
    ]
    assert len(merge_drafts([], branches, add=True)) == 2


def test_text_adds_only_conditions_to_structured_data() -> None:
    words = draft("funding", deadline="2027-03-01", funder_name="Somebody")
    (one,) = merge_drafts([draft("funding", description="x")], [words], add=False, fields=extractors.IN_WORDS)
    assert one.fields["deadline"] == "2027-03-01"
    assert "funder_name" not in one.fields


def test_text_adds_no_things_to_a_page_with_a_structured_subject() -> None:
    known = [draft()]
    assert merge_drafts(known, [draft(name="Something else entirely", start="2027-03-04")], add=False) == known


def test_half_an_address_is_not_taken_from_another_town() -> None:
    one = draft("place", locality="Ruse")
    (place,) = merge_drafts(
        [one], [draft("place", locality="Varna", address="ul. Zora 5", phone="+35929991234")], add=True
    )
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
def test_similar_names_are_recognised(one: str, other: str, same: bool) -> None:
    assert bool(name_similarity(one, other)) is same
    assert bool(name_similarity(other, one)) is same


def test_times_are_compared_at_the_precision_of_both() -> None:
    assert same_time("2027-01-02T10:00:00+02:00", "2027-01-02T08:00:00+00:00")
    assert same_time("2027-01-02T10:00:00+02:00", "2027-01-02T10:00:00")
    assert same_time("2027-01-02T10:00:00+02:00", "2027-01-02")
    assert not same_time("2027-01-02T10:00:00", "2027-01-02T11:00:00")


def test_contacts_merge_if_they_share_a_value_and_contradict_in_none() -> None:
    known = ContactDraft(name="Office", phone="+35929991234")
    more = [
        ContactDraft(phone="+35929991234", email="a@example.org"),
        ContactDraft(name="Ana Petrova", phone="+35929991234"),
        ContactDraft(name="Office", phone="+35929995678"),
    ]
    result = merge_contacts([known], more)
    assert result[0] == ContactDraft(name="Office", phone="+35929991234", email="a@example.org")
    assert len(result) == 3


def test_the_person_behind_a_mailbox_appears_once() -> None:
    known = ContactDraft(name="The Fund", email="a@example.org")
    person = ContactDraft(name="Ana Petrova", role="officer", email="a@example.org", phone="+35929991234")
    assert merge_contacts([known], [person]) == [person]
    assert len(merge_contacts([], [replace(person, name="Iva Ilieva", role="head"), person])) == 2


def pieces() -> Iterator[str]:
    for name in HTML:
        html = (PAGES / f"{name}.html").read_text(encoding="utf-8")
        yield from (html[start : start + 700] for start in range(0, len(html), 700))


@given(
    st.lists(st.sampled_from(list(pieces())) | st.text(max_size=20), max_size=6),
    st.sampled_from(["text/html", "text/calendar", "", "x"]),
)
def test_no_combination_of_page_fragments_raises(parts: list[str], media_type: str) -> None:
    source = PageSource(
        html="".join(parts), url="https://example.org/", media_type=media_type, fetched=date(2026, 11, 15), country="BG"
    )
    found = extract(source)
    assert not [each for each in found.problems if "gave up" in each]
    for each in found.drafts:
        assert each.fields["name"]
        assert each.kind != "event" or each.fields["start"]

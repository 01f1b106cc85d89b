"""Lists without structured data, modelled on real pages; all names are invented."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from bench import real_pages
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.draft import Draft, PageSource
from gleanery.extraction.extractors import extract
from gleanery.extraction.plain.listing.date_rules import rule_in

DAY = date(2026, 11, 19)
BOARD = "<title>Board of Ethics | Town of Alder</title><h1>Board of Ethics</h1>"


def found(body: str, *, country: str = "US", language: str = "en", day: date = DAY) -> list[Draft]:
    html = body if "<title>" in body else f"{BOARD}{body}"
    source = PageSource(
        html=f"<html><body>{html}</body></html>",
        url="https://alder.example/board",
        media_type="text/html",
        fetched=day,
        country=country,
        language=language,
    )
    return list(extract(source).drafts)


def field_values(body: str, *fields: str, **where: Any) -> list[tuple[Any, ...]]:
    return [tuple(each.fields.get(name) for name in fields) for each in found(body, **where)]


def starts(body: str, **where: Any) -> list[str]:
    return [start for (start,) in field_values(body, "start", **where)]


@pytest.mark.parametrize(
    "body",
    [
        "<h2>2027 Meeting Dates</h2><ul><li>January 12</li><li>February 9</li></ul>",
        "<p>2027 Meeting Dates<br>January 12<br>February 9</p>",
        "<h2>Meetings 2026-2027</h2><p>January 12 and February 9</p>",
        "<h2>January 2027</h2><p>Tuesday 12th</p><h2>February 2027</h2><p>Tuesday 9th</p>",
        "<table><tr><th>Date</th><th>Agenda</th></tr><tr><td>January 12, 2027</td><td>Agenda</td></tr>"
        "<tr><td>February 9, 2027</td><td></td></tr></table>",
        "<div class=m><div>Jan</div><div>12</div><div>2027</div></div>"
        "<div class=m><div>Feb</div><div>9</div><div>2027</div></div>",
        "<p>01/12/27 Regular Meeting</p><p>02/09/27 Regular Meeting</p>",
        "<dl><dt>2027 schedule</dt><dd>January 12, 2027<br>February 9, 2027</dd></dl>",
    ],
    ids=["heading", "line", "season", "months", "table", "boxes", "strokes", "definition"],
)
def test_days_are_found_in_every_usual_form_with_the_year_of_their_heading_or_neighbour(body: str) -> None:
    assert starts(body) == ["2027-01-12", "2027-02-09"]


def test_a_calendar_grid_gives_the_events_of_each_day() -> None:
    weeks = (
        "<tr><td>29</td><td>30</td><td>1<br>9:00 AMFinance Committee</td><td>2</td><td>3</td><td>4</td><td>5</td></tr>"
        "<tr><td>6</td><td>7</td><td>8<br>10:00 AMParks Board<br>6:30 PMTown Council</td><td>9</td><td>10</td>"
        "<td>11</td><td>12</td></tr>"
    )
    page = f"<title>Calendar | Alder</title><h1>Calendar</h1><h2>December 2026</h2><table>{weeks}</table>"
    assert field_values(page, "start", "name") == [
        ("2026-12-01T09:00:00", "Finance Committee"),
        ("2026-12-08T10:00:00", "Parks Board"),
        ("2026-12-08T18:30:00", "Town Council"),
    ]


def test_a_sentence_about_all_entries_fills_missing_details() -> None:
    body = (
        "<p>All meetings begin at 6 p.m. in Room 203, 14 Mill Street, Alder, OH 44999.</p>"
        "<ul><li>January 12, 2027</li><li>February 9, 2027 at 7:30 p.m. in the Oak Library</li></ul>"
    )
    assert field_values(body, "start", "venue_name", "address") == [
        ("2027-01-12T18:00:00", "Room 203", "14 Mill Street"),
        ("2027-02-09T19:30:00", "Oak Library", None),
    ]


def test_different_times_of_committees_are_not_shared() -> None:
    body = (
        "<h2>Finance Committee</h2><p>Meets at 5 p.m.</p><p>January 12, 2027</p><p>February 9, 2027</p>"
        "<h2>Parks Committee</h2><p>Meets at 7 p.m.</p><p>January 13, 2027</p><p>February 10, 2027</p>"
        "<h2>Awards Committee</h2><p>January 14, 2027</p><p>February 11, 2027</p>"
    )
    assert field_values(body, "name", "start") == [
        ("Finance Committee", "2027-01-12T17:00:00"),
        ("Finance Committee", "2027-02-09T17:00:00"),
        ("Parks Committee", "2027-01-13T19:00:00"),
        ("Parks Committee", "2027-02-10T19:00:00"),
        ("Awards Committee", "2027-01-14"),
        ("Awards Committee", "2027-02-11"),
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("January 12, 2027 – Budget hearing", "Board of Ethics: Budget hearing"),
        ("January 12, 2027, 6 pm: Regular Meeting", "Board of Ethics: Regular Meeting"),
        ("January 12, 2027 (tentative)", "Board of Ethics"),
        ("Tuesday, January 12, 2027 | Agenda | Minutes (PDF)", "Board of Ethics"),
        ('January 12, 2027 <a href="/m/7">Annual town meeting</a>', "Annual town meeting"),
        ("January 12, 2027 clerk@alder.example", "Board of Ethics"),
    ],
)
def test_a_title_comes_from_the_entry_or_the_subject_of_the_page(line: str, name: str) -> None:
    (first, _) = field_values(f"<h2>Upcoming meetings</h2><p>{line}</p><p>February 9, 2027</p>", "name")
    assert first == (name,)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("January 12, 2027 – CANCELED", "cancelled"),
        ("January 12, 2027 (Postponed)", "postponed"),
        ("<s>January 12, 2027</s>", "cancelled"),
        ("<del>January 12, 2027, 6 pm</del> cancelled", "cancelled"),
        ("January 12, 2027", None),
    ],
)
def test_the_status_is_read_from_text_and_strike_through(line: str, status: str | None) -> None:
    assert field_values(f"<p>{line}</p><p>February 9, 2027</p>", "start", "event_status")[0][1] == status


def test_a_struck_through_day_with_a_replacement_is_skipped() -> None:
    assert starts("<p><s>January 12, 2027</s> January 14, 2027</p><p>February 9, 2027</p>")[0] == "2027-01-14"


@pytest.mark.parametrize(
    "line",
    [
        "Posted January 12, 2027",
        "Last updated: January 12, 2027",
        "Minutes of January 12, 2027",
        "Applications are due by January 12, 2027",
        "Offices will be closed on January 12, 2027",
        "Her term expires January 12, 2027",
    ],
)
def test_dates_of_other_things_are_no_events(line: str) -> None:
    assert starts(f"<p>{line}</p><p>February 9, 2027</p><p>March 9, 2027</p>") == ["2027-02-09", "2027-03-09"]


def test_terms_of_office_are_no_events() -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td>1/7/2025</td><td>1/8/2029</td></tr>" for name in ("Ada Brook", "Ben Holt", "Cy Marsh")
    )
    assert starts(f"<table>{rows}</table>") == []


def test_the_time_of_posting_is_not_the_time_of_the_meeting() -> None:
    body = "<p>January 12, 2027 — Posted January 8, 2027 10:30 AM</p><p>February 9, 2027</p>"
    assert starts(body) == ["2027-01-12", "2027-02-09"]


def test_a_repeated_day_is_listed_once_with_name_and_time() -> None:
    body = "<p>January 12, 2027</p><p>January 12, 2027, 6 pm – Budget hearing</p><p>February 9, 2027</p>"
    assert field_values(body, "start", "name") == [
        ("2027-01-12T18:00:00", "Board of Ethics: Budget hearing"),
        ("2027-02-09", "Board of Ethics"),
    ]


def test_a_weekday_overrides_the_year_of_the_page() -> None:
    """12 January is a Tuesday in 2027 and was a Monday in 2026."""
    body = "<h2>Meetings 2026</h2><p>Tuesday, January 12</p><p>Monday, December 14</p>"
    assert starts(body) == ["2027-01-12", "2026-12-14"]


@pytest.mark.parametrize(
    ("text", "language", "country", "expected"),
    [
        ("Заседания: вторник, 12 януари 2027 г., 18:00 ч.", "bg", "BG", "2027-01-12T18:00:00+02:00"),
        ("Sitzung am 12. Januar 2027, 18 Uhr", "de", "DE", "2027-01-12T18:00:00+01:00"),
        ("Réunion du 12 janvier 2027 à 18 h", "fr", "FR", "2027-01-12T18:00:00+01:00"),
        ("Reunión del 12 de enero de 2027, 18:00", "es", "ES", "2027-01-12T18:00:00+01:00"),
        ("Riunione del 12 gennaio 2027, ore 18:00", "it", "IT", "2027-01-12T18:00:00+01:00"),
    ],
)
def test_days_are_read_in_the_languages_of_europe(text: str, language: str, country: str, expected: str) -> None:
    page = f"<title>Съвет</title><h1>Съвет</h1><p>{text}</p><p>{text.replace('12', '19')}</p>"
    assert starts(page, language=language, country=country)[0] == expected


def test_a_rule_in_words_becomes_the_days_of_half_a_year_marked_as_computed() -> None:
    (event,) = found(
        "<p>The board meets on the second Tuesday of each month at 6 p.m. in Room 203, except in February.</p>"
    )
    days = [each["start"][:10] for each in event.fields["occurrences"]]
    assert days == ["2026-12-08", "2027-01-12", "2027-03-09", "2027-04-13", "2027-05-11"]
    assert event.fields["start"] == "2026-12-08T18:00:00"
    assert event.evidence["occurrences"].startswith("computed from: second Tuesday of each")


def test_a_rule_is_ignored_if_the_days_are_listed() -> None:
    body = "<p>The board meets on the second Tuesday of each month.</p><p>January 14, 2027</p><p>February 9, 2027</p>"
    assert starts(body) == ["2027-01-14", "2027-02-09"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1st and 3rd Wednesdays", [date(2026, 12, 2), date(2026, 12, 16), date(2027, 1, 6)]),
        ("the last Friday of the month", [date(2026, 11, 27), date(2026, 12, 25), date(2027, 1, 29)]),
        ("всеки втори вторник от месеца", [date(2026, 12, 8), date(2027, 1, 12), date(2027, 2, 9)]),
        ("jeden ersten Montag im Monat", [date(2026, 12, 7), date(2027, 1, 4), date(2027, 2, 1)]),
        ("fourth Thursday of January, April and July", [date(2027, 1, 28), date(2027, 4, 22)]),
    ],
)
def test_rules_are_read_in_common_wordings(text: str, expected: list[date]) -> None:
    rule = rule_in(text)
    assert rule is not None
    assert list(rule.days(DAY))[: len(expected)] == expected


@pytest.mark.parametrize(
    "text", ["every other Tuesday", "the first Tuesday", "bi-monthly on the second Tuesday of the month"]
)
def test_an_incomplete_rule_is_ignored(text: str) -> None:
    assert rule_in(text) is None


def test_listed_calls_are_found_with_deadline_and_sum() -> None:
    page = (
        "<title>Open calls | Alder Foundation</title><h1>Open calls for grants</h1><ul>"
        '<li><a href="/g/1">Small grants for schools</a> – deadline 15 January 2027, up to €5,000</li>'
        '<li><a href="/g/2">Green courtyards</a> – deadline 1 February 2027, up to €12,000</li></ul>'
    )
    assert field_values(page, "name", "deadline", "amount_max", "url", country="GB") == [
        ("Small grants for schools", "2027-01-15", 5000, "https://alder.example/g/1"),
        ("Green courtyards", "2027-02-01", 12000, "https://alder.example/g/2"),
    ]


def test_listed_services_are_found_with_phone_and_hours() -> None:
    page = (
        "<title>Our services | Helping Hands</title><h1>Our services</h1>"
        "<h3>Debt advice</h3><p>Call 01632 960111. Mon-Fri 9am-4pm.</p>"
        "<h3>Housing advice</h3><p>Call 01632 960112. Tue and Thu 10am-2pm.</p>"
    )
    assert field_values(page, "name", "phone", "opening_hours", country="GB") == [
        ("Debt advice", "+441632960111", "Mon-Fri 9am-4pm."),
        ("Housing advice", "+441632960112", "Tue and Thu 10am-2pm."),
    ]


def test_ids_do_not_change_when_entries_are_added_or_reordered() -> None:
    first = found("<p>January 12, 2027</p><p>February 9, 2027</p>")
    later = found("<p>March 9, 2027</p><p>February 9, 2027 at 6 pm</p><p>January 12, 2027</p>")
    assert {each.external_id for each in first} <= {each.external_id for each in later}


@given(
    st.lists(
        st.sampled_from(
            ("<li>", "<td>", "12", " January ", "2027", "</s>", "<s>", "<br>", "|", "<h2>", "6 pm", ":", "Mon")
        ),
        max_size=40,
    )
)
def test_listing_never_fails_on_any_page(pieces: list[str]) -> None:
    for each in found("".join(pieces)):
        assert each.fields["name"]
        assert date.fromisoformat(each.fields["start"][:10]) >= DAY


@pytest.mark.skipif(not real_pages.are_there(), reason="../shared/data/pages is not there: real pages are not measured")
def test_most_dates_of_real_pages_are_found() -> None:
    score = real_pages.scored(kept=False) + real_pages.scored(kept=True)
    assert score.recall >= 0.95
    assert score.moments >= 0.85
    assert score.f1 >= 0.78

"""Calendars with oddities of real programs, one per file: expected events and problems."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gleanery.extraction.calendars.icalendar import from_icalendar, outcomes_of
from gleanery.extraction.calendars.location import place_of
from gleanery.extraction.calendars.plain_text import plain, status_in
from gleanery.extraction.calendars.zones import named_zone
from gleanery.extraction.draft import PageSource

FILES = sorted((Path(__file__).parent / "pages" / "calendars").glob("*.ics"))
FETCHED = date(2026, 11, 15)


def source_of(text: str) -> PageSource:
    return PageSource(html=text, url="https://wickerby.example/c.ics", media_type="text/calendar", fetched=FETCHED)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_odd_line_only_affects_its_own_value(file: Path) -> None:
    truth = json.loads(file.with_suffix(".json").read_text())
    source = source_of(file.read_bytes().decode())
    found = from_icalendar(source)
    assert [{"external_id": each.external_id, **each.fields} for each in found.drafts] == truth["events"]
    assert list(found.problems) == truth["problems"]
    assert Counter(outcome.status for outcome in outcomes_of(source)) == truth["outcomes"]


@pytest.mark.parametrize(
    ("line", "country", "expected"),
    [
        # Certain parts are split by the format of the country.
        ("Mill House, 12 Mill Rd, Wickerby, CA 90001, USA", "", "Mill House|12 Mill Rd|Wickerby|CA|90001|US"),
        (
            "Mill House,12 Mill Blvd. N - Suite A1 Wickerby, CA",
            "US",
            "Mill House|12 Mill Blvd. N - Suite A1|Wickerby|CA||",
        ),
        ("Mill House, 12 Mill St, Wickerby, CA 90001, Wickerby, CA", "", "Mill House|12 Mill St|Wickerby|CA|90001|"),
        ("Mill House - 12 Mill St Wickerby CA 90001", "US", "Mill House|12 Mill St|Wickerby|CA|90001|"),
        ("Mill House (12 Mill St, Wickerby, CA 90001)", "US", "Mill House|12 Mill St|Wickerby|CA|90001|"),
        ("Mill House, 12 Mill St, Wickerby, United States", "", "Mill House|12 Mill St|Wickerby|||US"),
        ("Mill House, 12 Mill St, Wickerby CA 900012", "", "Mill House|12 Mill St|Wickerby|CA||"),
        ("Green, Mill St and D St, Wickerby, CA, 90001", "", "Green|Mill St and D St|Wickerby|CA|90001|"),
        ("Mill College, Wickerby, CA", "US", "Mill College||Wickerby|CA||"),
        ("Wickerby, California", "US", "||Wickerby|California||"),
        (
            "City Hall, 100 Queen St W, Toronto, ON M5H 2N2, Canada",
            "",
            "City Hall|100 Queen St W|Toronto|ON|M5H 2N2|CA",
        ),
        ("Hall, 12 Mill Street, Wickerby VIC 3350, Australia", "", "Hall|12 Mill Street|Wickerby|VIC|3350|AU"),
        ("Hall, 12 Mill Road, Wickerby, Essex CM1 1AA, UK", "", "Hall|12 Mill Road|Wickerby|Essex|CM1 1AA|GB"),
        ("Library, Main Street, Naas, Co. Kildare, W91 X2Y3", "IE", "Library|Main Street|Naas|Co. Kildare|W91 X2Y3|"),
        ("Rathaus, Lange Straße 4, 12345 Kleinstadt", "DE", "Rathaus|Lange Straße 4|Kleinstadt||12345|"),
        ("Читалище, ул. „Шипка“ 8, 5800 Плевен, България", "", "Читалище|ул. „Шипка“ 8|Плевен||5800|BG"),
        ("бул. „Витоша“ 12, 1000 Център, София, България", "", "|бул. „Витоша“ 12, Център|София||1000|BG"),
        ("Salle, 9 rue des Tanneurs, 69001 Lyon, France", "", "Salle|9 rue des Tanneurs|Lyon||69001|FR"),
        ("Teatro, Via Roma, 5, 40121 Bologna BO, Italia", "", "Teatro|Via Roma, 5|Bologna|BO|40121|IT"),
        ("Dorpshuis, Kerkstraat 12, 1234 AB Hilversum", "NL", "Dorpshuis|Kerkstraat 12|Hilversum||1234 AB|"),
        ("Dom, ul. Długa 7, 00-238 Warszawa, Polska", "", "Dom|ul. Długa 7|Warszawa||00-238|PL"),
        ("Biblioteca, Calle Mayor, 12, 28013 Madrid, España", "", "Biblioteca|Calle Mayor, 12|Madrid||28013|ES"),
        # Rooms, buildings and sentences are not split into towns or streets.
        ("Room 203, Mill Building", "US", "Room 203, Mill Building|||||"),
        ("Library, 2nd Floor - Wickerby Campus", "US", "Library, 2nd Floor - Wickerby Campus|||||"),
        ("Center for Spirit, Art, and Politics", "US", "Center for Spirit, Art, and Politics|||||"),
        (
            "Hall of the Wickerby Square Dance Club, upstairs",
            "US",
            "Hall of the Wickerby Square Dance Club, upstairs|||||",
        ),
        ("4th Corner Tavern", "US", "4th Corner Tavern|||||"),
        ("6th Street Playhouse", "US", "6th Street Playhouse|||||"),
        ("50 wineries of the county", "US", "50 wineries of the county|||||"),
        ("We meet in the office at 12 Mill Road", "US", "We meet in the office at 12 Mill Road|||||"),
        ("Washington", "US", "Washington|||||"),
        ("Raum 204, Volkshochschule", "DE", "Raum 204, Volkshochschule|||||"),
        ("Raum 204, 12345 Kleinstadt", "DE", "Raum 204||Kleinstadt||12345|"),
        ("Wickerby County, CA", "US", "Wickerby County|||CA||"),
    ],
)
def test_a_location_is_split_by_the_format_of_its_country_or_kept_whole(line: str, country: str, expected: str) -> None:
    names = ("venue_name", "address", "locality", "region", "postal_code", "country")
    assert place_of(line, country) == {
        name: value for name, value in zip(names, expected.split("|"), strict=True) if value
    }


@given(st.text(max_size=200), st.sampled_from(["", "US", "GB", "DE", "BG"]))
@example("1 " * 200, "US")
@example("10115 A-" * 60, "DE")
def test_the_parts_of_a_location_come_from_its_text(line: str, country: str) -> None:
    """Each field except the country must occur in the line."""
    for name, value in place_of(line, country).items():
        if name != "country":
            for word in value.replace(",", " ").replace("(", " ").split():
                assert word.strip(")") in line


@given(st.text(max_size=200))
def test_plain_text_is_not_changed(text: str) -> None:
    if not set(text) & set("\\<&"):
        assert plain(text) == text


@given(st.text(min_size=1, max_size=80))
def test_removing_a_status_never_empties_a_name(name: str) -> None:
    for written in (name, f"CANCELLED: {name}", f"{name} (postponed)"):
        kept, status = status_in(written)
        assert kept.strip() or not written.strip()
        assert status in ("", "cancelled", "postponed", "rescheduled")


@pytest.mark.parametrize(
    ("name", "offset"),
    [
        ("America/New York", -5),
        ("Eastern Standard Time", -5),
        ("FLE Standard Time", 2),
        ("/mill.example/Europe/Sofia", 2),
        ("/mill.example/20260101_1/America/Argentina/Buenos_Aires", -3),
        ("US/Pacific", -8),
        ("../../etc/passwd", None),
        ("", None),
    ],
)
def test_time_zones_are_found_by_the_names_that_programs_use(name: str, offset: int | None) -> None:
    zone = named_zone(name)
    known = zone and zone.utcoffset(datetime(2026, 12, 1, 12))  # noqa: DTZ001  # its clock is what is asked for
    assert known == (None if offset is None else timedelta(hours=offset))


GOOD = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "X-WR-TIMEZONE:Europe/London",
    *(
        line
        for number in range(1, 5)
        for line in (
            "BEGIN:VEVENT",
            f"UID:{number}@wickerby.example",
            f"SUMMARY:Choir {number}",
            f"DTSTART:2026120{number}T190000",
            f"DTEND:2026120{number}T210000",
            "LOCATION:Mill House",
            "DESCRIPTION:Come and",
            "  sing with us",
            f"URL:https://wickerby.example/{number}",
            "END:VEVENT",
        )
    ),
    "END:VCALENDAR",
]
NAMES = ["SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE", "GEO", "UID", "LOCATION", "STATUS", "SEQUENCE"]
BROKEN = st.one_of(
    st.tuples(st.sampled_from([*NAMES, "X-ODD", "ORGANIZER", "DTSTART;TZID", "CATEGORIES;"]), st.text(max_size=30)).map(
        lambda pair: f"{pair[0]}:{pair[1]}"
    ),
    st.text(max_size=40).filter(lambda text: not text.strip().upper().startswith(("BEGIN", "END"))),
).map(lambda line: "".join(line.splitlines()) or "%")
TIMED = ("DTSTART", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID", "DURATION", "DTEND", "UID", "SUMMARY")


@given(st.integers(1, len(GOOD) - 1), BROKEN)
@example(4, "DTSTART:")
@example(5, "SUMMARY:")
@example(5, "X-PUBLISHED-TTL:P15M")
@example(12, "CATEGORIES;:0")
def test_a_broken_line_only_affects_its_own_event(at: int, line: str) -> None:
    """All other events must be unchanged."""
    before = {each.fields["url"]: each for each in from_icalendar(source_of("\r\n".join(GOOD))).drafts}
    found = from_icalendar(source_of("\r\n".join([*GOOD[:at], line, *GOOD[at:]])))
    after = {each.evidence.get("url") and each.fields["url"]: each for each in found.drafts}
    begin = max((n for n in range(at) if GOOD[n] == "BEGIN:VEVENT"), default=at)
    own = "".join(GOOD[begin : GOOD.index("END:VEVENT", begin)]) if "END:VEVENT" in GOOD[begin:] else ""
    assert len(found.drafts) == len(before)
    for url, draft in before.items():
        if url not in own:
            assert after[url].fields == draft.fields


@given(st.integers(0, 3), st.sampled_from(["SUMMARY", "DTSTART"]), st.sampled_from(["", "  ", "99999999T", "soon"]))
def test_only_the_event_with_a_broken_name_or_start_is_rejected(number: int, name: str, value: str) -> None:
    lines = list(GOOD)
    at = next(index for index, line in enumerate(lines) if line.startswith(name) and index > 3 + number * 10)
    lines[at] = f"{name}:{value}"
    found = from_icalendar(source_of("\r\n".join(lines)))
    is_fine = name == "SUMMARY" and value.strip()
    assert len(found.drafts) == (4 if is_fine else 3)
    assert any(f"Line {4 + number * 10}:" in problem for problem in found.problems) != bool(is_fine)

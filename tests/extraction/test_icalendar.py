"""Calendar files: expected events, zones, series, and hostile files."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.calendars.icalendar import from_icalendar
from gleanery.extraction.draft import Extracted, PageSource

PAGES = Path(__file__).parent / "pages" / "structured"
FILES = sorted(PAGES.glob("icalendar-*.ics"))
FETCHED = date(2026, 11, 15)
HORIZON = datetime(2026, 11, 15) + timedelta(days=180)  # noqa: DTZ001  # days on the wall


def read(text: str, **facts: Any) -> Extracted:
    return from_icalendar(
        PageSource(html=text, url="https://a.example/c.ics", media_type="text/calendar", fetched=FETCHED, **facts)
    )


def calendar(*lines: str, head: str = "") -> str:
    event = ("BEGIN:VEVENT", "UID:1", "SUMMARY:Choir", *lines, "END:VEVENT")
    return "\r\n".join(filter(None, ("BEGIN:VCALENDAR", head, *event, "END:VCALENDAR", "")))


def only(text: str) -> dict[str, Any]:
    (draft,) = read(text).drafts
    return draft.fields


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_calendar_gives_the_expected_events(file: Path) -> None:
    truth = json.loads(file.with_suffix(".json").read_text())
    found = from_icalendar(
        PageSource(
            html=file.read_bytes().decode(),
            url=truth["url"],
            media_type="text/calendar",
            fetched=date.fromisoformat(truth["fetched"]),
            country=truth["country"],
            language=truth["language"],
        )
    )
    told = [{"kind": each.kind, "external_id": each.external_id, **each.fields} for each in found.drafts]
    assert told == truth["observations"]
    contacts = [
        {name: value for name in ("name", "role", "email", "phone") if (value := getattr(each, name))}
        for each in found.contacts
    ]
    assert contacts == truth["contacts"]
    for draft in found.drafts:
        assert draft.evidence.keys() == draft.fields.keys()


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;INTERVAL=1",
        "FREQ=HOURLY",
        "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2,3;BYSECOND=1,2,3",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366",
        "FREQ=WEEKLY;BYMONTH=13",
        "FREQ=DAILY;INTERVAL=7;BYDAY=WE",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=99999999999999999999",
        "FREQ=YEARLY;INTERVAL=99999999999999999999",
        "FREQ=WEEKLY;COUNT=99999999999999999999",
        "FREQ=DAILY;COUNT=999999999",
        "FREQ=WEEKLY;BYDAY=" + ",".join(["MO"] * 5000),
        "FREQ=NONSENSE",
        "FREQ=YEARLY;BYEASTER=0",
    ],
)
@pytest.mark.timeout(30)  # a rule that is followed to its end takes hours
def test_hostile_rules_end_quickly(rule: str) -> None:
    found = read(calendar("DTSTART:20261201T190000Z", f"RRULE:{rule}"))
    assert found.drafts  # its first date is known whatever its rule says
    for draft in found.drafts:
        assert len(draft.fields.get("occurrences", ())) <= 200


@pytest.mark.timeout(30)
def test_a_zone_with_a_rule_of_seconds_does_not_hang() -> None:
    zone = "\r\n".join(
        (
            "BEGIN:VTIMEZONE",
            "TZID:Evil",
            "BEGIN:STANDARD",
            "DTSTART:16010101T000000",
            "TZOFFSETFROM:+0200",
            "TZOFFSETTO:+0200",
            "RRULE:FREQ=SECONDLY",
            "END:STANDARD",
            "END:VTIMEZONE",
        )
    )
    assert only(calendar("DTSTART;TZID=Evil:20261201T190000", head=zone))["start"] == "2026-12-01T19:00:00+02:00"


def test_daily_and_weekly_rules_apply_their_filters() -> None:
    rule = "RRULE:FREQ=DAILY;BYDAY=MO,WE;BYMONTH=12,1;COUNT=4"
    days = [each["start"][:10] for each in only(calendar("DTSTART:20261202T190000Z", rule))["occurrences"]]
    assert days == ["2026-12-02", "2026-12-07", "2026-12-09", "2026-12-14"]
    rule = "RRULE:FREQ=DAILY;BYMONTHDAY=-1;COUNT=2"
    days = [each["start"][:10] for each in only(calendar("DTSTART:20261231T190000Z", rule))["occurrences"]]
    assert days == ["2026-12-31", "2027-01-31"]


def test_an_old_daily_series_gives_upcoming_dates_only() -> None:
    fields = only(calendar("DTSTART;VALUE=DATE:19990101", "RRULE:FREQ=DAILY"))
    assert fields["start"] == "2026-11-15"
    assert len(fields["occurrences"]) == 180


@given(
    st.sampled_from(["DAILY", "WEEKLY"]),
    st.integers(1, 40),
    st.dates(date(2019, 1, 1), date(2027, 6, 1)),
    st.sampled_from(["", ";BYDAY=MO,TH", ";BYMONTH=1,12", ";BYMONTHDAY=-1,5", ";WKST=SU;BYDAY=SU"]),
)
def test_skipping_the_past_of_a_series_does_not_change_its_dates(
    frequency: str, interval: int, first: date, more: str
) -> None:
    rule = f"FREQ={frequency};INTERVAL={interval}{more if 'MONTHDAY' not in more or frequency == 'DAILY' else ''}"
    lines = (f"DTSTART;VALUE=DATE:{first:%Y%m%d}", f"RRULE:{rule}")
    found = [draft.fields for draft in read(calendar(*lines)).drafts]
    told = [each["start"] for fields in found for each in fields.get("occurrences", ())]
    begin = datetime.combine(first, time.min)
    every = {
        first,
        *(each.date() for each in rrulestr(rule, dtstart=begin, cache=False).between(begin, HORIZON, inc=True)),
    }
    assert told == [each.isoformat() for each in sorted(every) if FETCHED <= each < HORIZON.date()][:200]


def test_a_daily_series_from_the_distant_past_is_expanded() -> None:
    assert len(only(calendar("DTSTART;VALUE=DATE:19010101", "RRULE:FREQ=DAILY"))["occurrences"]) == 180


def test_many_occurrences_are_capped() -> None:
    lines = [f"RDATE:202612{day:02}T{hour:02}0000Z" for day in range(1, 29) for hour in range(20)]
    assert len(only(calendar("DTSTART:20261201T190000Z", *lines))["occurrences"]) == 200


def test_a_finished_series_is_skipped_and_a_distant_one_has_its_first_date() -> None:
    assert not read(calendar("DTSTART:20200101T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3")).drafts
    fields = only(calendar("DTSTART:20280101T190000Z", "RRULE:FREQ=WEEKLY"))
    assert (fields["start"], "occurrences" in fields) == ("2028-01-01T19:00:00+00:00", False)


def test_only_events_long_over_are_skipped() -> None:
    assert not read(calendar("DTSTART:20260101T190000Z")).drafts
    assert read(calendar("DTSTART:20261110T190000Z")).drafts


def test_a_cancelled_series_is_marked_as_cancelled() -> None:
    fields = only(calendar("DTSTART:20261201T190000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "STATUS:CANCELLED"))
    assert (fields["event_status"], len(fields["occurrences"])) == ("cancelled", 2)


def test_an_exception_without_a_time_removes_the_whole_day() -> None:
    rule = ("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20261202")
    starts = [each["start"][:10] for each in only(calendar("DTSTART:20261201T190000Z", *rule))["occurrences"]]
    assert starts == ["2026-12-01", "2026-12-03"]


def test_local_time_stays_the_same_across_daylight_saving() -> None:
    rule = ("DTSTART;TZID=Europe/Sofia:20270320T190000", "RRULE:FREQ=WEEKLY;COUNT=3")
    starts = [each["start"] for each in only(calendar(*rule))["occurrences"]]
    assert starts == ["2027-03-20T19:00:00+02:00", "2027-03-27T19:00:00+02:00", "2027-04-03T19:00:00+03:00"]


def test_an_unknown_zone_leaves_the_time_local() -> None:
    assert only(calendar("DTSTART;TZID=Middle Earth:20261201T190000"))["start"] == "2026-12-01T19:00:00"


def test_events_without_an_id_get_a_stable_one() -> None:
    text = calendar("DTSTART:20261201T190000Z").replace("UID:1\r\n", "")
    first, second = read(text).drafts[0], read(text).drafts[0]
    assert first.external_id == second.external_id != ""


def test_an_event_with_a_web_address_as_location_is_online() -> None:
    fields = only(calendar("DTSTART:20261201T190000Z", "LOCATION:https://meet.example.org/abc"))
    assert (fields["attendance_mode"], fields["virtual_url"]) == ("online", "https://meet.example.org/abc")
    assert "venue_name" not in fields


PARTS = st.sampled_from(
    [
        "BEGIN:VCALENDAR",
        "END:VCALENDAR",
        "BEGIN:VEVENT",
        "END:VEVENT",
        "BEGIN:VTIMEZONE",
        "TZID:X",
        "BEGIN:STANDARD",
        "TZOFFSETTO:+9999",
        "UID:1",
        "SUMMARY:A",
        "SUMMARY:",
        "DTSTART:20261201T190000Z",
        "DTSTART;TZID=X:20261201T190000",
        "DTSTART;VALUE=DATE:20261201",
        "DTSTART:99999999",
        "DTEND:20261201T180000",
        "DURATION:P9999999D",
        "DURATION:-PT1H",
        "RRULE:FREQ=DAILY",
        "RRULE:FREQ=DAILY;UNTIL=nonsense",
        "RRULE:",
        "RRULE:FREQ=WEEKLY;INTERVAL=9999999999999999999999",
        "RRULE:FREQ=MONTHLY;BYDAY=99MO",
        "SUMMARY:CANCELLED - A",
        "LOCATION:A, 1 B St, C, CA 90001",
        "X-APPLE-STRUCTURED-LOCATION;X-TITLE=A:geo:1,2",
        "DTSTART:21991231T240000",
        "DTSTART;TZID=Europe/Sofia:19000101T000000Z",
        "TZOFFSETFROM:+0200",
        "RDATE;VALUE=PERIOD:20261203T190000Z/PT1H",
        "EXDATE:20261201",
        "RECURRENCE-ID:20261201T190000Z",
        "GEO:1;2",
        "GEO:x",
        "GEO:nan;inf",
        "ORGANIZER:mailto:",
        "ORGANIZER;CN=:x",
        "CONTACT:,,,",
        "CATEGORIES:,,",
        "SEQUENCE:-1",
        " folded",
        "\x00",
    ]
)


@given(st.lists(st.one_of(PARTS, st.text(max_size=40)), max_size=30))
def test_random_calendars_never_raise_or_give_incomplete_events(lines: list[str]) -> None:
    for draft in read("\r\n".join(lines)).drafts:
        assert draft.fields["name"]
        assert draft.fields["start"]
        assert draft.external_id

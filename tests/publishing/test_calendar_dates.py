"""Whatever dates a record has, the calendar that others read has these and no other."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import recurring_ical_events
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from gleanery.publishing.calendars.record_file import calendar_file
from gleanery.publishing.freshness import Freshness
from gleanery.publishing.showing.reading import Published
from gleanery.resolution.models import Record
from gleanery.resolution.records.projection import occurrences

SOFIA = ZoneInfo("Europe/Sofia")
NEW_YEAR = datetime(2027, 1, 1)  # noqa: DTZ001  # on the wall
LENGTHS = st.sampled_from([None, timedelta(hours=1), timedelta(hours=2), timedelta(hours=30)])
# A minute of the year, at hours that every clock shows once.
STARTS = st.builds(
    lambda day, hour: NEW_YEAR + timedelta(days=day, hours=hour), st.integers(0, 360), st.integers(6, 20)
)
DATES = st.dictionaries(STARTS, LENGTHS, min_size=1, max_size=8)


def published(dates: dict[datetime, timedelta | None], country: str) -> Published:
    told = [
        {"start": start.isoformat(), **({"end": (start + length).isoformat()} if length else {})}
        for start, length in dates.items()
    ]
    fields: dict[str, Any] = {"name": "Talk", "occurrences": told, **({"country": country} if country else {})}
    return Published(
        Record(kind="event", name="Talk", fields=fields, updated_at=timezone.now()),
        fields=fields,
        spans=[(each.start, each.end) for each in occurrences([fields], country)],
        said=[],
        place=None,
        organization=None,
        at_place=[],
        by_organization=[],
        freshness=Freshness(None, None),
    )


def expanded(of: Published) -> list[Any]:
    calendar = Calendar.from_ical(calendar_file(of, "https://town.example/1"))
    return recurring_ical_events.of(calendar).between(date(2026, 12, 1), date(2028, 2, 1))


@settings(max_examples=25)
@given(DATES)
def test_a_series_on_a_known_clock_has_each_instant_with_its_own_end(dates: dict[datetime, timedelta | None]) -> None:
    found = {each["DTSTART"].dt.astimezone(UTC): each["DTEND"].dt for each in expanded(published(dates, "BG"))}
    assert set(found) == {start.replace(tzinfo=SOFIA).astimezone(UTC) for start in dates}
    for start, length in dates.items():
        if length is not None:
            end = found[start.replace(tzinfo=SOFIA).astimezone(UTC)]
            assert end.astimezone(UTC) == (start + length).replace(tzinfo=SOFIA).astimezone(UTC)


@settings(max_examples=10)
@given(DATES)
def test_a_time_on_a_clock_that_nobody_named_is_on_the_wall(dates: dict[datetime, timedelta | None]) -> None:
    found = expanded(published(dates, ""))
    assert {each["DTSTART"].dt.replace(tzinfo=None) for each in found} == set(dates)


@settings(max_examples=10)
@given(st.sets(st.integers(0, 360), min_size=1, max_size=6))
def test_a_series_of_days_is_of_days(days: set[int]) -> None:
    first = date(2027, 1, 1)
    fields = {"name": "Fair", "occurrences": [{"start": f"{first + timedelta(days=day)}"} for day in days]}
    of = published({}, "")
    spans = [(each.start, each.end) for each in occurrences([fields], "")]
    made = Published(of.record, fields, spans, [], None, None, [], [], Freshness(None, None))
    assert {each["DTSTART"].dt for each in expanded(made)} == {first + timedelta(days=day) for day in days}

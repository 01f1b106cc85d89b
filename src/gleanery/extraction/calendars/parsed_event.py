"""One calendar event: name, times and status, and the draft built from its properties. Pure."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from gleanery.extraction.calendars import free_text as calendar_text
from gleanery.extraction.calendars.components import Event
from gleanery.extraction.calendars.location import place_of
from gleanery.extraction.calendars.plain_text import plain, status_in, unescaped
from gleanery.extraction.calendars.problems import Problems
from gleanery.extraction.calendars.property_values import (
    LONGEST_WORD,
    dates_of,
    day_of,
    last_day_of,
    moment_of,
    person_of,
    point_of,
    rules_of,
    span_of,
    words_of,
)
from gleanery.extraction.calendars.recurrence import Series, Span, occurrences
from gleanery.extraction.calendars.zones import Zones, country_of
from gleanery.extraction.draft import ContactDraft, Draft, PageSource
from gleanery.extraction.plain.event_details.times_and_prices import is_free
from gleanery.text import clean_text

FORM = "icalendar"
PAST_DAYS = 30  # events that ended earlier are skipped
LONGEST = {"name": 500, "description": 5_000}
STATUSES = {"CONFIRMED": "scheduled", "CANCELLED": "cancelled", "CANCELED": "cancelled"}
JOINING = ("CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-MICROSOFT-ONLINEMEETINGCONFLINK")
LONGEST_NUMBER = 10
APPLE = "X-APPLE-STRUCTURED-LOCATION"
READ_ERRORS = (ValueError, TypeError, OverflowError, AttributeError, KeyError, IndexError, RecursionError)


@dataclass(slots=True)
class ParsedEvent:
    """One event while it is read: identifying values at once, the rest only if the event is kept."""

    source: PageSource
    given: Event
    zones: Zones
    problems: Problems
    name: str = ""
    status: str = ""
    span: Span | None = None
    moved_from: date | None = None  # from RECURRENCE-ID

    @classmethod
    def of(cls, source: PageSource, given: Event, zones: Zones, problems: Problems) -> ParsedEvent:
        parsed = cls(source, given, zones, problems)
        written = clean_text(plain(given.value("SUMMARY")), limit=LONGEST["name"])
        parsed.name, status = status_in(written)
        parsed.status = status or STATUSES.get(given.value("STATUS").upper(), "")
        parsed.span = span_of(given, zones, problems)
        instance = given.first("RECURRENCE-ID")
        parsed.moved_from = moment_of(instance, zones, problems) if instance else None
        for line in given.odd_lines:
            problems.add(line, "This is not a calendar property and was skipped.")
        return parsed

    @property
    def is_cancelled(self) -> bool:
        return self.status == "cancelled"

    @property
    def sequence(self) -> int:
        written = self.given.value("SEQUENCE")
        return int(written) if written.isascii() and written.isdecimal() and len(written) < LONGEST_NUMBER else 0

    @property
    def repeats(self) -> bool:
        return bool(self.given.first("RRULE") or self.given.first("RDATE"))

    def rejection_reason(self) -> str:
        """Return why the event is rejected, or ""."""
        if not self.name:
            return "The event has no name (SUMMARY)."
        if self.span is not None:
            return ""
        written = self.given.value("DTSTART")
        if not written:
            return "The event does not say when it begins (DTSTART)."
        return f"The start of the event, “{clean_text(written, limit=40)}”, is not a date (DTSTART)."

    def series(self, instances: Iterable[ParsedEvent]) -> Series:
        assert self.span is not None  # noqa: S101  # only called for events with a start
        return Series(
            first=self.span,
            rules=rules_of(self.given, self.problems),
            extra=tuple(dates_of(self.given.all("RDATE"), self.zones, self.problems)),
            without=tuple(dates_of(self.given.all("EXDATE"), self.zones, self.problems)),
            instances=tuple(
                (each.moved_from, None if each.is_cancelled else each.span)
                for each in instances
                if each.moved_from is not None
            ),
        )

    def draft(self, external_id: str, span: Span, occurring: list[Span]) -> Draft:
        builder = _EventFields(self, span, occurring)
        builder.read()
        return Draft(
            kind="event",
            external_id=external_id,
            fields=builder.fields,
            evidence=builder.evidence,
            extractor=FORM,
            original=self.given.original(),
        )

    def contacts(self) -> tuple[ContactDraft, ...]:
        try:
            return tuple(self._contacts())
        except READ_ERRORS as problem:
            self.problems.add(
                self.given.line, f"The contacts of the event could not be read ({type(problem).__name__})."
            )
            return ()

    def _contacts(self) -> Iterator[ContactDraft]:
        country = self.source.country
        name, mail = person_of(self.given.first("ORGANIZER"))
        if mail:
            yield ContactDraft(name=name, email=mail, evidence="icalendar ORGANIZER")
        for each in self.given.all("CONTACT"):
            if contact := calendar_text.contact_of(clean_text(plain(each.value), limit=500), country):
                yield contact
        words = clean_text(plain(self.given.value("DESCRIPTION")), limit=LONGEST["description"], multiline=True)
        yield from calendar_text.contacts_in(calendar_text.split_footer(words)[0], country)


def upcoming(series: Series, fetched: date) -> tuple[Span | None, list[Span]]:
    """Return the next date of the event, or None if it is over, and the occurrences of a series."""
    if not series.repeats:
        is_over = last_day_of(series.first) < fetched - timedelta(days=PAST_DAYS)
        return (None if is_over else series.first), []
    if ahead := occurrences(series, fetched):
        return ahead[0], ahead
    # A series that begins after the horizon is listed with its first date only.
    return (series.first if day_of(series.first.start) > fetched else None), []


class _EventFields:
    """Collects the fields of an event with their properties; the first value of a field wins."""

    def __init__(self, parsed: ParsedEvent, span: Span, occurring: list[Span]) -> None:
        self.given, self.parsed, self.span, self.occurring = parsed.given, parsed, span, occurring
        self.fields: dict[str, Any] = {}
        self.evidence: dict[str, str] = {}

    def read(self) -> None:
        self._put("name", self.parsed.name, "SUMMARY")
        self._read_times()
        rest: tuple[Callable[[], None], ...] = (
            self._read_description,
            self._read_place,
            self._read_point,
            self._read_rest,
        )
        for step in rest:
            try:
                step()
            except READ_ERRORS as problem:
                what = step.__name__.rpartition("_")[2]
                self.parsed.problems.add(
                    self.given.line, f"The {what} of the event could not be read ({type(problem).__name__})."
                )

    def _put(self, name: str, value: Any, where: str) -> None:
        if isinstance(value, str):
            value = clean_text(value, limit=LONGEST.get(name, LONGEST_WORD), multiline=name == "description")
        if value not in ("", None, []) and name not in self.fields:
            self.fields[name] = value
            self.evidence[name] = f"icalendar {where}"

    def _read_times(self) -> None:
        for name, value in self.span.as_fields().items():
            self._put(name, value, "DTSTART" if name == "start" else "DTEND")
        self._put("occurrences", [each.as_fields() for each in self.occurring], "DTSTART, RRULE, RDATE, EXDATE")

    def _read_description(self) -> None:
        written = html.unescape(unescaped(self.given.value("DESCRIPTION")))  # tags may contain addresses
        words, below = calendar_text.split_footer(plain(self.given.value("DESCRIPTION")))
        self._put("description", words, "DESCRIPTION")
        free = is_free(words)
        if free is not None:
            self._put("is_accessible_for_free", free, "DESCRIPTION")
        joining = next(filter(None, map(self.given.value, JOINING)), "")
        self._put("virtual_url", calendar_text.address_in(joining), "CONFERENCE")
        location = plain(self.given.value("LOCATION"))
        if calendar_text.is_online(location):
            self._put("attendance_mode", "online", "LOCATION")
            for text, where in ((location, "LOCATION"), (below, "DESCRIPTION"), (written, "DESCRIPTION")):
                self._put("virtual_url", calendar_text.address_in(text), where)

    def _read_place(self) -> None:
        if "attendance_mode" in self.fields:
            return
        country = self.parsed.source.country or country_of(getattr(self.span.start, "tzinfo", None))
        country = country or country_of(self.parsed.zones.default)
        location = clean_text(plain(self.given.value("LOCATION")), limit=500, multiline=True)
        apple = self.given.first(APPLE)
        parameters = apple.parameters if apple else {}
        title = clean_text(plain(parameters.get("X-TITLE", "")), limit=LONGEST_WORD)
        place = place_of(location, country)
        for name, value in place.items():
            self._put(name, value, "LOCATION")
        if not place and parameters:
            for name, value in place_of(
                ", ".join(filter(None, (title, plain(parameters.get("X-ADDRESS", ""))))), country
            ).items():
                self._put(name, value, APPLE)
        elif "address" in place and title and not title[0].isdigit() and title not in location:
            self._put("venue_name", title, APPLE)

    def _read_point(self) -> None:
        for name in ("GEO", APPLE):
            for given in self.given.all(name):
                if point := point_of(given):
                    self._put("lat", point[0], name)
                    self._put("lon", point[1], name)
                    return

    def _read_rest(self) -> None:
        self._put("event_status", self.parsed.status, "STATUS" if self.given.value("STATUS") else "SUMMARY")
        self._put("keywords", words_of(self.given.all("CATEGORIES")), "CATEGORIES")
        self._put("url", calendar_text.address_in(unescaped(self.given.value("URL"))), "URL")
        self._put("organizer_name", person_of(self.given.first("ORGANIZER"))[0], "ORGANIZER")


def moment_id(moment: date) -> str:
    """Return a moment for use in ids, independent of how its zone is written."""
    if not isinstance(moment, datetime):
        return moment.isoformat()
    if moment.tzinfo is None:
        return moment.isoformat()
    offset = moment.utcoffset() or timedelta(0)
    return f"{(moment.replace(tzinfo=None) - offset).isoformat()}Z"

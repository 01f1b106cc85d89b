"""Events of calendar files: one draft for each, its occurrences worked out, moved and cancelled instances heeded."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta, tzinfo
from typing import Any

import icalendar

from gleanery.extraction.calendars import text as calendar_text
from gleanery.extraction.calendars.file import calendars_in
from gleanery.extraction.calendars.recurrence import Series, Span, is_followed, occurrences
from gleanery.extraction.calendars.values import (
    LONGEST_WORD,
    dates_of,
    day_of,
    last_day_of,
    listed,
    moment_of,
    named_zone,
    person_of,
    span_of,
    text_of,
    words_of,
)
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.identity import made_id
from gleanery.extraction.plain.happenings import is_free
from gleanery.text import clean_text

FORM = "icalendar"
MOST_DRAFTS = 1_000
PAST_DAYS = 30  # what has been over for longer is history
LONGEST = {"name": 500, "description": 5_000}
STATUSES = {"CONFIRMED": "scheduled", "CANCELLED": "cancelled"}
JOINING = ("CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-MICROSOFT-ONLINEMEETINGCONFLINK")
HIGHEST_LATITUDE, HIGHEST_LONGITUDE = 90, 180
TOO_OFTEN = "A rule that repeats more often than daily, or by very many parts, was not followed."


def from_icalendar(source: Source) -> Extracted:
    """Never raises: what cannot be read is left out."""
    drafts: dict[str, Draft] = {}
    contacts: list[ContactDraft] = []
    problems: dict[str, None] = {}
    for key, components, zone in _by_uid(calendars_in(source.html)):
        if len(drafts) >= MOST_DRAFTS:
            problems["The calendar has more events than are read of one file."] = None
            break
        event = _Event(source, components, zone, problems)
        try:
            draft = event.draft(key)
            found = event.contacts() if draft else []
        except (ValueError, TypeError, OverflowError, AttributeError, KeyError, IndexError) as problem:
            problems[f"An event of the calendar could not be read ({type(problem).__name__})."] = None
            continue
        if draft is not None:
            drafts.setdefault(draft.external_id, draft)
            contacts.extend(found)
    return Extracted(drafts=tuple(drafts.values()), contacts=tuple(dict.fromkeys(contacts)), problems=tuple(problems))


def _by_uid(calendars: list[icalendar.Component]) -> Iterator[tuple[str, list[icalendar.Component], tzinfo | None]]:
    """The components of each event together: the master first, then its instances."""
    together: dict[str, list[icalendar.Component]] = {}
    zones: dict[str, tzinfo | None] = {}
    for calendar in calendars:
        zone = named_zone(text_of(calendar, "X-WR-TIMEZONE"))
        for number, component in enumerate(calendar.walk("VEVENT")):
            key = text_of(component, "UID")[:500] or f"\0{id(calendar)} {number}"
            together.setdefault(key, []).append(component)
            zones.setdefault(key, zone)
    for key, components in together.items():
        yield key.partition("\0")[0], sorted(components, key=_order, reverse=True), zones[key]


def _order(component: icalendar.Component) -> tuple[bool, int, str]:
    """Masters before instances, the newest word of each first."""
    sequence = text_of(component, "SEQUENCE")
    stamp = component.get("DTSTAMP")
    told = stamp.to_ical().decode("ascii", "replace") if hasattr(stamp, "to_ical") else ""
    return "RECURRENCE-ID" not in component, int(sequence) if sequence.isdecimal() else 0, told


class _Event:
    """One event of a calendar while it is read."""

    def __init__(
        self, source: Source, components: list[icalendar.Component], zone: tzinfo | None, problems: dict[str, None]
    ) -> None:
        self.source = source
        self.master = components[0]
        self.instances = [each for each in components[1:] if "RECURRENCE-ID" in each]
        self.zone = zone
        self.problems = problems
        self.fields: dict[str, Any] = {}
        self.evidence: dict[str, str] = {}

    def draft(self, key: str) -> Draft | None:
        self._put("name", text_of(self.master, "SUMMARY"), "SUMMARY")
        if "name" not in self.fields or not self._read_times():
            return None
        self._read_description()
        self._read_place()
        self._read_rest()
        fields = self.fields
        return Draft(
            kind="event",
            external_id=key or made_id("event", self.source.url, fields["name"], fields["start"]),
            fields=fields,
            evidence=self.evidence,
            extractor=FORM,
            original=self.master.to_ical().decode("utf-8", "replace")[:10_000],
        )

    def _put(self, name: str, value: Any, where: str) -> None:
        if isinstance(value, str):
            value = clean_text(value, limit=LONGEST.get(name, LONGEST_WORD), multiline=name == "description")
        if value not in ("", None, []) and name not in self.fields:
            self.fields[name] = value
            self.evidence[name] = f"icalendar {where}"

    def _read_times(self) -> bool:
        first = span_of(self.master, self.zone)
        if first is None:
            return False
        series = self._series(first)
        if not series.repeats:
            if last_day_of(first) < self.source.fetched - timedelta(days=PAST_DAYS):
                return False
            return self._put_span(first)
        ahead = occurrences(series, self.source.fetched)
        if not ahead:
            # A series that begins after the horizon is told of by its first date alone.
            return day_of(first.start) > self.source.fetched and self._put_span(first)
        self._put_span(ahead[0])
        self._put("occurrences", [each.as_fields() for each in ahead], "DTSTART, RRULE, RDATE, EXDATE")
        return True

    def _put_span(self, span: Span) -> bool:
        for name, value in span.as_fields().items():
            self._put(name, value, "DTSTART" if name == "start" else "DTEND")
        return True

    def _series(self, first: Span) -> Series:
        rules = tuple(each for each in listed(self.master.get("RRULE")) if hasattr(each, "items"))
        if not all(is_followed(each) for each in rules):
            self.problems[TOO_OFTEN] = None
        moved = []
        for each in self.instances:
            moment = moment_of(each.get("RECURRENCE-ID"), self.zone)
            if moment is not None:
                cancelled = text_of(each, "STATUS").upper() == "CANCELLED"
                moved.append((moment, None if cancelled else span_of(each, self.zone)))
        return Series(
            first=first,
            rules=rules,
            extra=tuple(dates_of(self.master.get("RDATE"), self.zone)),
            without=tuple(dates_of(self.master.get("EXDATE"), self.zone)),
            instances=tuple(moved),
        )

    def _read_description(self) -> None:
        words, below = calendar_text.spoken(text_of(self.master, "DESCRIPTION"))
        self._put("description", words, "DESCRIPTION")
        free = is_free(words)
        if free is not None:
            self._put("is_accessible_for_free", free, "DESCRIPTION")
        location = text_of(self.master, "LOCATION")
        joining = next(filter(None, (text_of(self.master, name) for name in JOINING)), "")
        if address := calendar_text.address_in(joining):
            self._put("virtual_url", address, "CONFERENCE")
        if calendar_text.is_online(location) or location.startswith(("http://", "https://")):
            self._put("attendance_mode", "online", "LOCATION")
            for text, where in ((location, "LOCATION"), (below, "DESCRIPTION"), (words, "DESCRIPTION")):
                self._put("virtual_url", calendar_text.address_in(text), where)

    def _read_place(self) -> None:
        location = clean_text(text_of(self.master, "LOCATION"), limit=500, multiline=True)
        if location and "attendance_mode" not in self.fields:
            for name, value in calendar_text.place_of(location, self.source.country).items():
                self._put(name, value, "LOCATION")
        point = self.master.get("GEO")
        latitude, longitude = getattr(point, "latitude", None), getattr(point, "longitude", None)
        if not (isinstance(latitude, float) and isinstance(longitude, float) and (latitude or longitude)):
            return
        if abs(latitude) <= HIGHEST_LATITUDE and abs(longitude) <= HIGHEST_LONGITUDE:
            self._put("lat", latitude, "GEO")
            self._put("lon", longitude, "GEO")

    def _read_rest(self) -> None:
        self._put("event_status", STATUSES.get(text_of(self.master, "STATUS").upper(), ""), "STATUS")
        self._put("keywords", words_of(self.master.get("CATEGORIES")), "CATEGORIES")
        address = calendar_text.address_in(text_of(self.master, "URL"))
        self._put("url", address, "URL")
        name, _ = person_of(self.master.get("ORGANIZER"))
        self._put("organizer_name", name, "ORGANIZER")

    def contacts(self) -> list[ContactDraft]:
        country = self.source.country
        name, mail = person_of(self.master.get("ORGANIZER"))
        found = [ContactDraft(name=name, email=mail, evidence="icalendar ORGANIZER")] if mail else []
        for each in listed(self.master.get("CONTACT")):
            told = calendar_text.contact_of(clean_text(str(each), limit=500), country)
            found += [told] if told else []
        words, _ = calendar_text.spoken(clean_text(text_of(self.master, "DESCRIPTION"), limit=5_000, multiline=True))
        return found + calendar_text.contacts_in(words, country)

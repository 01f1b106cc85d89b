"""Events of calendar files: one draft for each, its occurrences worked out, moved and cancelled instances heeded."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar

from gleanery.extraction import calendar_text
from gleanery.extraction.calendar_file import calendars_in
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.emails import find_emails
from gleanery.extraction.happenings import is_free
from gleanery.extraction.identity import made_id
from gleanery.extraction.recurrence import Series, Span, is_followed, occurrences
from gleanery.text import clean_text

FORM = "icalendar"
MOST_DRAFTS = 1_000
MOST_DATES = 2_000  # extra dates and exceptions of one event
PAST_DAYS = 30  # what has been over for longer is history
YEARS = range(1900, 2200)
LONGEST = {"name": 500, "description": 5_000}
LONGEST_WORD = 200
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
        zone = _named_zone(_text(calendar, "X-WR-TIMEZONE"))
        for number, component in enumerate(calendar.walk("VEVENT")):
            key = _text(component, "UID")[:500] or f"\0{id(calendar)} {number}"
            together.setdefault(key, []).append(component)
            zones.setdefault(key, zone)
    for key, components in together.items():
        yield key.partition("\0")[0], sorted(components, key=_order, reverse=True), zones[key]


def _order(component: icalendar.Component) -> tuple[bool, int, str]:
    """Masters before instances, the newest word of each first."""
    sequence = _text(component, "SEQUENCE")
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
        self._put("name", _text(self.master, "SUMMARY"), "SUMMARY")
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
        first = _span(self.master, self.zone)
        if first is None:
            return False
        series = self._series(first)
        if not series.repeats:
            if _last_day(first) < self.source.fetched - timedelta(days=PAST_DAYS):
                return False
            return self._put_span(first)
        ahead = occurrences(series, self.source.fetched)
        if not ahead:
            # A series that begins after the horizon is told of by its first date alone.
            return _day(first.start) > self.source.fetched and self._put_span(first)
        self._put_span(ahead[0])
        self._put("occurrences", [each.as_fields() for each in ahead], "DTSTART, RRULE, RDATE, EXDATE")
        return True

    def _put_span(self, span: Span) -> bool:
        for name, value in span.as_fields().items():
            self._put(name, value, "DTSTART" if name == "start" else "DTEND")
        return True

    def _series(self, first: Span) -> Series:
        rules = tuple(each for each in _listed(self.master.get("RRULE")) if hasattr(each, "items"))
        if not all(is_followed(each) for each in rules):
            self.problems[TOO_OFTEN] = None
        moved = []
        for each in self.instances:
            moment = _moment(each.get("RECURRENCE-ID"), self.zone)
            if moment is not None:
                cancelled = _text(each, "STATUS").upper() == "CANCELLED"
                moved.append((moment, None if cancelled else _span(each, self.zone)))
        return Series(
            first=first,
            rules=rules,
            extra=tuple(_dates(self.master.get("RDATE"), self.zone)),
            without=tuple(_dates(self.master.get("EXDATE"), self.zone)),
            instances=tuple(moved),
        )

    def _read_description(self) -> None:
        words, below = calendar_text.spoken(_text(self.master, "DESCRIPTION"))
        self._put("description", words, "DESCRIPTION")
        free = is_free(words)
        if free is not None:
            self._put("is_accessible_for_free", free, "DESCRIPTION")
        location = _text(self.master, "LOCATION")
        joining = next(filter(None, (_text(self.master, name) for name in JOINING)), "")
        if address := calendar_text.address_in(joining):
            self._put("virtual_url", address, "CONFERENCE")
        if calendar_text.is_online(location) or location.startswith(("http://", "https://")):
            self._put("attendance_mode", "online", "LOCATION")
            for text, where in ((location, "LOCATION"), (below, "DESCRIPTION"), (words, "DESCRIPTION")):
                self._put("virtual_url", calendar_text.address_in(text), where)

    def _read_place(self) -> None:
        location = clean_text(_text(self.master, "LOCATION"), limit=500, multiline=True)
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
        self._put("event_status", STATUSES.get(_text(self.master, "STATUS").upper(), ""), "STATUS")
        self._put("keywords", _words(self.master.get("CATEGORIES")), "CATEGORIES")
        address = calendar_text.address_in(_text(self.master, "URL"))
        self._put("url", address, "URL")
        name, _ = _person(self.master.get("ORGANIZER"))
        self._put("organizer_name", name, "ORGANIZER")

    def contacts(self) -> list[ContactDraft]:
        country = self.source.country
        name, mail = _person(self.master.get("ORGANIZER"))
        found = [ContactDraft(name=name, email=mail, evidence="icalendar ORGANIZER")] if mail else []
        for each in _listed(self.master.get("CONTACT")):
            told = calendar_text.contact_of(clean_text(str(each), limit=500), country)
            found += [told] if told else []
        words, _ = calendar_text.spoken(clean_text(_text(self.master, "DESCRIPTION"), limit=5_000, multiline=True))
        return found + calendar_text.contacts_in(words, country)


def _text(component: icalendar.Component, name: str) -> str:
    """The first value of a property as text; "" if it is broken or not there."""
    value = next(iter(_listed(component.get(name))), "")
    try:
        return str(value).strip()
    except (ValueError, TypeError):
        return ""


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _words(value: Any) -> list[str]:
    found: dict[str, None] = {}
    for each in _listed(value):
        for word in getattr(each, "cats", ()):
            if cleaned := clean_text(str(word), limit=100):
                found[cleaned] = None
    return list(found)[:50]


def _person(value: Any) -> tuple[str, str]:
    """Name and address of an organiser; a name that is only the address once more is none."""
    organizer = next(iter(_listed(value)), "")
    parameters = getattr(organizer, "params", {})
    mails = find_emails(unquote(str(organizer)))
    mail = mails[0].address if mails else ""
    name = clean_text(str(parameters.get("CN", "")), limit=LONGEST_WORD).strip("\"'")
    return ("" if "@" in name else name), mail


def _span(component: icalendar.Component, zone: tzinfo | None) -> Span | None:
    start = _moment(component.get("DTSTART"), zone)
    if start is None:
        return None
    end = _moment(component.get("DTEND"), zone)
    if end is None and (length := _length(component)):
        end = start + length
    if end is None or isinstance(end, datetime) != isinstance(start, datetime):
        return Span(start)
    if not isinstance(end, datetime):
        end -= timedelta(days=1)  # the first day on which it is over
    elif isinstance(start, datetime) and (end.tzinfo is None) != (start.tzinfo is None):
        return Span(start)
    return Span(start, end) if end > start else Span(start)


def _length(component: icalendar.Component) -> timedelta | None:
    try:
        length = getattr(component.get("DURATION"), "td", None) or getattr(component.get("DURATION"), "dt", None)
    except ValueError:
        return None
    return length if isinstance(length, timedelta) and timedelta(0) < length < timedelta(days=366) else None


def _dates(value: Any, zone: tzinfo | None) -> Iterator[date]:
    """Extra dates and exceptions, however many lines they stand in; of a period its beginning."""
    count = 0
    for line in _listed(value):
        for each in getattr(line, "dts", ()):
            count += 1
            if count > MOST_DATES:
                return
            moment = _moment(each, zone)
            if moment is not None:
                yield moment


def _moment(value: Any, zone: tzinfo | None) -> date | None:
    """A day, or a time on the clock of its place. What is given in UTC is told on the clock of the calendar."""
    if isinstance(value, list):
        value = value[0]
    try:
        moment = getattr(value, "dt", None)
    except ValueError:  # a broken property says so when it is looked at
        return None
    if isinstance(moment, tuple):
        moment = moment[0]
    if not isinstance(moment, date) or moment.year not in YEARS:
        return None
    if isinstance(moment, datetime) and zone is not None:
        if moment.tzinfo is None:
            return moment.replace(tzinfo=zone)
        if moment.utcoffset() == timedelta(0) and str(moment.tzinfo) in ("UTC", "UTC+00:00"):
            return moment.astimezone(zone)
    return moment.replace(tzinfo=UTC) if isinstance(moment, datetime) and str(moment.tzinfo) == "UTC" else moment


@lru_cache(maxsize=64)
def _named_zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _last_day(span: Span) -> date:
    return _day(span.end if span.end is not None else span.start)

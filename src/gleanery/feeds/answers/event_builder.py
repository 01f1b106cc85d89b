"""Builds events from answers one by one, so that a bad event only costs itself. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar

from gleanery.extraction.calendars.free_text import address_in, is_online
from gleanery.extraction.calendars.location import place_of
from gleanery.extraction.calendars.parsed_event import PAST_DAYS, READ_ERRORS
from gleanery.extraction.calendars.plain_text import status_in
from gleanery.extraction.calendars.zones import country_of
from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.extraction.generated_ids import generated_id
from gleanery.extraction.payload import external_id
from gleanery.extraction.plain.event_details.times_and_prices import is_free
from gleanery.extraction.structured.schema_places import email, phone
from gleanery.extraction.values.countries import country_code
from gleanery.feeds.addresses import absolute, host_of
from gleanery.feeds.answers.json_records import Record
from gleanery.feeds.answers.timestamps import last_day, span
from gleanery.feeds.platform import Answer
from gleanery.text import clean_json, clean_text

LONGEST = {"name": 500, "description": 5_000, "eligibility": 2_000}
LONGEST_WORD = 200
MOST_PROBLEMS = 100
MOST_KEYWORDS = 50
HIGHEST = {"lat": 90, "lon": 180}


class RawEvent(Protocol):
    """One unparsed event of an answer. `given` is stored as its original data."""

    @property
    def given(self) -> dict[str, Any]: ...


Raw = TypeVar("Raw", bound=RawEvent)


@dataclass(slots=True)
class EventBuilder:
    """Collects fields of one event with their place in the answer. The first value of a field wins."""

    answer: Answer
    form: str
    fields: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)
    contacts: list[ContactDraft] = field(default_factory=list)
    zone_country: str = ""  # country of the time zone, a hint for parsing places

    def put(self, name: str, value: Any, where: str) -> None:
        if isinstance(value, str):
            value = clean_text(value, limit=LONGEST.get(name, LONGEST_WORD), multiline=name == "description")
        if value not in ("", None, []) and name not in self.fields:
            self.fields[name] = value
            self.evidence[name] = f"{self.form} {where}"

    def put_name(self, written: str, where: str) -> None:
        """Put the name, and a status written before or after it."""
        name, status = status_in(clean_text(written, limit=LONGEST["name"]))
        self.put("name", name, where)
        self.put("event_status", status, where)

    def put_times(self, start: str, end: str, where: str, *, whole_days: bool = False) -> None:
        start, end = span(start, end, whole_days=whole_days)
        self.put("start", start, where)
        if start:
            self.put("end", end, where)

    def put_url(self, name: str, written: str, where: str) -> None:
        if written:
            address = absolute(self.answer.url, written)
            if address:
                self.fields.setdefault(name, address)
                self.evidence.setdefault(name, f"{self.form} {where}")

    def put_place(self, line: str, where: str, *, venue: str = "") -> None:
        """Put a place given in one line: online, an address, or a venue. `venue` is a separate name."""
        for text in (venue, line):
            if text and is_online(text):
                self.put("attendance_mode", "online", where)
                self.put_url("virtual_url", address_in(text), where)
                return
        self.put("venue_name", venue, where)
        for name, value in place_of(line, self.answer.country or self.zone_country).items():
            self.put(name, value, where)

    def put_country(self, written: str, where: str) -> None:
        self.put("country", country_code(written), where)

    def put_point(self, latitude: float | None, longitude: float | None, where: str) -> None:
        """Put both coordinates or none; 0,0 means unknown."""
        if latitude is None or longitude is None or not (latitude or longitude):
            return
        if abs(latitude) <= HIGHEST["lat"] and abs(longitude) <= HIGHEST["lon"] and "lat" not in self.fields:
            self.put("lat", latitude, where)
            self.put("lon", longitude, where)

    def put_cost(self, cost: str, where: str) -> None:
        self.put("cost", cost, where)
        free = True if cost.strip(" $€£") in {"0", "0.00"} else is_free("", cost) if cost else None
        self.put("is_accessible_for_free", free, where)

    def put_keywords(self, words: Iterable[str], where: str) -> None:
        kept = dict.fromkeys(filter(None, (clean_text(word, limit=100) for word in words)))
        self.put("keywords", list(kept)[:MOST_KEYWORDS], where)

    def add_contact(self, name: str, mail: str, number: str, where: str) -> None:
        mail, number = email(mail), phone(number, self.answer.country or self.zone_country)
        if mail or number:
            self.contacts.append(
                ContactDraft(
                    name=clean_text(name, limit=LONGEST_WORD), email=mail, phone=number, evidence=f"{self.form} {where}"
                )
            )

    def hint_country(self, zone: Any) -> None:
        self.zone_country = country_of(zone)


@dataclass(frozen=True, slots=True)
class CollectedEvents:
    drafts: tuple[Draft, ...]
    contacts: tuple[ContactDraft, ...]
    problems: tuple[str, ...]


class EventCollector(Generic[Raw]):
    """Reads events with `read`, which fills a builder and returns the id used by the platform."""

    def __init__(self, answer: Answer, form: str, read: Callable[[Raw, EventBuilder], str]) -> None:
        self._answer, self._form, self._read = answer, form, read
        self._drafts: list[Draft] = []
        self._contacts: dict[ContactDraft, None] = {}
        self._problems: dict[str, None] = {}

    def collect(self, given: Sequence[Raw]) -> CollectedEvents:
        for number, each in enumerate(given, 1):
            if problem := self._take(each):
                self._problems[f"Event {number} {problem}"] = None
        problems = list(self._problems)[:MOST_PROBLEMS]
        return CollectedEvents(_with_own_ids(self._drafts), tuple(self._contacts), tuple(problems))

    def _take(self, given: Raw) -> str:
        builder = EventBuilder(self._answer, self._form)
        try:
            own = self._read(given, builder)
        except READ_ERRORS as problem:
            return f"could not be read ({type(problem).__name__}) and was left out."
        name, start = builder.fields.get("name", ""), builder.fields.get("start", "")
        if not name:
            return "has no name and was left out."
        if not start:
            return f"“{clean_text(name, limit=60)}” has no start and was left out."
        last = last_day(start, builder.fields.get("end", ""))
        if last is None or last < self._answer.fetched - timedelta(days=PAST_DAYS):
            return ""
        self._contacts.update(dict.fromkeys(builder.contacts))
        self._drafts.append(
            Draft(
                kind="event",
                external_id=self._id(own, name, start),
                fields=builder.fields,
                evidence=builder.evidence,
                extractor=self._form,
                original=clean_json(given.given),
            )
        )
        return ""

    def _id(self, own: str, name: str, start: str) -> str:
        """Return the id of the platform with its host, or one generated from the event."""
        if not own:
            return generated_id("event", self._answer.url.partition("?")[0], name, start)
        return external_id(f"{self._form}:{host_of(self._answer.url)}:{clean_text(own)}")


def as_records(values: Iterable[Any], where: str = "") -> list[Record]:
    """Return each value as a record; values that are not objects become empty records."""
    return [Record(each if isinstance(each, dict) else {}, where) for each in values]


def _with_own_ids(drafts: list[Draft]) -> tuple[Draft, ...]:
    """Add the start to ids shared by several dates of one event, and drop exact repeats."""
    shared = Counter(draft.external_id for draft in drafts)
    found: dict[str, Draft] = {}
    for draft in drafts:
        own = draft.external_id
        own = f"{own}#{draft.fields['start']}" if shared[own] > 1 else own
        found.setdefault(own, replace(draft, external_id=own))
    return tuple(found.values())

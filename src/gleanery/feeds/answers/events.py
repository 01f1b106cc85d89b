"""Events of an answer: a sheet for each, read on its own, so that one bad event costs itself and a sentence. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar

from gleanery.extraction.calendars.event import PAST_DAYS, STUMBLES
from gleanery.extraction.calendars.places import place_of
from gleanery.extraction.calendars.text import address_in, is_online
from gleanery.extraction.calendars.wording import status_in
from gleanery.extraction.calendars.zones import country_of
from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.extraction.identity import made_id
from gleanery.extraction.payload import external_id
from gleanery.extraction.plain.happenings import is_free
from gleanery.extraction.structured.schema_places import email, phone
from gleanery.extraction.values.countries import country_code
from gleanery.feeds.addresses import absolute, host_of
from gleanery.feeds.answers.moments import last_day, span
from gleanery.feeds.answers.shape import Record
from gleanery.feeds.platform import Answer
from gleanery.text import clean_json, clean_text

LONGEST = {"name": 500, "description": 5_000, "eligibility": 2_000}
LONGEST_WORD = 200
MOST_PROBLEMS = 100
MOST_KEYWORDS = 50
HIGHEST = {"lat": 90, "lon": 180}


class Told(Protocol):
    """One event as an answer has it; `given` is what is kept of it as it stood."""

    @property
    def given(self) -> dict[str, Any]: ...


Given = TypeVar("Given", bound=Told)


@dataclass(slots=True)
class Sheet:
    """Fields of one event, each with the place in the answer where it stood; the first value of a field stays."""

    answer: Answer
    form: str
    fields: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)
    contacts: list[ContactDraft] = field(default_factory=list)
    zone_country: str = ""  # the country whose clock it is: a hint for places, never a fact

    def put(self, name: str, value: Any, where: str) -> None:
        if isinstance(value, str):
            value = clean_text(value, limit=LONGEST.get(name, LONGEST_WORD), multiline=name == "description")
        if value not in ("", None, []) and name not in self.fields:
            self.fields[name] = value
            self.evidence[name] = f"{self.form} {where}"

    def put_name(self, written: str, where: str) -> None:
        """A status that is written before or behind the name is one."""
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
        """A place in one line: the web, an address, or the name of a house. `venue` is its name told apart."""
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
        """Both or none; 0,0 is what programs write where they know neither."""
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
class Collected:
    drafts: tuple[Draft, ...]
    contacts: tuple[ContactDraft, ...]
    problems: tuple[str, ...]


class Collector(Generic[Given]):
    """Reads events one by one with `read`, which fills a sheet and gives the platform's own id of the event."""

    def __init__(self, answer: Answer, form: str, read: Callable[[Given, Sheet], str]) -> None:
        self._answer, self._form, self._read = answer, form, read
        self._drafts: list[Draft] = []
        self._contacts: dict[ContactDraft, None] = {}
        self._problems: dict[str, None] = {}

    def collect(self, given: Sequence[Given]) -> Collected:
        for number, each in enumerate(given, 1):
            if problem := self._take(each):
                self._problems[f"Event {number} {problem}"] = None
        problems = list(self._problems)[:MOST_PROBLEMS]
        return Collected(_with_own_ids(self._drafts), tuple(self._contacts), tuple(problems))

    def _take(self, given: Given) -> str:
        sheet = Sheet(self._answer, self._form)
        try:
            own = self._read(given, sheet)
        except STUMBLES as problem:
            return f"could not be read ({type(problem).__name__}) and was left out."
        name, start = sheet.fields.get("name", ""), sheet.fields.get("start", "")
        if not name:
            return "has no name and was left out."
        if not start:
            return f"“{clean_text(name, limit=60)}” does not say when it begins and was left out."
        last = last_day(start, sheet.fields.get("end", ""))
        if last is None or last < self._answer.fetched - timedelta(days=PAST_DAYS):
            return ""
        self._contacts.update(dict.fromkeys(sheet.contacts))
        self._drafts.append(
            Draft(
                kind="event",
                external_id=self._id(own, name, start),
                fields=sheet.fields,
                evidence=sheet.evidence,
                extractor=self._form,
                original=clean_json(given.given),
            )
        )
        return ""

    def _id(self, own: str, name: str, start: str) -> str:
        """The platform's id with its host, since such ids are numbers; what has none is called by what it says."""
        if not own:
            return made_id("event", self._answer.url.partition("?")[0], name, start)
        return external_id(f"{self._form}:{host_of(self._answer.url)}:{clean_text(own)}")


def objects(values: Iterable[Any], where: str = "") -> list[Record]:
    """Each value as a record; one that is no object has neither name nor start and is refused as such."""
    return [Record(each if isinstance(each, dict) else {}, where) for each in values]


def _with_own_ids(drafts: list[Draft]) -> tuple[Draft, ...]:
    """Dates of one event that share its id add their start; what is told twice is taken once."""
    shared = Counter(draft.external_id for draft in drafts)
    found: dict[str, Draft] = {}
    for draft in drafts:
        own = draft.external_id
        own = f"{own}#{draft.fields['start']}" if shared[own] > 1 else own
        found.setdefault(own, replace(draft, external_id=own))
    return tuple(found.values())

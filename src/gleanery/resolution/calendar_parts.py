"""A calendar file of any size, read some events at a time; what was moved or cancelled stays with its series. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple, Protocol

from gleanery.extraction.calendars.icalendar import PAST_DAYS, from_icalendar
from gleanery.extraction.calendars.recurrence import DAYS_AHEAD
from gleanery.extraction.draft import Draft, Source
from gleanery.resolution.seen import Seen

AT_ONCE = 200
LONGEST = 2_000  # lines of one event
MOST_MOVED = 50_000
LONGEST_UID = 500
LONG_AGO = date(1, 3, 1)  # to whoever reads a calendar then, nothing in it is over


class Line(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...


class Part(NamedTuple):
    line: int
    draft: Draft


class Unreadable(NamedTuple):
    line: int
    reason: str


class Event(NamedTuple):
    line: int
    lines: list[str]
    is_whole: bool = True

    def value(self, name: str) -> str:
        """Good enough to sort by; the calendar library reads the rest."""
        text = "\n".join(self.lines).replace("\n ", "").replace("\n\t", "")
        for line in text.split("\n"):
            if line[: len(name)].upper() == name and line[len(name) : len(name) + 1] in (":", ";"):
                return line.partition(":")[2].strip()
        return ""


Moved = dict[str, list[Event]]
Together = dict[str, list[Event]]  # by UID: an event, and what was moved of it


def parts_of(
    lines: Callable[[], Iterable[Line]], today: date, *, with_past: bool = False
) -> Iterator[Part | Unreadable]:
    """Reads the file twice: first what belongs to all (zones) or to a series anywhere in it, then event by event.

    What is over is left out, or told with its first date.
    """
    head: list[str] = []
    moved = _moved(lines(), head)
    reader = _Reader(head, moved, today, with_past=with_past)
    for event in _events(lines()):
        if not event.is_whole:
            yield Unreadable(event.line, "The event is too long to be read, or never ends.")
        elif event.value("UID") in moved and event.value("RECURRENCE-ID"):
            continue  # read with its series
        else:
            yield from reader.take(event)
    yield from reader.rest()
    # Instances whose series is not in the file.
    for instances in list(moved.values()):
        moved.clear()
        yield from reader.take(instances[0])
    yield from reader.rest()


def _moved(lines: Iterable[Line], head: list[str]) -> Moved:
    found: Moved = {}
    count = 0
    for event in _events(lines, head):
        if event.is_whole and count < MOST_MOVED and event.value("RECURRENCE-ID") and (uid := event.value("UID")):
            found.setdefault(uid, []).append(event)
            count += 1
    return found


class _Reader:
    def __init__(self, head: list[str], moved: Moved, today: date, *, with_past: bool) -> None:
        self.head, self.moved, self.today, self.with_past = head, moved, today, with_past
        self.batch: dict[str, Event] = {}
        self.seen = Seen()

    def take(self, event: Event) -> Iterator[Part | Unreadable]:
        uid = event.value("UID")[:LONGEST_UID]
        if not uid:
            yield from self._read({"": event})
        elif not self.seen.add(hashlib.sha256(uid.encode("utf-8", "replace")).hexdigest()):
            yield Unreadable(event.line, "Another event of the file has the same UID.")
        else:
            self.batch[uid] = event
            if len(self.batch) == AT_ONCE:
                yield from self.rest()

    def rest(self) -> Iterator[Part | Unreadable]:
        yield from self._read(self.batch)
        self.batch = {}

    def _read(self, events: dict[str, Event]) -> Iterator[Part | Unreadable]:
        together = {uid: [event, *self.moved.pop(uid, ())] for uid, event in events.items()}
        drafts = self._drafts(together, self.today)
        over = self._drafts({uid: each for uid, each in together.items() if uid not in drafts}, LONG_AGO)
        for uid, event in events.items():
            draft = drafts.get(uid) or (over.get(uid) if self.with_past else None)
            if draft:
                yield Part(event.line, draft)
            else:
                yield Unreadable(event.line, _why_not(together[uid], is_over=uid in over))

    def _drafts(self, together: Together, fetched: date) -> dict[str, Draft]:
        """By UID; an event without one is read alone."""
        if not together:
            return {}
        events = [_shown(each) for several in together.values() for each in several]
        text = "\n".join(["BEGIN:VCALENDAR", *self.head, *events, "END:VCALENDAR"])
        found = from_icalendar(Source(html=text, url="", media_type="text/calendar", fetched=fetched)).drafts
        return {"" if "" in together else draft.external_id: draft for draft in found}


def _shown(event: Event) -> str:
    return "\n".join(["BEGIN:VEVENT", *event.lines, "END:VEVENT"])


def _why_not(events: list[Event], *, is_over: bool) -> str:
    event = events[0]
    if not event.value("SUMMARY"):
        return "The event has no name (SUMMARY)."
    if not event.value("DTSTART"):
        return "The event does not say when it begins (DTSTART)."
    if not is_over:
        return "The times of the event cannot be read."
    if len(events) > 1 or event.value("RRULE") or event.value("RDATE"):
        return f"The series has no date within the next {DAYS_AHEAD} days."
    return f"The event has been over for more than {PAST_DAYS} days."


def _events(lines: Iterable[Line], head: list[str] | None = None) -> Iterator[Event]:
    """What stands between the events, zones above all, goes to the head."""
    event: Event | None = None
    for line in lines:
        text = line.text.rstrip("\r\n")
        word = text.strip().upper()
        if word == "BEGIN:VEVENT":
            if event is not None:
                yield event._replace(is_whole=False)
            event = Event(line.number, [])
        elif event is None:
            if head is not None and len(head) < LONGEST and word not in ("BEGIN:VCALENDAR", "END:VCALENDAR"):
                head.append(text)
        elif word == "END:VEVENT":
            yield event
            event = None
        elif len(event.lines) < LONGEST:
            event.lines.append(text)
        else:
            event = event._replace(is_whole=False)
    if event is not None:
        yield event._replace(is_whole=False)

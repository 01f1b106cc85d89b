"""Reads events with the same UID together and decides the outcome of each. Pure."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gleanery.extraction.calendars.components import CalendarHeader, Event
from gleanery.extraction.calendars.parsed_event import PAST_DAYS, READ_ERRORS, ParsedEvent, moment_id, upcoming
from gleanery.extraction.calendars.plain_text import plain, unescaped
from gleanery.extraction.calendars.problems import Problems
from gleanery.extraction.calendars.recurrence import Series
from gleanery.extraction.calendars.zones import Zones
from gleanery.extraction.draft import ContactDraft, Draft, PageSource
from gleanery.extraction.generated_ids import fold_name, generated_id
from gleanery.extraction.values.horizon import DAYS_AHEAD
from gleanery.text import clean_text

LONGEST_UID = 400
DAY = len("2026-12-01")
OVER = f"The event ended more than {PAST_DAYS} days ago."
REPEATED = "The file has the same event again, or a later version of it."
SERIES_OVER = f"The series has no date within the next {DAYS_AHEAD} days."


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """Outcome of one event of a file: taken, folded into a series, past, repeated or refused."""

    line: int
    status: str
    reason: str = ""
    draft: Draft | None = None
    contacts: tuple[ContactDraft, ...] = ()


def group_key(event: Event) -> str:
    """Return the key of events that are read together: the UID, or the name without one."""
    uid = unescaped(event.value("UID"))
    return f"uid {uid}" if uid else f"name {fold_name(plain(event.value('SUMMARY')))}"


class GroupReader:
    """Reads events of one key at a time. `with_past` also takes past events, by their first date."""

    def __init__(
        self, source: PageSource, headers: Iterable[CalendarHeader], problems: Problems, *, with_past: bool = False
    ) -> None:
        self._source, self._with_past, self._problems = source, with_past, problems
        self._zones = [Zones(header) for header in headers]

    def read(self, events: Iterable[Event]) -> Iterator[EventOutcome]:
        """Yield the outcomes of events that share a key, in any order."""
        parsed_events = [
            ParsedEvent.of(self._source, each, self._zones[each.header], self._problems) for each in events
        ]
        masters: list[ParsedEvent] = []
        instances: list[ParsedEvent] = []
        if len(parsed_events) > 1:
            parsed_events.sort(key=_newest, reverse=True)
        for each in parsed_events:
            reason = each.rejection_reason()
            if each.moved_from is not None and (each.is_cancelled or each.span):
                instances.append(each)
            elif reason:
                yield EventOutcome(each.given.line, "refused", reason)
            else:
                masters.append(each)
        own: list[ParsedEvent] = []
        yield from _without_duplicates(masters, own)
        moved: list[ParsedEvent] = []
        yield from _without_duplicates(instances, moved)
        yield from self._taken(own, moved)

    def _taken(self, masters: list[ParsedEvent], instances: list[ParsedEvent]) -> Iterator[EventOutcome]:
        series: dict[int, list[ParsedEvent]] = {}
        known = _SeriesIndex(masters)
        for each in instances:
            if (master := known.of(each)) is not None:
                series.setdefault(id(master), []).append(each)
                yield EventOutcome(each.given.line, "folded", f"Included in its series, line {master.given.line}.")
            elif reason := each.rejection_reason():
                yield EventOutcome(each.given.line, "refused", reason)
            else:
                yield self._outcome(each, f"{_base(each, self._source)}#{_moment_of(each)}", ())
        ids = _ids(self._source, masters)
        for each, own in zip(masters, ids, strict=True):
            yield self._outcome(each, own, series.get(id(each), ()))

    def _outcome(self, parsed: ParsedEvent, external_id: str, instances: Iterable[ParsedEvent]) -> EventOutcome:
        whole = parsed.series(() if parsed.moved_from else instances)
        line = parsed.given.line
        try:
            span, occurring = upcoming(whole, self._source.fetched)
        except READ_ERRORS:
            self._problems.add(line, "The dates of the series could not be computed. Only its first date was kept.")
            span, occurring = upcoming(Series(whole.first), self._source.fetched)
        if span is None and not self._with_past:
            return EventOutcome(line, "past", SERIES_OVER if whole.repeats else OVER)
        draft = parsed.draft(external_id, span or whole.first, occurring)
        return EventOutcome(line, "taken", draft=draft, contacts=parsed.contacts())


def _newest(parsed: ParsedEvent) -> tuple[int, bool, str, str]:
    """Sort key for later versions first, independent of the order in the file."""
    stamp = parsed.given.value("DTSTAMP") or parsed.given.value("LAST-MODIFIED")
    return parsed.sequence, parsed.repeats, stamp, _digest(parsed.given.original())


def _without_duplicates(parsed_events: Iterable[ParsedEvent], kept: list[ParsedEvent]) -> Iterator[EventOutcome]:
    """Put the newest of repeated events into `kept` and yield the outcomes of the others."""
    names: dict[str, set[str]] = {}
    newest: dict[str, ParsedEvent] = {}
    for each in parsed_events:
        moment, name = _moment_of(each), "" if each.moved_from else fold_name(each.name)
        first = newest.setdefault(moment, each)
        known = names.setdefault(moment, set())
        if name in known or each.sequence < first.sequence:
            yield EventOutcome(each.given.line, "repeated", REPEATED)
        else:
            known.add(name)
            kept.append(each)


def _moment_of(parsed: ParsedEvent) -> str:
    moment = parsed.moved_from or (parsed.span.start if parsed.span else None)
    return moment_id(moment) if moment else ""


class _SeriesIndex:
    """Series of one UID, to which moved instances are assigned."""

    def __init__(self, masters: list[ParsedEvent]) -> None:
        self._only = masters[0] if len(masters) == 1 else None
        self._by_start = {_moment_of(each): each for each in masters}
        self._series = sorted((each for each in masters if each.repeats), key=_moment_of)
        self._begun = [_moment_of(each)[:DAY] for each in self._series]

    def of(self, instance: ParsedEvent) -> ParsedEvent | None:
        """Return the series of an instance: the latest begun by then, if several share the UID."""
        if self._only is not None or not self._series:
            return self._only or self._by_start.get(_moment_of(instance))
        at = bisect_right(self._begun, _moment_of(instance)[:DAY])
        return self._series[max(at - 1, 0)]


def _ids(source: PageSource, masters: list[ParsedEvent]) -> list[str]:
    """Return an id per event: the UID, with the start and then the name added if it is shared."""
    bases = [_base(each, source) for each in masters]
    starts = [f"{base}#{_moment_of(each)}" for base, each in zip(bases, masters, strict=True)]
    shared, together = Counter(bases), Counter(starts)
    return [
        base if shared[base] == 1 else start if together[start] == 1 else f"{start}#{_digest(fold_name(each.name))[:8]}"
        for base, start, each in zip(bases, starts, masters, strict=True)
    ]


def _base(parsed: ParsedEvent, source: PageSource) -> str:
    uid = clean_text(unescaped(parsed.given.value("UID")))
    if not uid:
        return generated_id("event", source.url, parsed.name, parsed.span.start.isoformat() if parsed.span else "")
    return uid if len(uid) <= LONGEST_UID else f"{uid[:LONGEST_UID]}~{_digest(uid)[:16]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

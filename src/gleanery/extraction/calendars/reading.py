"""Events with one UID read together, and the outcome of each: taken, told with its series, or why not. Pure."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gleanery.extraction.calendars.event import PAST_DAYS, STUMBLES, Reading, ahead_of, spelled
from gleanery.extraction.calendars.file import Event, Head
from gleanery.extraction.calendars.notes import Notes
from gleanery.extraction.calendars.recurrence import Series
from gleanery.extraction.calendars.wording import plain, unescaped
from gleanery.extraction.calendars.zones import Zones
from gleanery.extraction.draft import ContactDraft, Draft, Source
from gleanery.extraction.identity import folded, made_id
from gleanery.extraction.values.horizon import DAYS_AHEAD
from gleanery.text import clean_text

LONGEST_UID = 400
DAY = len("2026-12-01")
OVER = f"The event has been over for more than {PAST_DAYS} days."
REPEATED = "Another event of the file is the same, or a later version of it."
SERIES_OVER = f"The series has no date within the next {DAYS_AHEAD} days."


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one event of a file: taken, folded into a series, past, repeated or refused."""

    line: int
    outcome: str
    reason: str = ""
    draft: Draft | None = None
    contacts: tuple[ContactDraft, ...] = ()


def key_of(event: Event) -> str:
    """What events must share to be read together: their UID, or without one their name."""
    uid = unescaped(event.value("UID"))
    return f"uid {uid}" if uid else f"name {folded(plain(event.value('SUMMARY')))}"


class Reader:
    """Reads the events of a file, those of one key at a time; `with_past` takes what is over too, by its first date."""

    def __init__(self, source: Source, heads: Iterable[Head], notes: Notes, *, with_past: bool = False) -> None:
        self._source, self._with_past, self._notes = source, with_past, notes
        self._zones = [Zones(head) for head in heads]

    def read(self, events: Iterable[Event]) -> Iterator[Fate]:
        """The fates of events that share a key, in no order that means anything; what each is depends on none."""
        readings = [Reading.of(self._source, each, self._zones[each.head], self._notes) for each in events]
        masters: list[Reading] = []
        instances: list[Reading] = []
        if len(readings) > 1:
            readings.sort(key=_newest, reverse=True)
        for each in readings:
            reason = each.why_not()
            if each.moved_from is not None and (each.is_cancelled or each.span):
                instances.append(each)
            elif reason:
                yield Fate(each.given.line, "refused", reason)
            else:
                masters.append(each)
        own: list[Reading] = []
        yield from _without_repetitions(masters, own)
        moved: list[Reading] = []
        yield from _without_repetitions(instances, moved)
        yield from self._taken(own, moved)

    def _taken(self, masters: list[Reading], instances: list[Reading]) -> Iterator[Fate]:
        series: dict[int, list[Reading]] = {}
        known = _Masters(masters)
        for each in instances:
            if (master := known.of(each)) is not None:
                series.setdefault(id(master), []).append(each)
                yield Fate(each.given.line, "folded", f"Told with its series, line {master.given.line}.")
            elif reason := each.why_not():
                yield Fate(each.given.line, "refused", reason)
            else:
                yield self._fate(each, f"{_base(each, self._source)}#{_moment_of(each)}", ())
        ids = _ids(self._source, masters)
        for each, own in zip(masters, ids, strict=True):
            yield self._fate(each, own, series.get(id(each), ()))

    def _fate(self, reading: Reading, external_id: str, instances: Iterable[Reading]) -> Fate:
        whole = reading.series(() if reading.moved_from else instances)
        line = reading.given.line
        try:
            span, occurring = ahead_of(whole, self._source.fetched)
        except STUMBLES:
            self._notes.add(line, "When the series takes place could not be worked out: its first date alone is known.")
            span, occurring = ahead_of(Series(whole.first), self._source.fetched)
        if span is None and not self._with_past:
            return Fate(line, "past", SERIES_OVER if whole.repeats else OVER)
        draft = reading.draft(external_id, span or whole.first, occurring)
        return Fate(line, "taken", draft=draft, contacts=reading.contacts())


def _newest(reading: Reading) -> tuple[int, bool, str, str]:
    """The later version first, by what the events say themselves: never by their order in the file."""
    stamp = reading.given.value("DTSTAMP") or reading.given.value("LAST-MODIFIED")
    return reading.sequence, reading.repeats, stamp, _digest(reading.given.original())


def _without_repetitions(readings: Iterable[Reading], kept: list[Reading]) -> Iterator[Fate]:
    """Keeps the newest of what is told twice: one instance of a series, or one start with the same name or revised."""
    names: dict[str, set[str]] = {}
    newest: dict[str, Reading] = {}
    for each in readings:
        moment, name = _moment_of(each), "" if each.moved_from else folded(each.name)
        first = newest.setdefault(moment, each)
        known = names.setdefault(moment, set())
        if name in known or each.sequence < first.sequence:
            yield Fate(each.given.line, "repeated", REPEATED)
        else:
            known.add(name)
            kept.append(each)


def _moment_of(reading: Reading) -> str:
    moment = reading.moved_from or (reading.span.start if reading.span else None)
    return spelled(moment) if moment else ""


class _Masters:
    """Events of one UID from which instances may have been moved."""

    def __init__(self, masters: list[Reading]) -> None:
        self._only = masters[0] if len(masters) == 1 else None
        self._by_start = {_moment_of(each): each for each in masters}
        self._series = sorted((each for each in masters if each.repeats), key=_moment_of)
        self._begun = [_moment_of(each)[:DAY] for each in self._series]

    def of(self, instance: Reading) -> Reading | None:
        """The series of an instance; the latest that had begun by then, where several share a UID."""
        if self._only is not None or not self._series:
            return self._only or self._by_start.get(_moment_of(instance))
        at = bisect_right(self._begun, _moment_of(instance)[:DAY])
        return self._series[max(at - 1, 0)]


def _ids(source: Source, masters: list[Reading]) -> list[str]:
    """The UID for who has it alone; who shares it adds the start, and the name if that is shared as well."""
    bases = [_base(each, source) for each in masters]
    starts = [f"{base}#{_moment_of(each)}" for base, each in zip(bases, masters, strict=True)]
    shared, together = Counter(bases), Counter(starts)
    return [
        base if shared[base] == 1 else start if together[start] == 1 else f"{start}#{_digest(folded(each.name))[:8]}"
        for base, start, each in zip(bases, starts, masters, strict=True)
    ]


def _base(reading: Reading, source: Source) -> str:
    uid = clean_text(unescaped(reading.given.value("UID")))
    if not uid:
        return made_id("event", source.url, reading.name, reading.span.start.isoformat() if reading.span else "")
    return uid if len(uid) <= LONGEST_UID else f"{uid[:LONGEST_UID]}~{_digest(uid)[:16]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

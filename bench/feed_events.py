"""Events of real calendars in ../shared/data/feeds, moved to the coming months, with verdicts of readers on pairs.

The project contains only the verdicts: each event by its calendar, a digest of its UID and its start on the day the
calendars were fetched. Petaluma is for development, Santa Rosa for measurement only.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import labelled

from gleanery.extraction.calendars.icalendar import from_icalendar
from gleanery.extraction.draft import Draft, PageSource

ROOT = Path(__file__).parents[1]
FEEDS = ROOT.parent / "shared" / "data" / "feeds"
TO_CHOOSE, KEPT_ASIDE = "petaluma", "santarosa"
USES: dict[str, labelled.Use] = {TO_CHOOSE: "choose", KEPT_ASIDE: "held_out"}
FETCHED = date(2026, 3, 26)
DIGITS = 12

_TIMES = re.compile(r"DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE|RRULE")
_DAY = re.compile(r"(?<!\d)(20\d\d)(\d\d)(\d\d)(?=T|\D|$)")
_FOLD = re.compile(r"\r?\n[ \t]")
_UID = re.compile(r"^UID[^:\n]*:(.*)$", re.MULTILINE)
_START = re.compile(r"(\d{4}-\d\d-\d\d)(T\d\d:\d\d)?")


class Key(NamedTuple):
    """Reference to an event without its contents."""

    feed: str
    uid: str
    start: str


class Labelled(NamedTuple):
    """Labelled pair; `population` is the number of pairs in its stratum."""

    one: Key
    other: Key
    verdict: str  # same, different or unsure
    stratum: str
    population: int


def shift(today: date) -> timedelta:
    """Return the shift that moves events into the future: a multiple of 52 weeks, which keeps weekdays and seasons."""
    weeks = timedelta(0)
    while FETCHED + weeks < today:
        weeks += timedelta(weeks=52)
    return weeks


def events(town: str, today: date) -> Iterator[tuple[Key, str, dict[str, Any]]]:
    """Return the coming events of a town: key, id in its calendar, fields."""
    by, seen = shift(today), set[Key]()
    for path in sorted((FEEDS / town).glob("*.ics")):
        text = _moved(path.read_bytes().decode("utf-8", "replace"), by)
        url = f"https://{path.stem.replace('_', '-')}.example/feed.ics"
        page = PageSource(html=text, url=url, media_type="text/calendar", fetched=today, country="US", language="en")
        for draft in from_icalendar(page).drafts:
            key = _key(path.stem, draft, by)
            if key not in seen:
                seen.add(key)
                yield key, draft.external_id, draft.fields


def verdicts(town: str) -> list[Labelled]:
    return [
        Labelled(
            Key(row["feed_a"], row["uid_a"], row["start_a"]),
            Key(row["feed_b"], row["uid_b"], row["start_b"]),
            row["verdict"],
            row["stratum"],
            int(row["population"]),
        )
        for row in labelled.table(USES[town], "event_verdicts")
    ]


def _moved(text: str, by: timedelta) -> str:
    def later(day: re.Match[str]) -> str:
        try:
            return (date(*map(int, day.groups())) + by).strftime("%Y%m%d")
        except ValueError:
            return day[0]

    return "\n".join(_DAY.sub(later, line) if _TIMES.match(line) else line for line in text.split("\n"))


def _key(feed: str, draft: Draft, by: timedelta) -> Key:
    uid = _UID.search(_FOLD.sub("", str(draft.original)))
    digest = hashlib.sha256((uid[1].strip() if uid else draft.external_id).encode()).hexdigest()
    day, time = _START.match(str(draft.fields["start"])).groups()  # type: ignore[union-attr]  # it was parsed before
    return Key(feed, digest[:DIGITS], (date.fromisoformat(day) - by).isoformat() + (time or ""))

"""Calendar files as feeds: events, title and refresh interval. Pure."""

from __future__ import annotations

import re
from datetime import timedelta

from gleanery.extraction.calendars.content_lines import NAME, Property, numbered, unfolded
from gleanery.extraction.calendars.icalendar import from_icalendar
from gleanery.extraction.calendars.plain_text import plain
from gleanery.extraction.draft import PageSource
from gleanery.feeds.answers.json_records import describe_answer
from gleanery.feeds.platform import Answer, AnswerContent, NotThisPlatform
from gleanery.text import clean_text

ACCEPT = "text/calendar, */*;q=0.1"
BEGIN = "BEGIN:VCALENDAR"
LONGEST_TITLE = 200
MOST_HEAD = 200  # lines before the first event
TTLS = ("REFRESH-INTERVAL", "X-PUBLISHED-TTL")
TITLES = ("NAME", "X-WR-CALNAME")
SHORTEST, LONGEST = timedelta(minutes=15), timedelta(days=30)

_LENGTH = re.compile(
    r"P(?:([0-9]{1,4})W)?(?:([0-9]{1,5})D)?(?:T?(?:([0-9]{1,6})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,9})S)?)?", re.IGNORECASE
)


def read_calendar(answer: Answer) -> AnswerContent:
    """Read a calendar file. Raises NotThisPlatform if it is not one."""
    if not answer.text.lstrip("\ufeff \t\r\n")[: len(BEGIN)].upper() == BEGIN:
        raise NotThisPlatform(f"A calendar was expected, but the answer is {describe_answer(answer)}.")
    found = from_icalendar(source_of(answer))
    head = _head(answer.text)
    title = next((head[name] for name in TITLES if head.get(name)), "")
    return AnswerContent(
        drafts=found.drafts,
        contacts=found.contacts,
        title=clean_text(plain(title), limit=LONGEST_TITLE),
        ttl=next(filter(None, (_length(head.get(name, "")) for name in TTLS)), None),
        problems=found.problems,
    )


def source_of(answer: Answer) -> PageSource:
    """Return the answer as input for extractors."""
    return PageSource(
        html=answer.text,
        url=answer.url,
        media_type=answer.media_type,
        fetched=answer.fetched,
        country=answer.country,
        language=answer.language,
    )


def _head(text: str) -> dict[str, str]:
    """Return the properties before the first event."""
    found: dict[str, str] = {}
    for number, line in unfolded(numbered(text)):
        if number > MOST_HEAD or line.upper().startswith("BEGIN:VEVENT"):
            break
        if name := NAME.match(line):
            value = Property(number, name[1].upper(), line[name.end() :]).value
            found.setdefault(name[1].upper(), value)
    return found


def _length(written: str) -> timedelta | None:
    """Parse a duration within limits. P15M, which is not standard, means minutes."""
    found = _LENGTH.fullmatch(written.strip())
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in found.groups()) if found else (0,) * 5
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return min(max(length, SHORTEST), LONGEST) if length else None

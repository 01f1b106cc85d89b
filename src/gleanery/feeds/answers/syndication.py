"""RSS and Atom feeds with event dates: event module, xCal, and elements of some platforms. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta, tzinfo

from gleanery.extraction.calendars.plain_text import plain
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso, local
from gleanery.feeds.addresses import absolute, later_page
from gleanery.feeds.answers.calendars import LONGEST, LONGEST_TITLE, SHORTEST
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector
from gleanery.feeds.answers.json_records import describe_answer
from gleanery.feeds.answers.timestamps import DAY, moment
from gleanery.feeds.answers.xml import Item, read_xml
from gleanery.feeds.platform import Answer, AnswerContent, NotThisPlatform
from gleanery.text import clean_text

ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8"
ROOTS = frozenset({"rss", "rdf:rdf", "rdf", "feed"})
MOST_MINUTES = 60 * 24 * 30
STATUSES = {"cancelled": "cancelled", "canceled": "cancelled", "confirmed": "scheduled", "postponed": "postponed"}
# Elements with start and end.
WHEN = (
    ("ev:startdate", "ev:enddate"),
    ("xcal:dtstart", "xcal:dtend"),
    ("gd:when@starttime", "gd:when@endtime"),
)
BY_DAY = (
    # days, last days, times, last times
    ("calendarevent:eventdates", "", "calendarevent:eventtimes", ""),
    ("mec:startdate", "mec:enddate", "mec:starthour", "mec:endhour"),
)
DATED = frozenset({start for start, _ in WHEN} | {days for days, *_ in BY_DAY})
PLACES = ("ev:location", "xcal:location", "calendarevent:location", "mec:location", "gd:where@valuestring", "location")
TEXTS = ("xcal:description", "content:encoded", "description", "summary", "content")
IMAGES = ("media:content@url", "media:thumbnail@url", "enclosure@url")

_TO = re.compile(r"\s+(?:-|–|to)\s+")
_POINT = re.compile(r"\s*(-?[0-9]{1,3}(?:\.[0-9]{1,20})?)[\s,]+(-?[0-9]{1,3}(?:\.[0-9]{1,20})?)\s*")
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp)(?:\?|$)", re.IGNORECASE)


def read_syndication(answer: Answer, form: str) -> AnswerContent:
    """Read events from items. Raises NotThisPlatform if it is not a feed or no item has a date."""
    if not answer.text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise NotThisPlatform(f"RSS or Atom was expected, but the answer is {describe_answer(answer)}.")
    found = read_xml(answer.text, "item", "entry")
    if found.root not in ROOTS:
        raise NotThisPlatform(f"RSS or Atom was expected, but the answer is {describe_answer(answer)}.")
    dated = [item for item in found.items if not DATED.isdisjoint(item.values)]
    if found.items and not dated:
        raise NotThisPlatform("The feed has no events: none of its items has a date.")
    collected = EventCollector(answer, form, _read).collect(dated)
    left = len(found.items) - len(dated)
    return AnswerContent(
        drafts=collected.drafts,
        contacts=collected.contacts,
        title=clean_text(plain(found.head.first("title")), limit=LONGEST_TITLE),
        follows=_next(answer.url, absolute(answer.url, found.head.first("link next"))),
        ttl=_ttl(found.head.first("ttl")),
        problems=(
            *filter(None, (found.problem,)),
            *collected.problems,
            *([f"{left} of {len(found.items)} items have no date and were left out."] if left else ()),
        ),
    )


def _read(item: Item, builder: EventBuilder) -> str:
    builder.put_name(plain(item.first("title", "xcal:summary")), "title")
    _read_times(item, builder, zone_of(builder.answer.country))
    for name in TEXTS:
        builder.put("description", plain(item.first(name)), name)
    for name in PLACES:
        if line := item.first(name):
            builder.put_place(clean_text(plain(line), limit=500, multiline=True), name)
    _read_point(item, builder)
    builder.put_url("url", item.first("link", "xcal:url"), "link")
    builder.put_url("image_url", next(filter(_PICTURE.search, item.all(*IMAGES)), ""), "enclosure")
    builder.put("organizer_name", plain(item.first("ev:organizer", "xcal:organizer")), "organizer")
    builder.put("event_status", STATUSES.get(item.first("xcal:status").lower(), ""), "xcal:status")
    words = map(plain, item.all("category", "category@term", "ev:type", "xcal:categories"))
    builder.put_keywords(words, "category")
    builder.put_cost(plain(item.first("mec:cost", "xcal:x-cost")), "cost")
    return item.first("xcal:uid", "guid", "id", "link")


def _read_times(item: Item, builder: EventBuilder, zone: tzinfo | None) -> None:
    country = builder.answer.country
    for start, end in WHEN:
        if first := moment(item.first(start), zone, country):
            builder.put_times(first, moment(item.first(end), zone, country), start)
            return
    for days, last_days, times, last_times in BY_DAY:
        first_day, last_day = _two(item.first(days), item.first(last_days))
        from_time, until_time = _two(item.first(times), item.first(last_times))
        first, last = iso(first_day, country=country)[:DAY], iso(last_day, country=country)[:DAY]
        if first:
            begin = _at(first, from_time, zone)
            builder.put_times(begin, _at(last or first, until_time, zone) if until_time else last, days)
            return


def _two(both: str, second: str) -> tuple[str, str]:
    """Return the two ends of a range, given in one text or two."""
    parts = _TO.split(plain(both).strip(), maxsplit=1)
    return parts[0], second or (parts[1] if len(parts) > 1 else "")


def _at(day: str, clock: str, zone: tzinfo | None) -> str:
    return local(date.fromisoformat(day), clock, zone) or day if clock else day


def _read_point(item: Item, builder: EventBuilder) -> None:
    pairs = [item.first("georss:point"), f"{item.first('geo:lat')} {item.first('geo:long')}"]
    if found := next(filter(None, map(_POINT.fullmatch, pairs)), None):
        builder.put_point(float(found[1]), float(found[2]), "point")


def _next(now: str, then: str) -> str:
    return later_page(now, then, "paged") or later_page(now, then) if then else ""


def _ttl(minutes: str) -> timedelta | None:
    if not (minutes.isascii() and minutes.isdigit() and len(minutes) < len(str(MOST_MINUTES)) + 1):
        return None
    return min(max(timedelta(minutes=int(minutes)), SHORTEST), LONGEST) if int(minutes) else None

"""RSS and Atom whose items say when they take place: event module, xCal, and elements of single platforms. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta, tzinfo

from gleanery.extraction.calendars.wording import plain
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso, local
from gleanery.feeds.addresses import absolute, later_page
from gleanery.feeds.answers.calendars import LONGEST, LONGEST_TITLE, SHORTEST
from gleanery.feeds.answers.events import Collector, Sheet
from gleanery.feeds.answers.moments import DAY, moment
from gleanery.feeds.answers.shape import shape_of
from gleanery.feeds.answers.xml import Item, read_xml
from gleanery.feeds.platform import Answer, NotThisPlatform, Reading
from gleanery.text import clean_text

ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8"
ROOTS = frozenset({"rss", "rdf:rdf", "rdf", "feed"})
MOST_MINUTES = 60 * 24 * 30
STATUSES = {"cancelled": "cancelled", "canceled": "cancelled", "confirmed": "scheduled", "postponed": "postponed"}
# The elements in which an item says when it begins, each with that of its end.
WHEN = (
    ("ev:startdate", "ev:enddate"),
    ("xcal:dtstart", "xcal:dtend"),
    ("gd:when@starttime", "gd:when@endtime"),
)
BY_DAY = (
    # days, times, or the hours of start and end
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


def syndicated_reading(answer: Answer, form: str) -> Reading:
    """Events of the items. NotThisPlatform if it is no feed, or none of its items says when it takes place."""
    if not answer.text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise NotThisPlatform(f"RSS or Atom was expected; what came is {shape_of(answer)}.")
    found = read_xml(answer.text, "item", "entry")
    if found.root not in ROOTS:
        raise NotThisPlatform(f"RSS or Atom was expected; what came is {shape_of(answer)}.")
    dated = [item for item in found.items if not DATED.isdisjoint(item.values)]
    if found.items and not dated:
        raise NotThisPlatform("The feed lists pages alone: none of its items says when it takes place.")
    collected = Collector(answer, form, _read).collect(dated)
    left = len(found.items) - len(dated)
    return Reading(
        drafts=collected.drafts,
        contacts=collected.contacts,
        title=clean_text(plain(found.head.first("title")), limit=LONGEST_TITLE),
        follows=_next(answer.url, absolute(answer.url, found.head.first("link next"))),
        ttl=_ttl(found.head.first("ttl")),
        problems=(
            *filter(None, (found.problem,)),
            *collected.problems,
            *([f"{left} of {len(found.items)} items do not say when they take place: left out."] if left else ()),
        ),
    )


def _read(item: Item, sheet: Sheet) -> str:
    sheet.put_name(plain(item.first("title", "xcal:summary")), "title")
    _read_times(item, sheet, zone_of(sheet.answer.country))
    for name in TEXTS:
        sheet.put("description", plain(item.first(name)), name)
    for name in PLACES:
        if line := item.first(name):
            sheet.put_place(clean_text(plain(line), limit=500, multiline=True), name)
    _read_point(item, sheet)
    sheet.put_url("url", item.first("link", "xcal:url"), "link")
    sheet.put_url("image_url", next(filter(_PICTURE.search, item.all(*IMAGES)), ""), "enclosure")
    sheet.put("organizer_name", plain(item.first("ev:organizer", "xcal:organizer")), "organizer")
    sheet.put("event_status", STATUSES.get(item.first("xcal:status").lower(), ""), "xcal:status")
    words = map(plain, item.all("category", "category@term", "ev:type", "xcal:categories"))
    sheet.put_keywords(words, "category")
    sheet.put_cost(plain(item.first("mec:cost", "xcal:x-cost")), "cost")
    return item.first("xcal:uid", "guid", "id", "link")


def _read_times(item: Item, sheet: Sheet, zone: tzinfo | None) -> None:
    country = sheet.answer.country
    for start, end in WHEN:
        if first := moment(item.first(start), zone, country):
            sheet.put_times(first, moment(item.first(end), zone, country), start)
            return
    for days, last_days, times, last_times in BY_DAY:
        first_day, last_day = _two(item.first(days), item.first(last_days))
        from_time, until_time = _two(item.first(times), item.first(last_times))
        first, last = iso(first_day, country=country)[:DAY], iso(last_day, country=country)[:DAY]
        if first:
            begin = _at(first, from_time, zone)
            sheet.put_times(begin, _at(last or first, until_time, zone) if until_time else last, days)
            return


def _two(both: str, second: str) -> tuple[str, str]:
    """A span in one text, or in two."""
    parts = _TO.split(plain(both).strip(), maxsplit=1)
    return parts[0], second or (parts[1] if len(parts) > 1 else "")


def _at(day: str, clock: str, zone: tzinfo | None) -> str:
    return local(date.fromisoformat(day), clock, zone) or day if clock else day


def _read_point(item: Item, sheet: Sheet) -> None:
    pairs = [item.first("georss:point"), f"{item.first('geo:lat')} {item.first('geo:long')}"]
    if found := next(filter(None, map(_POINT.fullmatch, pairs)), None):
        sheet.put_point(float(found[1]), float(found[2]), "point")


def _next(now: str, then: str) -> str:
    return later_page(now, then, "paged") or later_page(now, then) if then else ""


def _ttl(minutes: str) -> timedelta | None:
    if not (minutes.isascii() and minutes.isdigit() and len(minutes) < len(str(MOST_MINUTES)) + 1):
        return None
    return min(max(timedelta(minutes=int(minutes)), SHORTEST), LONGEST) if int(minutes) else None

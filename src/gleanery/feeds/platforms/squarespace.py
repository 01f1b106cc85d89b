"""Squarespace: a page of events tells them as JSON when asked for that form, with the clock of the site."""

from __future__ import annotations

import re
from datetime import date

from gleanery.feeds.addresses import absolute, each_once, host_of, is_on, is_same_site, path_of, query_of, with_query
from gleanery.feeds.answers.events import Collector, Sheet, objects
from gleanery.feeds.answers.moments import clock, of_seconds
from gleanery.feeds.answers.shape import Record, json_of, listed
from gleanery.feeds.platform import Answer, Markup, NotThisPlatform, Platform, Reading, Sign

MOST_LINKED = 3
MILLISECONDS = 1_000
# Where its maps begin until somebody says where the event is.
NOWHERE = (40.7207559, -74.0007613)

_HOSTS = ("squarespace.com", "squarespace-cdn.com")
_EVENTS = re.compile(r"\b(?:collection-type-events|eventlist-event|events-collection|eventlist--upcoming)\b")
_LINKED = re.compile(r"/(?:[a-z0-9-]{0,40}-)?(?:events?|calendar)(?:-[a-z0-9-]{1,40})?/?", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    """A page of events itself; else pages of the site that its own links name so."""
    if not _is_squarespace(markup):
        return ()
    if _EVENTS.search(markup.html) and "view-item" not in markup.html[:20_000]:
        return (Sign(url=_as_json(markup.url)),)
    linked = [
        Sign(url=_as_json(link.href), title=link.text, guess=True)
        for link in each_once(markup.links)
        if is_same_site(link.href, markup.url) and _LINKED.fullmatch(path_of(link.href))
    ]
    return tuple(linked)[:MOST_LINKED]


def _is_squarespace(markup: Markup) -> bool:
    return "squarespace" in markup.generator.lower() or any(is_on(script, *_HOSTS) for script in markup.scripts)


def _as_json(url: str) -> str:
    return with_query(absolute(url, "").partition("?")[0], {"format": "json"})


def address(url: str, _: date) -> str:
    return with_query(url, {"format": "json"})


def read(answer: Answer) -> Reading:
    given = json_of(answer)
    whole = Record(given if isinstance(given, dict) else {})
    is_events = whole.text("collection", "typeName").startswith("events") or "upcoming" in whole.given
    if not is_events:
        raise NotThisPlatform("The page of this address has no events of Squarespace.")
    zone = clock(whole.text("website", "timeZone"), answer.country)
    upcoming = whole.raw("upcoming") or whole.raw("items") or []

    def read_one(event: Record, sheet: Sheet) -> str:
        sheet.hint_country(zone)
        start, end = (of_seconds(_seconds(event.number(name)), zone) for name in ("startDate", "endDate"))
        sheet.put_times(start, end, "startDate")
        return _read(event, sheet)

    found = Collector(answer, "squarespace", read_one).collect(objects(listed(upcoming, "`upcoming`")))
    return Reading(
        drafts=found.drafts,
        contacts=found.contacts,
        title=whole.text("collection", "title"),
        follows=_next(answer.url, whole) if found.drafts else "",
        problems=found.problems,
    )


def _next(now: str, whole: Record) -> str:
    """Pages go on by a moment (`offset`), which must be a later one each time."""
    then = absolute(now, whole.text("pagination", "nextPageUrl", limit=2_000)) if whole.raw("pagination") else ""
    if not then or host_of(then) != host_of(now):
        return ""
    offsets = [query_of(each).get("offset", "0")[:20] for each in (now, then)]
    if not all(each.isascii() and each.isdigit() for each in offsets) or int(offsets[1]) <= int(offsets[0]):
        return ""
    return with_query(then, {"format": "json"})


def _seconds(milliseconds: float | None) -> float | None:
    return milliseconds / MILLISECONDS if milliseconds is not None else None


def _read(event: Record, sheet: Sheet) -> str:
    sheet.put_name(event.text("title"), "title")
    for name in ("body", "excerpt"):
        sheet.put("description", event.text(name, limit=5_000, multiline=True), name)
    _read_place(event.record("location"), sheet)
    sheet.put_url("url", event.text("fullUrl"), "fullUrl")
    sheet.put_url("image_url", event.text("assetUrl") if "." in event.text("assetUrl")[-6:] else "", "assetUrl")
    words = [*(event.raw("categories") or ()), *(event.raw("tags") or ())]
    sheet.put_keywords((word for word in words if isinstance(word, str)), "categories")
    return event.text("id")


def _read_place(place: Record, sheet: Sheet) -> None:
    lines = [place.text("addressLine1"), place.text("addressLine2")]
    told = ", ".join(filter(None, lines))
    country = place.text("addressCountry")
    if told:
        sheet.put_place(", ".join(filter(None, (told, country))), "location", venue=place.text("addressTitle"))
    else:
        sheet.put_place(place.text("addressTitle"), "location.addressTitle")
    sheet.put_country(country, "location.addressCountry")
    point = place.number("markerLat"), place.number("markerLng")
    if told and point != NOWHERE:
        sheet.put_point(*point, "location.markerLat")


SQUARESPACE = Platform(
    name="squarespace",
    label="Squarespace",
    shown_by="scripts of squarespace.com on a page of events, or on one that links such a page",
    feed_at="the page of events with `?format=json`",
    accept="application/json",
    signs=signs,
    address=address,
    read=read,
)

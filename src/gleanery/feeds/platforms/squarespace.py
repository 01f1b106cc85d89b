"""Squarespace: event pages as JSON, in the time zone of the site."""

from __future__ import annotations

import re
from datetime import date

from gleanery.feeds.addresses import absolute, each_once, host_of, is_on, is_same_site, path_of, query_of, with_query
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector, as_records
from gleanery.feeds.answers.json_records import Record, parse_json, require_list
from gleanery.feeds.answers.timestamps import clock, from_seconds
from gleanery.feeds.platform import Answer, AnswerContent, Markup, NotThisPlatform, Platform, Sign

MOST_LINKED = 3
MILLISECONDS = 1_000
# Default map position of events without a place.
NOWHERE = (40.7207559, -74.0007613)

_HOSTS = ("squarespace.com", "squarespace-cdn.com")
_EVENTS = re.compile(r"\b(?:collection-type-events|eventlist-event|events-collection|eventlist--upcoming)\b")
_LINKED = re.compile(r"/(?:[a-z0-9-]{0,40}-)?(?:events?|calendar)(?:-[a-z0-9-]{1,40})?/?", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return the page if it lists events, else linked event pages as guesses."""
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


def read(answer: Answer) -> AnswerContent:
    given = parse_json(answer)
    whole = Record(given if isinstance(given, dict) else {})
    is_events = whole.text("collection", "typeName").startswith("events") or "upcoming" in whole.given
    if not is_events:
        raise NotThisPlatform("The page has no Squarespace events.")
    zone = clock(whole.text("website", "timeZone"), answer.country)
    upcoming = whole.raw("upcoming") or whole.raw("items") or []

    def read_one(event: Record, builder: EventBuilder) -> str:
        builder.hint_country(zone)
        start, end = (from_seconds(_seconds(event.number(name)), zone) for name in ("startDate", "endDate"))
        builder.put_times(start, end, "startDate")
        return _read(event, builder)

    found = EventCollector(answer, "squarespace", read_one).collect(as_records(require_list(upcoming, "`upcoming`")))
    return AnswerContent(
        drafts=found.drafts,
        contacts=found.contacts,
        title=whole.text("collection", "title"),
        follows=_next(answer.url, whole) if found.drafts else "",
        problems=found.problems,
    )


def _next(now: str, whole: Record) -> str:
    """Return the next page, whose `offset` (a time) must be later."""
    then = absolute(now, whole.text("pagination", "nextPageUrl", limit=2_000)) if whole.raw("pagination") else ""
    if not then or host_of(then) != host_of(now):
        return ""
    offsets = [query_of(each).get("offset", "0")[:20] for each in (now, then)]
    if not all(each.isascii() and each.isdigit() for each in offsets) or int(offsets[1]) <= int(offsets[0]):
        return ""
    return with_query(then, {"format": "json"})


def _seconds(milliseconds: float | None) -> float | None:
    return milliseconds / MILLISECONDS if milliseconds is not None else None


def _read(event: Record, builder: EventBuilder) -> str:
    builder.put_name(event.text("title"), "title")
    for name in ("body", "excerpt"):
        builder.put("description", event.text(name, limit=5_000, multiline=True), name)
    _read_place(event.record("location"), builder)
    builder.put_url("url", event.text("fullUrl"), "fullUrl")
    builder.put_url("image_url", event.text("assetUrl") if "." in event.text("assetUrl")[-6:] else "", "assetUrl")
    words = [*(event.raw("categories") or ()), *(event.raw("tags") or ())]
    builder.put_keywords((word for word in words if isinstance(word, str)), "categories")
    return event.text("id")


def _read_place(place: Record, builder: EventBuilder) -> None:
    lines = [place.text("addressLine1"), place.text("addressLine2")]
    street = ", ".join(filter(None, lines))
    country = place.text("addressCountry")
    if street:
        builder.put_place(", ".join(filter(None, (street, country))), "location", venue=place.text("addressTitle"))
    else:
        builder.put_place(place.text("addressTitle"), "location.addressTitle")
    builder.put_country(country, "location.addressCountry")
    point = place.number("markerLat"), place.number("markerLng")
    if street and point != NOWHERE:
        builder.put_point(*point, "location.markerLat")


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

"""The Events Calendar, a WordPress plugin: a paged API with time zones and venues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from gleanery.feeds.addresses import absolute, is_same_site, later_page, path_of, query_of, with_query
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector, as_records
from gleanery.feeds.answers.json_records import Record, parse_json, require_list
from gleanery.feeds.answers.timestamps import clock, moment
from gleanery.feeds.platform import Answer, AnswerContent, Markup, NotThisPlatform, Platform, Sign

API = "/tribe/events/v1/"
STATUSES = {"canceled": "cancelled", "cancelled": "cancelled", "postponed": "postponed"}

_PLUGIN = re.compile(r"(https?:)?//[^\s\"'<>()]{1,300}?/wp-content/plugins/the-events-calendar/")
_TAIL = "/wp-content/plugins/the-events-calendar/"


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return the API named by the page, else a guess from the files of the plugin."""
    covers = tuple(link.href for link in markup.links if _is_same_feed(markup, link.href))
    for root in _roots(markup):
        return (Sign(url=f"{root}events", covers=covers),)
    if found := _PLUGIN.search(markup.html):
        home = absolute(markup.url, found[0].removesuffix(_TAIL))
        if is_same_site(home, markup.url):
            return (Sign(url=f"{home.rstrip('/')}/wp-json{API}events", guess=True, covers=covers),)
    return ()


def _roots(markup: Markup) -> Iterator[str]:
    for address_shown in (markup.headers.get("x-tec-api-root", ""), *(link.href for link in markup.links)):
        before, api, _ = address_shown.partition(API)
        if api and (root := absolute(markup.url, before + api)) and is_same_site(root, markup.url):
            yield root


def _is_same_feed(markup: Markup, url: str) -> bool:
    """Return True for the calendar file and RSS of the plugin."""
    is_feed = query_of(url).get("ical") == "1" or path_of(url).rstrip("/").endswith("/feed")
    return is_feed and is_same_site(url, markup.url)


def address(url: str, day: date) -> str:
    return with_query(url, {"per_page": "50", "start_date": day.isoformat()})


def read(answer: Answer) -> AnswerContent:
    given = parse_json(answer)
    if not isinstance(given, dict):
        raise NotThisPlatform("An object with `events` was expected, but the answer is a list.")
    found = EventCollector(answer, "the_events_calendar", _read).collect(
        as_records(require_list(given.get("events"), "`events`"))
    )
    following = given.get("next_rest_url")
    return AnswerContent(
        drafts=found.drafts,
        contacts=found.contacts,
        follows=later_page(answer.url, following if isinstance(following, str) else ""),
        problems=found.problems,
    )


def _read(event: Record, builder: EventBuilder) -> str:
    builder.put_name(event.text("title"), "title")
    _read_times(event, builder)
    builder.put("description", event.text("description", limit=5_000, multiline=True), "description")
    builder.put("description", event.text("excerpt", limit=5_000, multiline=True), "excerpt")
    for venue in event.records("venue"):
        _read_venue(venue, builder)
    if event.flag("is_virtual"):
        builder.put("attendance_mode", "mixed" if "venue_name" in builder.fields else "online", "is_virtual")
        builder.put_url("virtual_url", event.text("virtual_url"), "virtual_url")
    builder.put_url("url", event.text("url"), "url")
    builder.put_url("image_url", event.text("image", "url"), "image.url")
    builder.put("event_status", STATUSES.get(event.text("event_status").lower(), ""), "event_status")
    builder.put_cost(event.text("cost"), "cost")
    builder.put_keywords((each.text("name") for each in (*event.records("categories"), *event.records("tags"))), "tags")
    for each in event.records("organizer"):
        builder.put("organizer_name", each.text("organizer"), "organizer")
        builder.put_url("organizer_url", each.text("website"), "organizer.website")
        builder.add_contact(each.text("organizer"), each.text("email"), each.text("phone"), "organizer")
    return event.text("id")


def _read_times(event: Record, builder: EventBuilder) -> None:
    """Read times in the zone of the event, or in UTC if it is unknown."""
    zone = clock(event.text("timezone"), builder.answer.country)
    builder.hint_country(zone)
    at = "" if zone or event.flag("all_day") else "utc_"
    start, end = (event.text(f"{at}{name}_date") + ("Z" if at else "") for name in ("start", "end"))
    times = moment(start, zone), moment(end, zone)
    builder.put_times(*times, f"{at}start_date", whole_days=event.flag("all_day") is True)


def _read_venue(venue: Record, builder: EventBuilder) -> None:
    name, street = venue.text("venue"), venue.text("address")
    if not street:
        builder.put_place(name, "venue.venue")
    else:
        builder.put_place("", "venue.venue", venue=name)
    if "attendance_mode" in builder.fields:
        return
    for field, keys in (
        ("address", ("address",)),
        ("locality", ("city",)),
        ("region", ("state", "province", "stateprovince", "state_province")),
        ("postal_code", ("zip",)),
    ):
        for key in keys:
            builder.put(field, venue.text(key), f"venue.{key}")
    builder.put_country(venue.text("country"), "venue.country")
    builder.put_point(venue.number("geo_lat"), venue.number("geo_lng"), "venue.geo_lat")
    builder.put_url("venue_url", venue.text("website"), "venue.website")


THE_EVENTS_CALENDAR = Platform(
    name="the_events_calendar",
    label="The Events Calendar (WordPress)",
    shown_by="header `x-tec-api-root`, a link to `/tribe/events/v1/`, files of the plugin",
    feed_at="`/wp-json/tribe/events/v1/events`",
    accept="application/json",
    signs=signs,
    address=address,
    read=read,
)

"""The Events Calendar, a plugin of WordPress: an API in pages of fifty events, each with its clock and its venue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from gleanery.feeds.addresses import absolute, is_same_site, later_page, path_of, query_of, with_query
from gleanery.feeds.answers.events import Collector, Sheet, objects
from gleanery.feeds.answers.moments import clock, moment
from gleanery.feeds.answers.shape import Record, json_of, listed
from gleanery.feeds.platform import Answer, Markup, NotThisPlatform, Platform, Reading, Sign

API = "/tribe/events/v1/"
STATUSES = {"canceled": "cancelled", "cancelled": "cancelled", "postponed": "postponed"}

_PLUGIN = re.compile(r"(https?:)?//[^\s\"'<>()]{1,300}?/wp-content/plugins/the-events-calendar/")
_TAIL = "/wp-content/plugins/the-events-calendar/"


def signs(markup: Markup) -> tuple[Sign, ...]:
    """The address of the API where the page tells it, else where the plugin's own files show it to be."""
    covers = tuple(link.href for link in markup.links if _tells_the_same(markup, link.href))
    for root in _roots(markup):
        return (Sign(url=f"{root}events", covers=covers),)
    if found := _PLUGIN.search(markup.html):
        home = absolute(markup.url, found[0].removesuffix(_TAIL))
        if is_same_site(home, markup.url):
            return (Sign(url=f"{home.rstrip('/')}/wp-json{API}events", guess=True, covers=covers),)
    return ()


def _roots(markup: Markup) -> Iterator[str]:
    for told in (markup.headers.get("x-tec-api-root", ""), *(link.href for link in markup.links)):
        before, api, _ = told.partition(API)
        if api and (root := absolute(markup.url, before + api)) and is_same_site(root, markup.url):
            yield root


def _tells_the_same(markup: Markup, url: str) -> bool:
    """The plugin's calendar file and its RSS."""
    is_feed = query_of(url).get("ical") == "1" or path_of(url).rstrip("/").endswith("/feed")
    return is_feed and is_same_site(url, markup.url)


def address(url: str, day: date) -> str:
    return with_query(url, {"per_page": "50", "start_date": day.isoformat()})


def read(answer: Answer) -> Reading:
    given = json_of(answer)
    if not isinstance(given, dict):
        raise NotThisPlatform("An object with `events` was expected; what came is a list.")
    found = Collector(answer, "the_events_calendar", _read).collect(objects(listed(given.get("events"), "`events`")))
    following = given.get("next_rest_url")
    return Reading(
        drafts=found.drafts,
        contacts=found.contacts,
        follows=later_page(answer.url, following if isinstance(following, str) else ""),
        problems=found.problems,
    )


def _read(event: Record, sheet: Sheet) -> str:
    sheet.put_name(event.text("title"), "title")
    _read_times(event, sheet)
    sheet.put("description", event.text("description", limit=5_000, multiline=True), "description")
    sheet.put("description", event.text("excerpt", limit=5_000, multiline=True), "excerpt")
    for venue in event.records("venue"):
        _read_venue(venue, sheet)
    if event.flag("is_virtual"):
        sheet.put("attendance_mode", "mixed" if "venue_name" in sheet.fields else "online", "is_virtual")
        sheet.put_url("virtual_url", event.text("virtual_url"), "virtual_url")
    sheet.put_url("url", event.text("url"), "url")
    sheet.put_url("image_url", event.text("image", "url"), "image.url")
    sheet.put("event_status", STATUSES.get(event.text("event_status").lower(), ""), "event_status")
    sheet.put_cost(event.text("cost"), "cost")
    sheet.put_keywords((each.text("name") for each in (*event.records("categories"), *event.records("tags"))), "tags")
    for each in event.records("organizer"):
        sheet.put("organizer_name", each.text("organizer"), "organizer")
        sheet.put_url("organizer_url", each.text("website"), "organizer.website")
        sheet.add_contact(each.text("organizer"), each.text("email"), each.text("phone"), "organizer")
    return event.text("id")


def _read_times(event: Record, sheet: Sheet) -> None:
    """On the event's own clock; where that is not known, in UTC."""
    zone = clock(event.text("timezone"), sheet.answer.country)
    sheet.hint_country(zone)
    at = "" if zone or event.flag("all_day") else "utc_"
    start, end = (event.text(f"{at}{name}_date") + ("Z" if at else "") for name in ("start", "end"))
    times = moment(start, zone), moment(end, zone)
    sheet.put_times(*times, f"{at}start_date", whole_days=event.flag("all_day") is True)


def _read_venue(venue: Record, sheet: Sheet) -> None:
    name, street = venue.text("venue"), venue.text("address")
    if not street:
        sheet.put_place(name, "venue.venue")
    else:
        sheet.put_place("", "venue.venue", venue=name)
    if "attendance_mode" in sheet.fields:
        return
    for field, keys in (
        ("address", ("address",)),
        ("locality", ("city",)),
        ("region", ("state", "province", "stateprovince", "state_province")),
        ("postal_code", ("zip",)),
    ):
        for key in keys:
            sheet.put(field, venue.text(key), f"venue.{key}")
    sheet.put_country(venue.text("country"), "venue.country")
    sheet.put_point(venue.number("geo_lat"), venue.number("geo_lng"), "venue.geo_lat")
    sheet.put_url("venue_url", venue.text("website"), "venue.website")


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

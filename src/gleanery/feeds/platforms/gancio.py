"""Gancio, a shared agenda: all coming events as one list."""

from __future__ import annotations

from urllib.parse import quote

from gleanery.extraction.values.countries import zone_of
from gleanery.feeds.addresses import at_root, unchanged
from gleanery.feeds.answers.events import Collector, Sheet, objects
from gleanery.feeds.answers.moments import of_seconds
from gleanery.feeds.answers.shape import Record, json_of, listed
from gleanery.feeds.platform import Answer, Markup, NotThisPlatform, Platform, Reading, Sign

API = "/api/events"


def signs(markup: Markup) -> tuple[Sign, ...]:
    if not markup.generator.lower().startswith("gancio"):
        return ()
    same = tuple(at_root(markup.url, path) for path in ("/feed/ics", "/feed/rss"))
    return (Sign(url=at_root(markup.url, API), guess=True, covers=same),)


def read(answer: Answer) -> Reading:
    events = listed(json_of(answer), "The list of events")
    if events and not any(isinstance(each, dict) and "start_datetime" in each for each in events):
        raise NotThisPlatform("None of the events has the start that Gancio gives (`start_datetime`).")
    found = Collector(answer, "gancio", _read).collect(objects(events))
    return Reading(drafts=found.drafts, contacts=found.contacts, problems=found.problems)


def _read(event: Record, sheet: Sheet) -> str:
    zone = zone_of(sheet.answer.country)
    sheet.put_name(event.text("title"), "title")
    start, end = (of_seconds(event.number(f"{name}_datetime"), zone) for name in ("start", "end"))
    sheet.put_times(start, end, "start_datetime")
    sheet.put("description", event.text("description", limit=5_000, multiline=True), "description")
    place = event.record("place")
    sheet.put_place(place.text("address"), "place.address", venue=place.text("name"))
    sheet.put_point(place.number("latitude"), place.number("longitude"), "place.latitude")
    online = event.raw("online_locations")
    for each in online if isinstance(online, list) else ():
        sheet.put_url("virtual_url", each if isinstance(each, str) else "", "online_locations")
    if slug := event.text("slug"):
        sheet.put_url("url", f"/event/{quote(slug)}", "slug")
    media = next((each.text("url") for each in event.records("media")), "")
    sheet.put_url("image_url", f"/media/{quote(media)}" if media else "", "media.url")
    words = event.raw("tags")
    sheet.put_keywords((each for each in words if isinstance(each, str)) if isinstance(words, list) else (), "tags")
    return event.text("id") or event.text("slug")


GANCIO = Platform(
    name="gancio",
    label="Gancio",
    shown_by="generator Gancio",
    feed_at="`/api/events`",
    accept="application/json",
    signs=signs,
    address=unchanged,
    read=read,
)

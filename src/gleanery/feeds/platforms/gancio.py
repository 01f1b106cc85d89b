"""Gancio, a shared agenda: one list of all upcoming events."""

from __future__ import annotations

from urllib.parse import quote

from gleanery.extraction.values.countries import zone_of
from gleanery.feeds.addresses import at_root, unchanged
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector, as_records
from gleanery.feeds.answers.json_records import Record, parse_json, require_list
from gleanery.feeds.answers.timestamps import from_seconds
from gleanery.feeds.platform import Answer, AnswerContent, Markup, NotThisPlatform, Platform, Sign

API = "/api/events"


def signs(markup: Markup) -> tuple[Sign, ...]:
    if not markup.generator.lower().startswith("gancio"):
        return ()
    same = tuple(at_root(markup.url, path) for path in ("/feed/ics", "/feed/rss"))
    return (Sign(url=at_root(markup.url, API), guess=True, covers=same),)


def read(answer: Answer) -> AnswerContent:
    events = require_list(parse_json(answer), "The list of events")
    if events and not any(isinstance(each, dict) and "start_datetime" in each for each in events):
        raise NotThisPlatform("None of the events has the start that Gancio gives (`start_datetime`).")
    found = EventCollector(answer, "gancio", _read).collect(as_records(events))
    return AnswerContent(drafts=found.drafts, contacts=found.contacts, problems=found.problems)


def _read(event: Record, builder: EventBuilder) -> str:
    zone = zone_of(builder.answer.country)
    builder.put_name(event.text("title"), "title")
    start, end = (from_seconds(event.number(f"{name}_datetime"), zone) for name in ("start", "end"))
    builder.put_times(start, end, "start_datetime")
    builder.put("description", event.text("description", limit=5_000, multiline=True), "description")
    place = event.record("place")
    builder.put_place(place.text("address"), "place.address", venue=place.text("name"))
    builder.put_point(place.number("latitude"), place.number("longitude"), "place.latitude")
    online = event.raw("online_locations")
    for each in online if isinstance(online, list) else ():
        builder.put_url("virtual_url", each if isinstance(each, str) else "", "online_locations")
    if slug := event.text("slug"):
        builder.put_url("url", f"/event/{quote(slug)}", "slug")
    media = next((each.text("url") for each in event.records("media")), "")
    builder.put_url("image_url", f"/media/{quote(media)}" if media else "", "media.url")
    words = event.raw("tags")
    builder.put_keywords((each for each in words if isinstance(each, str)) if isinstance(words, list) else (), "tags")
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

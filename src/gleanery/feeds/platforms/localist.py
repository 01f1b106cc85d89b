"""Localist, used by universities and towns: a paged API with one item per date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from gleanery.feeds.addresses import at_root, host_of, is_on, is_same_site, later_page, path_of, with_query
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector
from gleanery.feeds.answers.json_records import MOST_RECORDS, Record, parse_json, require_list
from gleanery.feeds.answers.timestamps import moment
from gleanery.feeds.platform import Answer, AnswerContent, Markup, NotThisPlatform, Platform, Sign

API = "/api/2/events"
OWN = "localist.com"
STATUSES = {"canceled": "cancelled", "cancelled": "cancelled", "postponed": "postponed", "rescheduled": "rescheduled"}
MODES = {"virtual": "online", "hybrid": "mixed", "inperson": "offline"}

_WIDGET = re.compile(r"/widget/view\b")
_PAGES_MARK = re.compile(r"localist[-_](?:widget|event)|\blocalist\.(?:com|min\.js)|[\"'/]localist[-/]", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return the API that is linked, or of an embedded widget, else a guess for pages made by Localist."""
    for link in markup.links:
        if path_of(link.href).startswith(API) and is_same_site(link.href, markup.url):
            return (Sign(url=at_root(link.href, API)),)
    for script in markup.scripts:
        if _WIDGET.search(path_of(script)) and _PAGES_MARK.search(markup.html):
            return (Sign(url=at_root(script, API)),)
    if is_on(markup.url, OWN) or "localist" in markup.generator.lower() or any(_of_localist(markup)):
        return (Sign(url=at_root(markup.url, API), guess=True),)
    return ()


def _of_localist(markup: Markup) -> Iterator[bool]:
    for url in (*markup.scripts, *(link.href for link in markup.links if "stylesheet" in link.rel.lower())):
        yield "localist" in host_of(url)


def address(url: str, _: date) -> str:
    return with_query(url, {"days": "180", "pp": "100"})


def read(answer: Answer) -> AnswerContent:
    given = parse_json(answer)
    if not isinstance(given, dict):
        raise NotThisPlatform("An object with `events` was expected, but the answer is a list.")
    instances = list(_instances(require_list(given.get("events"), "`events`")))[:MOST_RECORDS]
    found = EventCollector(answer, "localist", _read).collect(instances)
    page = Record(given).record("page")
    current, total = page.number("current"), page.number("total")
    following = ""
    if current is not None and total is not None and current < total:
        following = later_page(answer.url, with_query(answer.url, {"page": str(int(current) + 1)}))
    return AnswerContent(drafts=found.drafts, contacts=found.contacts, follows=following, problems=found.problems)


def _instances(events: list[object]) -> Iterator[Record]:
    """Yield each date of each event, and events without dates, which are then rejected by name."""
    for each in events:
        wrapped = Record(each if isinstance(each, dict) else {})
        event = wrapped.record("event") if "event" in wrapped.given else wrapped
        dates = [inner.record("event_instance") for inner in event.records("event_instances")]
        for instance in dates or [Record({})]:
            rest = {name: value for name, value in event.given.items() if name != "event_instances"}
            yield Record({**rest, "instance": instance.given}, "event")


def _read(event: Record, builder: EventBuilder) -> str:
    instance = event.record("instance")
    builder.put_name(event.text("title"), "title")
    builder.put_times(
        moment(instance.text("start"), None),
        moment(instance.text("end"), None),
        "event_instance.start",
        whole_days=instance.flag("all_day") is True,
    )
    builder.put("description", event.text("description_text", limit=5_000, multiline=True), "description_text")
    builder.put("attendance_mode", MODES.get(event.text("experience").lower(), ""), "experience")
    if builder.fields.get("attendance_mode") != "online":
        _read_place(event, builder)
    builder.put_url("virtual_url", event.text("stream_url"), "stream_url")
    builder.put_url("url", event.text("localist_url"), "localist_url")
    builder.put_url("image_url", event.text("photo_url"), "photo_url")
    builder.put("event_status", STATUSES.get(event.text("status").lower(), ""), "status")
    builder.put_cost(event.text("ticket_cost"), "ticket_cost")
    if event.flag("free"):
        builder.put("is_accessible_for_free", True, "free")
    types = (each.text("name") for each in event.record("filters").records("event_types"))
    words = event.raw("keywords")
    builder.put_keywords([*types, *(word for word in words or () if isinstance(word, str))], "filters.event_types")
    builder.put("organizer_name", next((each.text("name") for each in event.records("groups")), ""), "groups.name")
    own, one = event.text("id"), instance.text("id")
    return f"{own}.{one}" if own and one else own


def _read_place(event: Record, builder: EventBuilder) -> None:
    geo = event.record("geo")
    address = event.text("address")
    name = event.text("location_name") or event.text("location")
    if address or geo.text("street"):
        builder.put_place("", "location_name", venue=name)
    else:
        builder.put_place(name, "location_name")
    for field, key in (("address", "street"), ("locality", "city"), ("region", "state"), ("postal_code", "zip")):
        builder.put(field, geo.text(key), f"geo.{key}")
    builder.put_country(geo.text("country"), "geo.country")
    if address and "locality" not in builder.fields:
        builder.put_place(address, "address")
    builder.put_point(geo.number("latitude"), geo.number("longitude"), "geo.latitude")


LOCALIST = Platform(
    name="localist",
    label="Localist",
    shown_by="links to `/api/2/events`, a widget, scripts and styles of Localist",
    feed_at="`/api/2/events`",
    accept="application/json",
    signs=signs,
    address=address,
    read=read,
)

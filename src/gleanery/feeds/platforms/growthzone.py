"""GrowthZone (ChamberMaster), used by chambers of commerce: events as XML or JSON, or RSS with dates."""

from __future__ import annotations

import re
from datetime import tzinfo

from gleanery.extraction.calendars.plain_text import plain
from gleanery.extraction.values.countries import zone_of
from gleanery.feeds.addresses import at_root, each_once, host_of, path_of, unchanged
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector
from gleanery.feeds.answers.json_records import Record, describe_answer, parse_json, require_list
from gleanery.feeds.answers.syndication import ROOTS, read_syndication
from gleanery.feeds.answers.timestamps import moment
from gleanery.feeds.answers.xml import Item, read_xml
from gleanery.feeds.platform import Answer, AnswerContent, Markup, NotThisPlatform, Platform, Sign
from gleanery.text import clean_text

API = "/api/events"
RSS = "/events/rss"

_MARK = re.compile(r"growthzone|chambermaster", re.IGNORECASE)
_EVENTS = re.compile(r"/events(?:/(?:details|calendar|search|index)\b.*|/?)")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return the API of the host whose events a GrowthZone page links, often another host of the chamber."""
    addresses = (*markup.scripts, *markup.frames, *(link.href for link in markup.links))
    if not (any(_MARK.search(host_of(url)) for url in addresses) or _MARK.search(markup.generator)):
        return ()
    links = list(each_once(markup.links))
    linked = [link.href for link in links if _EVENTS.fullmatch(path_of(link.href).lower())]
    details = [url for url in linked if "/events/details" in path_of(url).lower()]
    written = [link.href for link in links if path_of(link.href).lower().rstrip("/") in (API, RSS)]
    if written:
        return (Sign(url=written[0]),)
    return tuple(Sign(url=at_root(url, API), guess=True) for url in (details or linked)[:1])


def read(answer: Answer) -> AnswerContent:
    text = answer.text.lstrip("\ufeff \t\r\n")
    if not text.startswith("<"):
        given = parse_json(answer)
        items = [_item(each) for each in require_list(given, "The list of events")]
        problem = ""
    else:
        found = read_xml(text, "eventdisplay")
        if found.root in ROOTS:
            return read_syndication(answer, "growthzone")
        if not found.root.startswith("arrayof") and not found.items:
            raise NotThisPlatform(f"A list of events was expected, but the answer is {describe_answer(answer)}.")
        items, problem = found.items, found.problem
    collected = EventCollector(answer, "growthzone", _read).collect(items)
    problems = (*filter(None, (problem,)), *collected.problems)
    return AnswerContent(drafts=collected.drafts, contacts=collected.contacts, problems=problems)


def _item(given: object) -> Item:
    """Convert a JSON object to the form of the XML: lower-case names, text values."""
    item = Item()
    record = Record(given if isinstance(given, dict) else {})
    for name in record.given:
        if value := record.text(str(name), limit=10_000, multiline=True):
            item.put(str(name).lower(), value)
        elif (flag := record.raw(str(name))) is True:
            item.put(str(name).lower(), str(flag).lower())
    return item


def _read(item: Item, builder: EventBuilder) -> str:
    zone = zone_of(builder.answer.country)
    builder.put_name(plain(item.first("name")), "Name")
    builder.put_times(
        _moment(item, "startdate", zone, builder),
        _moment(item, "enddate", zone, builder),
        "StartDate",
        whole_days=item.first("isalldayevent").lower() == "true",
    )
    builder.put("description", plain(item.first("description", "shortdescription")), "Description")
    location = clean_text(plain(item.first("location", "address")), limit=500, multiline=True)
    builder.put_place(location, "Location", venue=plain(item.first("locationname", "venue")))
    builder.put("organizer_name", plain(item.first("organizationname", "hostname")), "OrganizationName")
    builder.put_cost(plain(item.first("admission", "cost")), "Admission")
    slug = item.first("slug")
    builder.put_url("url", item.first("url") or (f"/events/details/{slug}" if slug else ""), "Slug")
    builder.put_url("image_url", item.first("imageurl", "logourl"), "ImageUrl")
    builder.put_keywords(map(plain, item.all("category", "categoryname")), "Category")
    return item.first("eventid", "id", "slug")


def _moment(item: Item, name: str, zone: tzinfo | None, builder: EventBuilder) -> str:
    return moment(item.first(name), zone, builder.answer.country)


GROWTHZONE = Platform(
    name="growthzone",
    label="GrowthZone",
    shown_by="scripts, frames or links of GrowthZone or ChamberMaster beside a link to `/events`",
    feed_at="`/api/events`, `/events/rss`",
    accept="application/json;q=0.8, application/xml, text/xml",
    signs=signs,
    address=unchanged,
    read=read,
)

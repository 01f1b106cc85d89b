"""GrowthZone (ChamberMaster), of chambers of commerce: all events as XML or JSON, or RSS with dates."""

from __future__ import annotations

import re
from datetime import tzinfo

from gleanery.extraction.calendars.wording import plain
from gleanery.extraction.values.countries import zone_of
from gleanery.feeds.addresses import at_root, each_once, host_of, path_of, unchanged
from gleanery.feeds.answers.events import Collector, Sheet
from gleanery.feeds.answers.moments import moment
from gleanery.feeds.answers.shape import Record, json_of, listed, shape_of
from gleanery.feeds.answers.syndication import ROOTS, syndicated_reading
from gleanery.feeds.answers.xml import Item, read_xml
from gleanery.feeds.platform import Answer, Markup, NotThisPlatform, Platform, Reading, Sign
from gleanery.text import clean_text

API = "/api/events"
RSS = "/events/rss"

_MARK = re.compile(r"growthzone|chambermaster", re.IGNORECASE)
_EVENTS = re.compile(r"/events(?:/(?:details|calendar|search|index)\b.*|/?)")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """On a page that GrowthZone made or embeds: the host whose events it links, often another of the chamber."""
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


def read(answer: Answer) -> Reading:
    text = answer.text.lstrip("\ufeff \t\r\n")
    if not text.startswith("<"):
        given = json_of(answer)
        items = [_item(each) for each in listed(given, "The list of events")]
        problem = ""
    else:
        found = read_xml(text, "eventdisplay")
        if found.root in ROOTS:
            return syndicated_reading(answer, "growthzone")
        if not found.root.startswith("arrayof") and not found.items:
            raise NotThisPlatform(f"A list of events was expected; what came is {shape_of(answer)}.")
        items, problem = found.items, found.problem
    collected = Collector(answer, "growthzone", _read).collect(items)
    problems = (*filter(None, (problem,)), *collected.problems)
    return Reading(drafts=collected.drafts, contacts=collected.contacts, problems=problems)


def _item(given: object) -> Item:
    """A JSON object as the XML would have it: names in small letters, values as text."""
    item = Item()
    record = Record(given if isinstance(given, dict) else {})
    for name in record.given:
        if value := record.text(str(name), limit=10_000, multiline=True):
            item.put(str(name).lower(), value)
        elif (flag := record.raw(str(name))) is True:
            item.put(str(name).lower(), str(flag).lower())
    return item


def _read(item: Item, sheet: Sheet) -> str:
    zone = zone_of(sheet.answer.country)
    sheet.put_name(plain(item.first("name")), "Name")
    sheet.put_times(
        _moment(item, "startdate", zone, sheet),
        _moment(item, "enddate", zone, sheet),
        "StartDate",
        whole_days=item.first("isalldayevent").lower() == "true",
    )
    sheet.put("description", plain(item.first("description", "shortdescription")), "Description")
    location = clean_text(plain(item.first("location", "address")), limit=500, multiline=True)
    sheet.put_place(location, "Location", venue=plain(item.first("locationname", "venue")))
    sheet.put("organizer_name", plain(item.first("organizationname", "hostname")), "OrganizationName")
    sheet.put_cost(plain(item.first("admission", "cost")), "Admission")
    slug = item.first("slug")
    sheet.put_url("url", item.first("url") or (f"/events/details/{slug}" if slug else ""), "Slug")
    sheet.put_url("image_url", item.first("imageurl", "logourl"), "ImageUrl")
    sheet.put_keywords(map(plain, item.all("category", "categoryname")), "Category")
    return item.first("eventid", "id", "slug")


def _moment(item: Item, name: str, zone: tzinfo | None, sheet: Sheet) -> str:
    return moment(item.first(name), zone, sheet.answer.country)


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

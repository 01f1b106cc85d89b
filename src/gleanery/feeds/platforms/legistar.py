"""Legistar, used by councils: meetings of a client from today on, in local time."""

from __future__ import annotations

import re
from datetime import date

from gleanery.extraction.calendars.plain_text import status_in
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso, local
from gleanery.feeds.addresses import host_of, path_of, query_of, with_query
from gleanery.feeds.answers.event_builder import EventBuilder, EventCollector, as_records
from gleanery.feeds.answers.json_records import Record, parse_json, require_list
from gleanery.feeds.answers.timestamps import DAY
from gleanery.feeds.platform import Answer, AnswerContent, Markup, Platform, Sign

HOST = "webapi.legistar.com"
OWN = "legistar.com"
NO_CLIENTS = frozenset({"www", "webapi", "support", "help", "admin", "accounts"})
SIZE = 500
MOST_SKIPPED = 5_000
MOST = 3

_CLIENT = re.compile(r"[a-z0-9-]{1,60}")
_API = re.compile(r"/v1/([A-Za-z0-9-]{1,60})/events/?", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return clients by the host of their pages, as guesses."""
    addresses = (markup.url, *markup.frames, *(link.href for link in markup.links))
    clients: dict[str, bool] = {}
    for url in addresses:
        host = host_of(url)
        if host == HOST and (found := _API.fullmatch(path_of(url))):
            clients[found[1]] = False
        client = host.removesuffix(f".{OWN}")
        if client != host and client not in NO_CLIENTS and _CLIENT.fullmatch(client):
            clients.setdefault(client, True)
    signs_found = (
        Sign(url=f"https://{HOST}/v1/{name}/events", title=name, guess=guess) for name, guess in clients.items()
    )
    return tuple(signs_found)[:MOST]


def address(url: str, day: date) -> str:
    asked = {"$filter": f"EventDate ge datetime'{day.isoformat()}'", "$orderby": "EventDate,EventId", "$top": str(SIZE)}
    return with_query(url, asked)


def read(answer: Answer) -> AnswerContent:
    given = require_list(parse_json(answer), "The list of meetings")
    found = EventCollector(answer, "legistar", _read).collect(as_records(given))
    skipped = query_of(answer.url).get("$skip", "0")
    before = int(skipped) if skipped.isascii() and skipped.isdigit() and len(skipped) < len(str(SIZE)) + 2 else 0
    following = ""
    if len(given) >= SIZE and found.drafts and before < MOST_SKIPPED:
        following = with_query(answer.url, {"$skip": str(before + SIZE)})
    return AnswerContent(drafts=found.drafts, contacts=found.contacts, follows=following, problems=found.problems)


def _read(event: Record, builder: EventBuilder) -> str:
    builder.put_name(event.text("EventBodyName"), "EventBodyName")
    # Cancellations are noted in place of the time, room or agenda.
    for name in ("EventTime", "EventAgendaStatusName", "EventComment"):
        builder.put("event_status", status_in(event.text(name))[1], name)
    location, status = status_in(event.text("EventLocation"))
    builder.put("event_status", status, "EventLocation")
    day = iso(event.text("EventDate"))[:DAY]
    at = local(date.fromisoformat(day), event.text("EventTime"), zone_of(builder.answer.country)) if day else ""
    builder.put_times(at or day, "", "EventDate")
    builder.put_place(location, "EventLocation")
    builder.put("description", event.text("EventComment", limit=5_000, multiline=True), "EventComment")
    builder.put_url("url", event.text("EventInSiteURL", limit=2_000), "EventInSiteURL")
    builder.put("organizer_name", event.text("EventBodyName"), "EventBodyName")
    own = event.text("EventId")
    client = _API.fullmatch(path_of(builder.answer.url))
    return f"{client[1].lower()}:{own}" if client and own else own


LEGISTAR = Platform(
    name="legistar",
    label="Legistar",
    shown_by="links to CLIENT.legistar.com",
    feed_at="`/v1/CLIENT/events`",
    accept="application/json",
    hosts=(HOST,),
    signs=signs,
    address=address,
    read=read,
)

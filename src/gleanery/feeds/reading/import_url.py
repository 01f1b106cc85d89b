"""Fetches an address for import: a file, by name or media type, or a feed."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.feeds.reading.checking import CheckedFeed, address_of, run, run_now
from gleanery.feeds.reading.requests import request_for_url
from gleanery.net.exchange import Response

ENDINGS = {"csv": "csv", "tsv": "csv", "jsonl": "jsonl", "ndjson": "jsonl", "ics": "icalendar", "ical": "icalendar"}
TYPES = {
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/jsonl": "jsonl",
    "application/x-ndjson": "jsonl",
    "text/calendar": "icalendar",
}
HTML = "text/html"


class FetchedFile(NamedTuple):
    form: str
    body: bytes


def fetch_import(url: str) -> FetchedFile | CheckedFeed:
    """Fetch an address with the rules and limits of feeds."""
    feed_request = request_for_url(address_of(url))
    if len(feed_request.platforms) == 1:
        return run(feed_request)
    response = run_now(lambda feed_client: feed_client.fetch(feed_request))
    form = form_of(response)
    return FetchedFile(form, response.body) if form else run(feed_request, response)


def form_of(response: Response) -> str:
    """Return the file format by media type or name; web pages have none."""
    ending = response.url.partition("?")[0].rpartition(".")[2].lower()
    by_name = ENDINGS.get(ending, "") if response.media_type != HTML else ""
    return TYPES.get(response.media_type) or by_name

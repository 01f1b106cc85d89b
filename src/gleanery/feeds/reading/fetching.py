"""What stands at an address that somebody imports: a file, by its name or type, or the answer of a platform."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.feeds.reading.checking import Checked, address_of, at_once, run
from gleanery.feeds.reading.errand import errand_to
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


class File(NamedTuple):
    form: str
    body: bytes


def fetch(url: str) -> File | Checked:
    """Asked as a feed would be: by the rules of its host, and within the same limits."""
    errand = errand_to(address_of(url))
    if len(errand.platforms) == 1:
        return run(errand)
    response = at_once(lambda crew: crew.fetch(errand))
    form = form_of(response)
    return File(form, response.body) if form else run(errand, response)


def form_of(response: Response) -> str:
    """A page that only has the name of a file is none."""
    ending = response.url.partition("?")[0].rpartition(".")[2].lower()
    by_name = ENDINGS.get(ending, "") if response.media_type != HTML else ""
    return TYPES.get(response.media_type) or by_name

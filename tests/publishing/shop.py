"""Published records in few words: what the tests of lists and searches begin with."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import parse_qsl

from django.utils import timezone

from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import read
from gleanery.resolution.models import Record
from tests.resolution.shop import WORDS, record_of, tell


def day(ahead: int) -> str:
    return f"{timezone.now().date() + timedelta(days=ahead)}"


def add(name: str, kind: str = "event", who: str = "a", **payload: object) -> Record:
    told: dict[str, object] = {
        "name": name,
        "locality": "Sofia",
        "venue_name": f"House {WORDS[len(name) % len(WORDS)]}",
    }
    if kind == "event":
        told["start"] = day(3)
    told |= payload
    return record_of(tell(who, kind, name, **{key: value for key, value in told.items() if value is not None}))


def found(query: str = "") -> list[str]:
    """Names on the first page of a search, in its order."""
    hits = statements.search(read(dict(parse_qsl(query))), timezone.now().date())
    return [each.name for each in hits.rows]

"""Examples of answers, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any

_ID, _PLACE = "019a9d2e-7c1b-7d61-9c55-3f0b8a1f2c10", "019a9d2e-7c1b-7a02-8f1e-51d2c4b7e9aa"
_ROOT = "https://example.org"

RECORD: dict[str, Any] = {
    "id": _ID,
    "kind": "event",
    "name": "Jazz Night",
    "fields": {"start": "2027-03-12T19:00:00+02:00", "venue_name": "The Rex", "locality": "Sofia", "cost": "12 lv"},
    "start_date": "2027-03-12",
    "deadline": None,
    "place": {"id": _PLACE, "name": "The Rex", "link": f"{_ROOT}/api/v1/records/{_PLACE}"},
    "organization": None,
    "published_at": "2026-11-02T08:15:00Z",
    "updated_at": "2026-11-18T04:30:12Z",
    "links": {
        "self": f"{_ROOT}/api/v1/records/{_ID}",
        "html": f"{_ROOT}/records/{_ID}/jazz-night/",
        "jsonld": f"{_ROOT}/api/v1/records/{_ID}.jsonld",
        "ics": f"{_ROOT}/records/{_ID}/calendar.ics",
    },
}
PAGE: dict[str, Any] = {"items": [RECORD], "next_cursor": None, "facets": None}
DETAIL: dict[str, Any] = {
    **RECORD,
    "provenance": {
        "start": {"source": "rex.example", "link": "https://rex.example/jazz", "last_seen": "2026-11-18T04:30:12Z"},
        "cost": {"source": None, "link": None, "last_seen": None},
    },
    "sources": [
        {
            "name": "rex.example",
            "link": "https://rex.example/jazz",
            "last_seen": "2026-11-18T04:30:12Z",
            "not_listed_since": None,
        }
    ],
    "occurrences": [{"start": "2027-03-12T17:00:00Z", "end": None}],
    "last_confirmed": "2026-11-18T04:30:12Z",
    "unconfirmed_since": None,
}
JSON_LD: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "Event",
    "@id": RECORD["links"]["html"],
    "name": "Jazz Night",
    "startDate": "2027-03-12T19:00:00+02:00",
}
CHANGE: dict[str, Any] = {
    "number": 4711,
    "change": "updated",
    "at": "2026-11-18T04:30:12Z",
    "record": _ID,
    "kind": "event",
    "fields": ["cost", "start"],
    "into": None,
    "link": f"{_ROOT}/api/v1/records/{_ID}",
    "data": None,
}
CHANGES: dict[str, Any] = {"items": [CHANGE], "next_cursor": "NDcxMQ", "has_more": False}
SNAPSHOT: dict[str, Any] = {"items": [RECORD], "next_cursor": None, "changes_cursor": "NDcxMQ"}

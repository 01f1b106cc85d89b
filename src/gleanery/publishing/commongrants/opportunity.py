"""A funding programme as an opportunity of CommonGrants. Pure."""

from __future__ import annotations

from datetime import UTC, date
from typing import Any

from gleanery.extraction.values import clock
from gleanery.extraction.values.clock import Moment
from gleanery.publishing.showing.addresses import path_of, safe_link
from gleanery.publishing.showing.reading import Published

Json = dict[str, Any]
CURRENCY = 3  # letters of an ISO 4217 code


def opportunity(of: Published, root: str, today: date) -> Json:
    record, fields = of.record, of.fields
    return _filled(
        {
            "id": str(record.pk),
            "title": record.name,
            "status": {"value": status(of, today)},
            "funding": _funding(fields),
            "funders": _funders(of),
            "keyDates": _dates(fields),
            "source": safe_link(fields.get("url")) or safe_link(fields.get("public_url")),
            "customFields": _custom(of, root),
            "createdAt": _utc(record.created_at),
            "lastModifiedAt": _utc(record.updated_at),
        }
    ) | {"description": str(fields.get("description") or "")}


def status(of: Published, today: date) -> str:
    if of.record.deadline is not None and of.record.deadline < today:
        return "closed"
    opens = of.record.start_date
    return "forecasted" if opens is not None and opens > today else "open"


def _funding(fields: Json) -> Json:
    currency = str(fields.get("currency") or "")
    if len(currency) != CURRENCY:
        return {}
    amounts = {"minAwardAmount": fields.get("amount_min"), "maxAwardAmount": fields.get("amount_max")}
    return {
        name: {"amount": str(value), "currency": currency.upper()}
        for name, value in amounts.items()
        if value is not None
    }


def _funders(of: Published) -> Json:
    """Only one that has a record: a reference needs an id."""
    funder = of.organization
    return {"primary": {"id": str(funder.pk), "name": funder.name}} if funder is not None else {}


def _dates(fields: Json) -> Json:
    country = str(fields.get("country") or "")
    found = {name: clock.read(text, country) for name in ("deadline", "start", "end") if (text := fields.get(name))}
    events = {name: _event(name, moment) for name, moment in found.items() if moment is not None}
    others = {name: event for name, event in events.items() if name != "deadline"}
    return _filled({"closeDate": events.get("deadline"), "otherDates": others})


def _event(name: str, moment: Moment) -> Json:
    words = {"deadline": "Deadline", "start": "Start", "end": "End"}
    event = {"name": words[name], "eventType": "singleDate", "date": f"{moment.day}"}
    return event if moment.wall is None else event | {"time": f"{moment.wall:%H:%M:%S}"}


def _custom(of: Published, root: str) -> Json:
    texts = {
        "eligibility": of.fields.get("eligibility"),
        "funderName": of.fields.get("funder_name"),
        "page": root + path_of(of.record.pk, of.record.name),
    }
    return {name: {"name": name, "fieldType": "string", "value": str(text)} for name, text in texts.items() if text}


def _utc(moment: Any) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _filled(value: Json) -> Json:
    return {name: each for name, each in value.items() if each not in (None, "", [], {})}

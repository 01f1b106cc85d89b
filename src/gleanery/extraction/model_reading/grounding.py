"""Grounding of model answers: keeps only values that appear in the text of the page. Pure."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.generated_ids import generated_id
from gleanery.extraction.values.amounts import find_amounts
from gleanery.extraction.values.dates import Dates, Reader, find_dates, iso
from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.iso import is_before
from gleanery.extraction.values.phones import e164

MOMENTS = ("start", "end", "deadline")
SHORTEST = 2
_LETTERS = re.compile(r"[\W_]+")


class GroundingPage:
    """The text shown to the model, prepared for looking up values."""

    def __init__(self, url: str, text: str, *, fetched: date, country: str, language: str) -> None:
        self.url = url
        self.country = country
        self.reader = Reader(today=fetched, language=language, country=country)
        self._text = f" {simplified(text)} "

    def says(self, value: str) -> bool:
        """Return True if the value appears in the text as whole words."""
        looked_for = simplified(value)
        return len(looked_for) >= SHORTEST and f" {looked_for} " in self._text


def simplified(text: str) -> str:
    """Return the text in lower case, with punctuation and spaces folded to single spaces."""
    return _LETTERS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def grounded_drafts(form: dict[str, list[dict[str, str]]], page: GroundingPage) -> list[Draft]:
    """Return drafts with values that are on the page. Things without a name and events without a date are dropped."""
    found = [draft for kind, things in form.items() for each in things if (draft := _draft(kind, each, page))]
    return list({(each.kind, each.external_id): each for each in reversed(found)}.values())[::-1]


def _draft(kind: str, thing: dict[str, str], page: GroundingPage) -> Draft | None:
    written = {name: value for name, value in thing.items() if value and page.says(value)}
    if "name" not in written:
        return None
    fields: dict[str, Any] = {}
    for name, value in written.items():
        fields |= _normal(name, value, page)
    if kind == "event" and "start" not in fields:
        return None
    # An end before the start was misread.
    if "end" in fields and "start" in fields and is_before(fields["end"], fields["start"]):
        del fields["end"]
    evidence = {
        name: f"the model, from the text: {written.get(name) or written.get('amount', '')}"[:300] for name in fields
    }
    return Draft(
        kind=kind,
        external_id=generated_id(kind, page.url, fields["name"], str(fields.get("start", ""))),
        fields=fields,
        evidence=evidence,
        extractor="model",
        original=thing,
    )


def _normal(name: str, value: str, page: GroundingPage) -> dict[str, Any]:
    """Parse a copied value with the same rules as text on a page."""
    if name in MOMENTS:
        return _moment(name, value, page)
    if name == "amount":
        return _sum(value)
    if name == "phone":
        number = e164(value, page.country)
        return {"phone": number} if number else {}
    if name == "email":
        mails = find_emails(value)
        return {"email": value.strip().lower()} if len(mails) == 1 else {}
    return {name: value.strip()}


def _moment(name: str, value: str, page: GroundingPage) -> dict[str, Any]:
    found = find_dates(value, page.reader)
    if not found:
        return {}
    first: Dates = found[0]
    begin = first.times.start if first.times else None
    fields = {name: iso(first.start, begin, country=page.country)}
    if name == "start" and first.end:
        fields["end"] = iso(first.end, None, country=page.country)
    return fields


def _sum(value: str) -> dict[str, Any]:
    sums = find_amounts(value)
    if len(sums) != 1:
        return {}
    only = sums[0]
    fields = {"amount_min": only.least, "amount_max": only.most, "currency": only.currency}
    return {name: each for name, each in fields.items() if each}

"""The page of one record as its template shows it: facts first, then the text, its sources and what else is on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.utils.functional import Promise

from gleanery.kinds import REFERENCED
from gleanery.publishing.showing import moments
from gleanery.publishing.showing.addresses import host_of, path_of, safe_link, with_path
from gleanery.publishing.showing.cards import Card, card
from gleanery.publishing.showing.facts import Fact, clocks_of, facts, map_of, status_of, website_of
from gleanery.publishing.showing.kinds import FIELD_WORDS, KIND_WORDS
from gleanery.publishing.showing.moments import There
from gleanery.publishing.showing.reading import Published, Said

Span = tuple[There, There | None]
SUMMARY = 200
FIRST_DATES = 12


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    link: str
    says: str
    seen: str
    gone: str  # since when it no longer lists it


@dataclass(frozen=True, slots=True)
class Page:
    kind: str
    eyebrow: str | Promise
    soon: str
    name: str
    path: str
    status: str | Promise
    summary: str
    description: str
    facts: list[Fact]
    dates: list[str]
    later_dates: list[str]
    sources: list[Source]
    keywords: list[str]
    at_place: tuple[str, list[Card]]
    by_organization: tuple[str, list[Card]]
    is_named: bool  # a place or an organisation: what is on there comes before who says so
    website: str
    source_page: str  # where to read more of what has no page of its own
    map: str
    has_calendar: bool
    unlisted: str  # since when no source lists it
    changed: datetime


def page(of: Published, today: date) -> Page:
    fields, record = of.fields, of.record
    told = facts(of, today)
    description = str(fields.get("description") or "")
    clocks = clocks_of(of)
    spans = [(clocks.at(start), clocks.at(end) if end else None) for start, end in of.spans]
    dates = [moments.told_span(*each) for each in spans if (each[1] or each[0]).day >= today]
    sources = _sources(of, today)
    return Page(
        kind=record.kind,
        eyebrow=KIND_WORDS[record.kind].one,
        soon=_soon(of, spans, today),
        name=record.name,
        path=path_of(record.pk, record.name),
        status=status_of(fields),
        summary=_short(" · ".join([each.text for each in told[:3]]) + (f". {description}" if description else "")),
        description=description,
        facts=told,
        dates=dates[:FIRST_DATES] if len(spans) > 1 else [],
        later_dates=dates[FIRST_DATES:],
        sources=sources,
        keywords=[str(each) for each in fields.get("keywords") or () if isinstance(each, str)][:20],
        at_place=_related(of, today, "place"),
        by_organization=_related(of, today, "organization"),
        is_named=record.kind in REFERENCED,
        website=website_of(fields),
        source_page=sources[0].link if sources and record.kind not in REFERENCED else "",
        map=map_of(of),
        has_calendar=bool(of.spans or record.deadline),
        unlisted=moments.told_day(since.date()) if (since := of.freshness.unconfirmed_since) else "",
        changed=_changed(of, today),
    )


def _soon(of: Published, spans: list[Span], today: date) -> str:
    """Return "tomorrow" or the like for what takes place or closes within days."""
    coming = (start.day for start, end in spans if (end or start).day >= today)
    day = next(coming, None) or of.record.deadline
    return moments.told_distance(day, today) if day else ""


def _related(of: Published, today: date, role: str) -> tuple[str, list[Card]]:
    named, listed = (of.place, of.at_place) if role == "place" else (of.organization, of.by_organization)
    return (named.name if named is not None else ""), [card(each, today) for each in listed]


def _sources(of: Published, today: date) -> list[Source]:
    """Each page of a source once: a venue is named by every event there."""
    told: dict[tuple[str, str], list[Said]] = {}
    for said in of.said:
        link = safe_link(said.page) or safe_link(said.url) or (f"https://{said.domain}/" if said.domain else "")
        told.setdefault((host_of(link) if link and said.page else said.source, link), []).append(said)
    hosts = Counter(name for name, _ in told)
    return [
        _source(with_path(name, link) if hosts[name] > 1 else name, link, each, of, today)
        for (name, link), each in told.items()
    ]


def _source(name: str, link: str, said: list[Said], of: Published, today: date) -> Source:
    ids = {each.id for each in said}
    ours = [field for field, origin in of.record.provenance.items() if origin.get("id") in ids]
    gone = [each.not_seen_since for each in said if each.not_seen_since is not None]
    return Source(
        name=name,
        link=link,
        says=", ".join(dict.fromkeys(str(FIELD_WORDS[field]) for field in ours if field in FIELD_WORDS)),
        seen=moments.told_ago(max(each.last_seen for each in said), today),
        gone=moments.told_day(max(gone).date()) if len(gone) == len(said) else "",
    )


def _changed(of: Published, today: date) -> datetime:
    """When something on this page last changed: some words on it change at midnight."""
    midnight = datetime.combine(today, time.min, UTC)
    records: Iterable[datetime] = (each.updated_at for each in (of.record, of.place, of.organization) if each)
    return max([midnight, *records, *(each.last_seen for each in of.said)])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SUMMARY else text[: SUMMARY - 1].rstrip() + "…"

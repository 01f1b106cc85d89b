"""Dossier of a source: everything that helps to decide about it, computed whenever it is shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from gleanery.accounts.models import JournalEntry
from gleanery.crawling import numbers
from gleanery.crawling import services as crawling
from gleanery.crawling.models import Crawl, Page, Snapshot, Visit
from gleanery.domains.life import APPROVAL, BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.domains.submissions.submitting import submissions_of
from gleanery.extraction.contacts.domain_contacts import DomainContact, contacts_of
from gleanery.extraction.models import Observation, PreviewFind
from gleanery.feeds.feed_details import feed_details
from gleanery.feeds.services import feeds_of
from gleanery.judging.models import Candidate
from gleanery.judging.services import evidence_of
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import LIVE
from gleanery.review.sources import pace

MOST_SUBMISSIONS = 10
MOST_EVIDENCE = 5
MOST_PAGES = 20
MOST_LINKS = 30
MOST_RECORDS = 30
MOST_CONTACTS = 50
MOST_SIBLINGS = 20
MOST_DECISIONS = 20


@dataclass(frozen=True, slots=True)
class Evidence:
    confidence: Decimal | None
    title: str
    url: str
    sentences: list[str]


@dataclass(frozen=True, slots=True)
class Judged:
    topic: str
    confidence: Decimal
    organization: str
    programme: str
    evidence: list[Evidence]


@dataclass(frozen=True, slots=True)
class SubmissionText:
    """Text of one submission; a source may have several."""

    at: datetime
    given: str
    context: str


@dataclass(frozen=True, slots=True)
class Submitted:
    by: str
    submitter_type: str
    context: str
    also: list[SubmissionText]


@dataclass(frozen=True, slots=True)
class PreviewPage:
    url: str
    title: str
    status: int | None
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Preview of a source; `state` is that of the crawl or `none`, `sentence` explains it to the reviewer."""

    state: str
    sentence: str
    at: datetime | None
    pages: list[PreviewPage]


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """Record of the source, or a find of its preview, which has no record and no status yet."""

    kind: str
    name: str
    day: date | None
    status: str
    record: UUID | None


@dataclass(frozen=True, slots=True)
class Sibling:
    name: str
    approval_status: str
    processing_status: str
    reason: str
    at: datetime | None
    by: str


@dataclass(frozen=True, slots=True)
class EarlierDecision:
    """Journal entry about this domain."""

    at: datetime
    by: str
    action: str
    reason: str


@dataclass(frozen=True, slots=True)
class Dossier:
    domain: str
    judged: Judged | None
    submitted: Submitted | None
    preview: Preview
    outbound: list[tuple[str, int]]
    types: list[tuple[str, int]]
    records: list[FoundRecord]
    contacts: list[DomainContact]
    feeds: list[dict[str, Any]]
    siblings: list[Sibling]
    decisions: list[EarlierDecision]
    settings: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def dossier_of(domain: Domain) -> Dossier:
    candidate = Candidate.objects.select_related("topic").filter(domain=domain).first()
    crawl = _last_crawl(domain)
    outbound, types = _found_on(domain)
    return Dossier(
        domain=domain.name,
        judged=_judged(candidate) if candidate else None,
        submitted=_submitted(domain),
        preview=_preview(domain, crawl),
        outbound=outbound,
        types=types,
        records=_records(domain),
        contacts=contacts_of(domain)[:MOST_CONTACTS],
        feeds=[feed_details(each) for each in feeds_of(domain)],
        siblings=_siblings(domain),
        decisions=_decisions(domain),
        settings=pace.settings_of(domain),
    )


def _judged(candidate: Candidate) -> Judged:
    """Return the best judgement per page, because several engines may have found the same one."""
    best = {each.result.url: each for each in reversed(evidence_of(candidate))}
    judgements = sorted(best.values(), key=lambda each: (each.confidence or Decimal(), each.result.url), reverse=True)
    evidence = [
        Evidence(each.confidence, each.result.title, each.result.url, [score["explanation"] for score in each.scores])
        for each in judgements[:MOST_EVIDENCE]
    ]
    return Judged(candidate.topic.name, candidate.confidence, candidate.organization, candidate.programme, evidence)


def _submitted(domain: Domain) -> Submitted | None:
    person = domain.submitted_by
    if person is None and domain.submitter_type == "system":
        return None
    rows = submissions_of(domain)[: MOST_SUBMISSIONS + 1]
    context = domain.submission_context
    also = [SubmissionText(each.created_at, each.given, each.context) for each in rows if each.context != context]
    return Submitted(str(person or "somebody"), domain.submitter_type, context, also[:MOST_SUBMISSIONS])


def _last_crawl(domain: Domain) -> Crawl | None:
    """Return the newest crawl with results; crawls of single pages are left out."""
    crawls = Crawl.objects.filter(domain=domain).exclude(kind="url")
    visited = Visit.objects.filter(crawl=OuterRef("pk")).exclude(state="queued")
    return crawls.filter(Exists(visited)).order_by("-id").first() or crawls.order_by("-id").first()


def _preview(domain: Domain, crawl: Crawl | None) -> Preview:
    if crawl is None:
        return Preview("none", _why_none(domain), None, [])
    visits = crawl.visits.filter(kind="page").select_related("snapshot").exclude(state="queued")
    pages = [
        PreviewPage(each.url, each.snapshot.title if each.snapshot else "", each.status, each.state, each.reason)
        for each in visits.defer("snapshot__raw", "snapshot__text").order_by("depth", "id")[:MOST_PAGES]
    ]
    sentence = f"{_outcome(crawl, pages)} {numbers.made_by_scripts(domain.pk)}".strip()
    return Preview(crawl.status, sentence, crawl.completed_at or crawl.started_at, pages)


def _why_none(domain: Domain) -> str:
    if not settings.ENVIRONMENT.preview_pages:
        return "Previews are off (GLEANERY_PREVIEW_PAGES is 0)."
    if domain.approval_status != "pending_review" or domain.processing_status == BLACKLISTED:
        return "It has not been crawled yet."
    if not crawling.previews_left():
        return "Today's previews are used up. This one follows on another day."
    return "The preview starts soon."


def _outcome(crawl: Crawl, pages: list[PreviewPage]) -> str:
    what = "preview" if crawl.kind == "preview" else "crawl"
    if crawl.status in ("waiting", "running"):
        return f"The {what} is {'running' if crawl.status == 'running' else 'waiting for a worker'}."
    if crawl.status == "failed":
        return f"The {what} failed: {crawl.end_reason}"
    if crawl.status == "cancelled":
        return f"The {what} was stopped. {crawl.end_reason}".strip()
    read = sum(page.state in ("stored", "unchanged") for page in pages)
    if not read:
        return f"The {what} is complete, but no pages could be read."
    return f"The {what} is complete: {read} page{'s' if read > 1 else ''} could be read."


def _found_on(domain: Domain) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return linked domains and types of structured data, each with the number of pages."""
    current = Page.objects.filter(domain=domain).values("current_snapshot")
    outbound: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for links, kinds in Snapshot.objects.filter(pk__in=current).values_list("outbound", "types"):
        outbound.update(set(map(str, links)))
        types.update(set(map(str, kinds)))
    return outbound.most_common(MOST_LINKS), types.most_common(MOST_LINKS)


def _records(domain: Domain) -> list[FoundRecord]:
    """Return the current records of the source, or before its approval the finds of its preview."""
    current = Observation.objects.filter(source__domain=domain, superseded_at=None, record__isnull=False)
    rows = Record.objects.filter(pk__in=current.values("record"), status__in=LIVE).order_by("-id")[:MOST_RECORDS]
    if rows:
        return [
            FoundRecord(each.kind, each.name, each.start_date or each.deadline, each.status, each.pk) for each in rows
        ]
    finds = PreviewFind.objects.filter(domain=domain).order_by("id")[:MOST_RECORDS]
    return [FoundRecord(each.kind, each.name, each.day, "", None) for each in finds]


def _siblings(domain: Domain) -> list[Sibling]:
    """Return decided domains with the same registrable name. Index: domain_registrable."""
    others = Domain.objects.filter(registrable=domain.registrable).exclude(pk=domain.pk)
    decided = others.filter(~Q(approval_status="none") | Q(processing_status=BLACKLISTED))
    rows = decided.select_related("reviewed_by", "blacklisted_by").order_by("name")[:MOST_SIBLINGS]
    return [_sibling(each) for each in rows]


def _sibling(domain: Domain) -> Sibling:
    is_black = domain.processing_status == BLACKLISTED
    by = domain.blacklisted_by if is_black else domain.reviewed_by
    return Sibling(
        name=domain.name,
        approval_status=domain.approval_status,
        processing_status=domain.processing_status,
        reason=domain.blacklist_reason if is_black else domain.rejection_reason,
        at=domain.blacklisted_at if is_black else domain.reviewed_at,
        by=str(by) if by else "",
    )


def _decisions(domain: Domain) -> list[EarlierDecision]:
    entries = JournalEntry.objects.filter(subject_kind="domain", subject_id=str(domain.pk))
    entries = entries.filter(action__in=(*APPROVAL.actions, "blacklist", "lift", "trust", "untrust", "configure"))
    rows = entries.exclude(action="propose").select_related("actor", "key").order_by("-id")[:MOST_DECISIONS]
    return [EarlierDecision(each.at, str(each.key or each.actor), each.action, each.reason) for each in rows]

"""Use cases of extraction: turn pages into observations, set the trust of sources, look up observations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import QuerySet

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.crawling.models import Crawl, Page
from gleanery.crawling.services import may_crawl
from gleanery.domains.life import BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.extraction import note_codes
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.feed_joining import JoinResult, join_pages_to_feeds, link_of
from gleanery.extraction.models import (
    HIGHEST_TRUST,
    LOWEST_TRUST,
    TRUST,
    TRUST_OF_TRUSTED,
    Flag,
    Observation,
    PreviewFind,
    Source,
)
from gleanery.extraction.running.batch import BatchExtractor, PageResult
from gleanery.extraction.running.extractor_pool import EXTRACTOR_VERSION, Extractor
from gleanery.extraction.storing import statements as storage
from gleanery.extraction.storing.feed_statements import feed_observations
from gleanery.extraction.storing.preview_finds import extract_preview_pages, preview_finds
from gleanery.extraction.storing.versions import Key, PreparedDraft, new_versions
from gleanery.extraction.write_lock import take_write_lock
from gleanery.roles import Role
from gleanery.sql import exclusive

log = structlog.get_logger(__name__)

BATCH_SIZE = 40
CRAWLS = ("full", "deep", "url")
ReportProgress = Callable[[int], None]


@dataclass(slots=True)
class Summary:
    """Counts of one extraction run over a domain."""

    pages: int = 0
    relevant: int = 0
    observations: int = 0
    new_versions: int = 0
    contacts: int = 0
    failures: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def extract_crawl(crawl: UUID) -> None:
    """Extract the pages of a finished crawl. Previews are excluded: their source is not approved yet."""
    row = Crawl.objects.select_related("domain").filter(pk=crawl, kind__in=CRAWLS).first()
    if row is not None and may_crawl(row.domain):
        extract_domain(row.domain)


def extract_preview(crawl: UUID) -> None:
    """Store the contacts and finds of a preview for the dossier. No records are made from it."""
    row = Crawl.objects.select_related("domain").filter(pk=crawl, kind="preview").first()
    if row is None or row.domain.approval_status != "pending_review" or row.domain.processing_status == BLACKLISTED:
        return
    domain = row.domain
    with exclusive("extraction", domain.pk):
        batch = storage.waiting_pages(domain.pk, EXTRACTOR_VERSION, again=False, after=storage.FIRST, most=BATCH_SIZE)
        found = extract_preview_pages(domain, batch)
        with transaction.atomic():
            PreviewFind.objects.filter(domain=domain).delete()
            PreviewFind.objects.bulk_create(preview_finds(domain, found))
            storage.store_contacts(domain.pk, _contacts(found))


def _contacts(found: list[PageResult]) -> dict[str, tuple[UUID, ContactDraft]]:
    return {key: (each.done.page, who) for each in reversed(found) for key, who in each.contacts.items()}


def extract_domain(domain: Domain, report_progress: ReportProgress = lambda count: None) -> Summary:
    """Extract every page whose current content was not yet read by the current extractors, from storage."""
    return _extract(domain, again=False, report_progress=report_progress)


def extract_again(domain: Domain, report_progress: ReportProgress = lambda count: None) -> Summary:
    """Extract every page of the domain again, from storage."""
    return _extract(domain, again=True, report_progress=report_progress)


def count_waiting(domain: Domain, *, again: bool = False) -> int:
    return storage.count_waiting(domain.pk, EXTRACTOR_VERSION, again=again)


def _extract(domain: Domain, *, again: bool, report_progress: ReportProgress) -> Summary:
    """Extract in batches, one run per domain at a time; a second run waits and takes what is left."""
    if not may_crawl(domain):
        raise Conflict(f"{domain.display} is not approved. Approve it to extract its pages.")
    summary = Summary()
    with exclusive("extraction", domain.pk):
        source = source_of(domain)
        after, most = storage.FIRST, BATCH_SIZE
        with asyncio.Runner() as runner:
            worker: BatchExtractor | None = None
            extractor = Extractor()
            try:
                while batch := storage.waiting_pages(domain.pk, EXTRACTOR_VERSION, again=again, after=after, most=most):
                    if worker is None:
                        runner.run(extractor.__aenter__())
                        worker = BatchExtractor(domain, extractor, runner)
                    _store_batch(source, worker.extract_pages(batch), summary)
                    after = batch[-1].page
                    report_progress(len(batch))
            finally:
                runner.run(extractor.close())
        with transaction.atomic():
            take_write_lock()
            storage.mark_unseen(domain.pk, source.pk)
            PreviewFind.objects.filter(domain=domain).delete()
            pipeline.finished("extraction", extraction=domain.pk)
    return summary


@transaction.atomic
def _store_batch(source: Source, found: list[PageResult], summary: Summary) -> None:
    """Store all results of a batch in one transaction.

    The write lock keeps intake out, so that a new version inherits the record of the version before.
    """
    assert source.domain_id is not None  # noqa: S101 - only crawled sources are extracted
    take_write_lock()
    prepared = [prepared for each in found for prepared in each.prepared]
    joined = _joined_with_feeds(source, found, prepared)
    passes = [_with_feed_keys(each.done, joined) for each in found]
    storage.store_passes(passes, [each.flag for each in found], EXTRACTOR_VERSION)
    versions = (
        new_versions(joined.separate, storage.current_versions(source.pk, (each.key for each in joined.separate)))
        + joined.versions
    )
    storage.store_observations(versions, source.pk, EXTRACTOR_VERSION)
    contacts = _contacts(found)
    storage.store_contacts(source.domain_id, contacts)
    summary.pages += len(found)
    summary.relevant += sum(each.flag.relevant for each in found)
    summary.observations += len(prepared)
    summary.new_versions += len(versions)
    summary.contacts += len(contacts)
    summary.failures += sum(each.done.failed for each in found)
    for each in prepared:
        summary.kinds[each.draft.kind] = summary.kinds.get(each.draft.kind, 0) + 1


def _joined_with_feeds(source: Source, found: list[PageResult], prepared: list[PreparedDraft]) -> JoinResult:
    urls: dict[UUID | None, str] = {each.done.page: each.url for each in found}
    links = {link_of(url) for each in prepared for url in (urls.get(each.page), each.draft.fields.get("url"))} - {""}
    return join_pages_to_feeds(prepared, urls, feed_observations(source.pk, links, (each.key for each in prepared)))


def _with_feed_keys(done: storage.PassRow, joined: JoinResult) -> storage.PassRow:
    """Return the pass with the ids that the feed uses for things which both describe."""
    names = {f"{kind} {key}": joined.keys.get((done.page, (kind, key)), (kind, key)) for kind, key in _keys(done)}
    return done._replace(said=list(dict.fromkeys(" ".join(names[each]) for each in done.said)))


def _keys(done: storage.PassRow) -> list[Key]:
    return [(kind, key) for kind, _, key in (each.partition(" ") for each in done.said)]


def source_of(domain: Domain) -> Source:
    """Return the source of a crawled domain, creating it on first use."""
    trust = TRUST_OF_TRUSTED if domain.is_trusted else TRUST
    # An import may already use the plain name.
    for name in (domain.name, f"{domain.name[:240]} (crawled)"):
        row = Source(domain=domain, kind="crawled", name=name, trust=trust)
        Source.objects.bulk_create([row], ignore_conflicts=True)
        if found := Source.objects.filter(domain=domain).first():
            return found
    raise Conflict(f"Another source is already called {domain.name} (crawled). Rename it and try again.")


def source_called(name: str) -> Source:
    source = Source.objects.filter(name=name).first()
    if source is None:
        raise NotFound(f"There is no source called {name}. See `gleanery source list`.")
    return source


def find_source(source_id: UUID) -> Source:
    source = Source.objects.filter(pk=source_id).first()
    if source is None:
        raise NotFound("There is no such source.")
    return source


@transaction.atomic
def set_trust(actor: Actor, source: Source, trust: int) -> Source:
    """Set the trust of a source. It no longer follows the trust of its domain."""
    actor.must_be(Role.ADMIN, "change the trust of a source")
    if not LOWEST_TRUST <= trust <= HIGHEST_TRUST:
        raise Invalid(f"Trust must be a number from {LOWEST_TRUST} to {HIGHEST_TRUST}.")
    # no_key: inserting observations locks this row for its foreign key, and would otherwise deadlock with us.
    row = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    if row.trust != trust or not row.is_trust_set:
        before = {"trust": row.trust}
        row.trust, row.is_trust_set = trust, True
        row.save(update_fields=["trust", "is_trust_set"])
        journal.write(actor, "set_trust", row, before=before, after={"trust": trust})
        pipeline.sources_changed([row.pk])
    return row


@transaction.atomic
def set_asks(actor: Actor, source: Source, codes: Collection[str]) -> Source:
    """Hold back new records with these notes. Published records stay; records no longer held back are published."""
    actor.must_be(Role.ADMIN, "change what is held back for review")
    asks = note_codes.check_codes(codes)
    row = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    if row.asks != asks:
        before, row.asks = {"asks": row.asks}, asks
        row.save(update_fields=["asks"])
        journal.write(actor, "set_asks", row, before=before, after={"asks": asks})
        pipeline.sources_changed([row.pk])
    return row


def follow_trust(domains: Collection[UUID]) -> None:
    """Update the trust of sources after a change of their domains, unless an admin has set it."""
    for source in (
        Source.objects.select_related("domain")
        .select_for_update(of=("self",), no_key=True)
        .filter(domain__in=domains, is_trust_set=False)
        .order_by("pk")
    ):
        assert source.domain is not None  # noqa: S101 - filtered by domain
        trust = TRUST_OF_TRUSTED if source.domain.is_trusted else TRUST
        if source.trust != trust:
            journal.write(system(), "set_trust", source, before={"trust": source.trust}, after={"trust": trust})
            Source.objects.filter(pk=source.pk).update(trust=trust)
            pipeline.sources_changed([source.pk])


def flag_of(page: Page) -> Flag | None:
    """Return the relevance flag of the current content, or None if it was not extracted yet."""
    return Flag.objects.select_related("topic").filter(snapshot=page.current_snapshot_id).first()


def find_observation(observation_id: UUID) -> Observation:
    found = Observation.objects.select_related("source", "page").filter(pk=observation_id).first()
    if found is None:
        raise NotFound("There is no such observation.")
    return found


def versions_of(observation: Observation) -> QuerySet[Observation]:
    """Return all versions of the observation, newest first."""
    same = Observation.objects.filter(source=observation.source_id, kind=observation.kind)
    return same.filter(external_id=observation.external_id).order_by("-version")


def observations_of(page: Page) -> QuerySet[Observation]:
    """Return current observations of the page, including those that it no longer lists."""
    latest = page.extractions.order_by("-extracted_at").first()
    keys = latest.said if latest else []
    rows = Observation.objects.select_related("source").filter(superseded_at=None, source__domain=page.domain_id)
    ids = [
        row_id
        for row_id, kind, key, of_page in rows.values_list("pk", "kind", "external_id", "page_id").filter(
            external_id__in=[key.partition(" ")[2] for key in keys]
        )
        if f"{kind} {key}" in keys
    ]
    return (rows.filter(pk__in=ids) | rows.filter(page=page)).order_by("kind", "external_id")

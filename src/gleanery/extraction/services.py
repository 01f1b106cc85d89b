"""Use cases of extraction: pages become observations, sources get and change their trust."""

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
from gleanery.extraction import habits
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.joining import Joined, join, link_of
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
from gleanery.extraction.running.batch import Finding, Worker
from gleanery.extraction.running.extractor_pool import EXTRACTOR_VERSION, Extractor
from gleanery.extraction.storing import statements as storage
from gleanery.extraction.storing.changes import Key, Said, to_keep
from gleanery.extraction.storing.feed_statements import fed
from gleanery.extraction.storing.preview_finds import finds, look_at_preview
from gleanery.extraction.turn import take_turn
from gleanery.roles import Role
from gleanery.sql import exclusive

log = structlog.get_logger(__name__)

AT_ONCE = 40
CRAWLS = ("full", "deep", "url")
Tell = Callable[[int], None]


@dataclass(slots=True)
class Summary:
    """What a run over a domain came to."""

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
    """After a crawl: what it brought, and what it found gone. A preview waits until its source is approved."""
    row = Crawl.objects.select_related("domain").filter(pk=crawl, kind__in=CRAWLS).first()
    if row is not None and may_crawl(row.domain):
        extract_domain(row.domain)


def extract_preview(crawl: UUID) -> None:
    """After a preview: its contacts, and what it tells of, for the dossier. Records come only of what is approved."""
    row = Crawl.objects.select_related("domain").filter(pk=crawl, kind="preview").first()
    if row is None or row.domain.approval_status != "pending_review" or row.domain.processing_status == BLACKLISTED:
        return
    domain = row.domain
    with exclusive("extraction", domain.pk):
        batch = storage.waiting(domain.pk, EXTRACTOR_VERSION, again=False, after=storage.FIRST, most=AT_ONCE)
        found = look_at_preview(domain, batch)
        with transaction.atomic():
            PreviewFind.objects.filter(domain=domain).delete()
            PreviewFind.objects.bulk_create(finds(domain, found))
            storage.store_contacts(domain.pk, _contacts(found))


def _contacts(found: list[Finding]) -> dict[str, tuple[UUID, ContactDraft]]:
    return {key: (each.done.page, who) for each in reversed(found) for key, who in each.contacts.items()}


def extract_domain(domain: Domain, tell: Tell = lambda count: None) -> Summary:
    """Every page whose present content the present extractors have not seen; no request is made."""
    return _extract(domain, again=False, tell=tell)


def extract_again(domain: Domain, tell: Tell = lambda count: None) -> Summary:
    """Every page of the domain once more, from what is stored."""
    return _extract(domain, again=True, tell=tell)


def count_waiting(domain: Domain, *, again: bool = False) -> int:
    return storage.count_waiting(domain.pk, EXTRACTOR_VERSION, again=again)


def _extract(domain: Domain, *, again: bool, tell: Tell) -> Summary:
    """One at a time for each domain: whoever comes second waits, and then finds the rest or nothing."""
    if not may_crawl(domain):
        raise Conflict(f"{domain.display} is not approved, so nothing is taken from it.")
    summary = Summary()
    with exclusive("extraction", domain.pk):
        source = source_of(domain)
        after, most = storage.FIRST, AT_ONCE
        with asyncio.Runner() as runner:
            worker: Worker | None = None
            extractor = Extractor()
            try:
                while batch := storage.waiting(domain.pk, EXTRACTOR_VERSION, again=again, after=after, most=most):
                    if worker is None:
                        runner.run(extractor.__aenter__())
                        worker = Worker(domain, extractor, runner)
                    _keep(source, worker.look_at(batch), summary)
                    after = batch[-1].page
                    tell(len(batch))
            finally:
                runner.run(extractor.close())
        with transaction.atomic():
            take_turn()
            storage.mark(domain.pk, source.pk)
            PreviewFind.objects.filter(domain=domain).delete()
            pipeline.finished("extraction", extraction=domain.pk)
    return summary


@transaction.atomic
def _keep(source: Source, found: list[Finding], summary: Summary) -> None:
    """A batch with all that follows from it: a kill leaves all of it or nothing.

    Nobody gives these things their records meanwhile: a new version would miss that of the one before.
    """
    assert source.domain_id is not None  # noqa: S101 - only crawled sources are extracted
    take_turn()
    said = [said for each in found for said in each.said]
    joined = _joined_with_feeds(source, found, said)
    passes = [_as_feeds_call_them(each.done, joined) for each in found]
    storage.store_passes(passes, [each.flag for each in found], EXTRACTOR_VERSION)
    kept = to_keep(joined.apart, storage.current(source.pk, (each.key for each in joined.apart))) + joined.kept
    storage.store_observations(kept, source.pk, EXTRACTOR_VERSION)
    contacts = _contacts(found)
    storage.store_contacts(source.domain_id, contacts)
    summary.pages += len(found)
    summary.relevant += sum(each.flag.relevant for each in found)
    summary.observations += len(said)
    summary.new_versions += len(kept)
    summary.contacts += len(contacts)
    summary.failures += sum(each.done.failed for each in found)
    for each in said:
        summary.kinds[each.draft.kind] = summary.kinds.get(each.draft.kind, 0) + 1


def _joined_with_feeds(source: Source, found: list[Finding], said: list[Said]) -> Joined:
    urls: dict[UUID | None, str] = {each.done.page: each.url for each in found}
    links = {link_of(url) for each in said for url in (urls.get(each.page), each.draft.fields.get("url"))} - {""}
    return join(said, urls, fed(source.pk, links, (each.key for each in said)))


def _as_feeds_call_them(done: storage.Done, joined: Joined) -> storage.Done:
    """What a page says of a feed's things it says of these."""
    names = {f"{kind} {key}": joined.keys.get((done.page, (kind, key)), (kind, key)) for kind, key in _keys(done)}
    return done._replace(said=list(dict.fromkeys(" ".join(names[each]) for each in done.said)))


def _keys(done: storage.Done) -> list[Key]:
    return [(kind, key) for kind, _, key in (each.partition(" ") for each in done.said)]


def source_of(domain: Domain) -> Source:
    """The source that a crawled domain is, made when it first says something."""
    trust = TRUST_OF_TRUSTED if domain.is_trusted else TRUST
    # The plain name may have been given to an import.
    for name in (domain.name, f"{domain.name[:240]} (crawled)"):
        row = Source(domain=domain, kind="crawled", name=name, trust=trust)
        Source.objects.bulk_create([row], ignore_conflicts=True)
        if found := Source.objects.filter(domain=domain).first():
            return found
    raise Conflict(f"Another source is called {domain.name} (crawled): rename it.")


def source_called(name: str) -> Source:
    source = Source.objects.filter(name=name).first()
    if source is None:
        raise NotFound(f"There is no source called {name}. `gleanery source list` shows them all.")
    return source


def find_source(source_id: UUID) -> Source:
    source = Source.objects.filter(pk=source_id).first()
    if source is None:
        raise NotFound("There is no such source.")
    return source


@transaction.atomic
def set_trust(actor: Actor, source: Source, trust: int) -> Source:
    """From now on an admin's word holds, whatever becomes of the domain's trust."""
    actor.must_be(Role.ADMIN, "change the trust of a source")
    if not LOWEST_TRUST <= trust <= HIGHEST_TRUST:
        raise Invalid(f"A trust is a number from {LOWEST_TRUST} to {HIGHEST_TRUST}.")
    # Whoever stores what it says refers to this row, and must not wait for us while we wait for them.
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
    """Hold back what the source brings with these notes. What is public stays; what waits for no more is published."""
    actor.must_be(Role.ADMIN, "change what a source asks about")
    asks = habits.checked(codes)
    row = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    if row.asks != asks:
        before, row.asks = {"asks": row.asks}, asks
        row.save(update_fields=["asks"])
        journal.write(actor, "set_asks", row, before=before, after={"asks": asks})
        pipeline.sources_changed([row.pk])
    return row


def follow_trust(domains: Collection[UUID]) -> None:
    """Domains became trusted, or are no longer: their sources follow, unless an admin has set another trust."""
    for source in (
        Source.objects.select_related("domain")
        .select_for_update(of=("self",), no_key=True)
        .filter(domain__in=domains, is_trust_set=False)
        .order_by("pk")
    ):
        assert source.domain is not None  # noqa: S101 - it was found by it
        trust = TRUST_OF_TRUSTED if source.domain.is_trusted else TRUST
        if source.trust != trust:
            journal.write(system(), "set_trust", source, before={"trust": source.trust}, after={"trust": trust})
            Source.objects.filter(pk=source.pk).update(trust=trust)
            pipeline.sources_changed([source.pk])


def flag_of(page: Page) -> Flag | None:
    """Whether the page counts as it is now; None before it was looked at."""
    return Flag.objects.select_related("topic").filter(snapshot=page.current_snapshot_id).first()


def find_observation(observation_id: UUID) -> Observation:
    found = Observation.objects.select_related("source", "page").filter(pk=observation_id).first()
    if found is None:
        raise NotFound("There is no such observation.")
    return found


def versions_of(observation: Observation) -> QuerySet[Observation]:
    """All that the source has said about this thing, the newest first."""
    same = Observation.objects.filter(source=observation.source_id, kind=observation.kind)
    return same.filter(external_id=observation.external_id).order_by("-version")


def observations_of(page: Page) -> QuerySet[Observation]:
    """What the page says now, and what it said last of things it no longer speaks of."""
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

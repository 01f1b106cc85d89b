"""Use cases of crawling: request a crawl, a preview or single pages; cancel a crawl."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now, TruncDate

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.crawling.crawl_lifecycle import CRAWL, OPEN, WHOLE
from gleanery.crawling.models import Crawl, Page, Site, Visit
from gleanery.discovery.models import Session
from gleanery.domains import services as domains
from gleanery.domains.life import BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.domains.names import in_scope
from gleanery.domains.submissions.submitting import submitted_urls
from gleanery.domains.urls import canonical_url
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.roles import SYSTEM
from gleanery.text import clean_text

MOST_PAGES = 500
PREVIEW_DEPTH = 1
REQUESTS_A_PAGE = 6  # the page itself and up to five redirects
PREVIEWS_A_DAY = 200


def may_crawl(domain: Domain) -> bool:
    """Return True if the domain may be crawled in full: it is approved and not blacklisted."""
    return domain.approval_status == "approved" and domain.processing_status != BLACKLISTED


@transaction.atomic
def request_crawl(actor: Actor, domain: Domain, kind: str = "full", *, session: Session | None = None) -> Crawl:
    """Create a crawl of the whole domain, which starts when a worker is free; a running preview is cancelled."""
    domain = lock_domain(domain.pk)
    if not may_crawl(domain):
        raise Conflict(f"{domain.display} is not approved, so it is not crawled.")
    open_one = _open(domain)
    makes_room = open_one is not None and open_one.kind not in WHOLE
    if open_one is not None and makes_room:
        cancel(system(), open_one, "A crawl of the whole domain replaces it.")
    if actor.who != SYSTEM:
        _end_backoff(domain)
    crawl = _begin(actor, domain, kind, domain.max_crawl_depth, MOST_PAGES, session)
    if makes_room:
        Visit.objects.filter(crawl=open_one, state="queued", depth=0).update(crawl=crawl)
    if waiting := _unread_submissions(domain):
        request_pages(actor, domain, waiting)
    return crawl


@transaction.atomic
def request_pages(actor: Actor, domain: Domain, urls: Iterable[str]) -> Crawl:
    """Queue single addresses of an approved domain in its open crawl, or in a new small crawl."""
    domain = lock_domain(domain.pk)
    if not may_crawl(domain):
        raise Conflict(f"{domain.display} is not approved, so it is not crawled.")
    spelled = sorted({canonical_url(url) for url in urls})
    if outside := [url for url in spelled if not in_scope(url, domain.named)]:
        raise Invalid(f"{outside[0]} is not a page of {domain.display}.")
    crawl = _open(domain) or _begin(actor, domain, "url", 0, len(spelled) * REQUESTS_A_PAGE)
    Visit.objects.bulk_create([Visit(crawl=crawl, url=url, depth=0) for url in spelled], ignore_conflicts=True)
    return crawl


def submitted_pages(domain_id: UUID, urls: Collection[str]) -> None:
    """Queue pages that the public submitted; retry once in case another process just opened a crawl."""
    domain = Domain.objects.get(pk=domain_id)
    try:
        request_pages(system(), domain, urls)
    except Conflict:
        request_pages(system(), domain, urls)


def rescrape(actor: Actor, domain_id: UUID) -> None:
    request_crawl(actor, Domain.objects.get(pk=domain_id), "deep")


def previews_left() -> int:
    """Return how many more domains may be previewed today; 0 if previews are off."""
    if not settings.ENVIRONMENT.preview_pages:
        return 0
    today = Crawl.objects.filter(kind="preview", created_at__date=TruncDate(Now()))
    return max(0, PREVIEWS_A_DAY - today.values("domain").distinct().count())


@transaction.atomic
def preview(domain: Domain) -> Crawl | None:
    """Create a preview of a source that awaits its decision; None if it may not have one now."""
    pages = settings.ENVIRONMENT.preview_pages
    domain = lock_domain(domain.pk)
    waits = domain.approval_status == "pending_review" and domain.processing_status != BLACKLISTED
    if not waits or not previews_left() or _open(domain) is not None:
        return None
    return _begin(system(), domain, "preview", PREVIEW_DEPTH, pages)


def cancel(actor: Actor, crawl: Crawl, reason: str = "") -> Crawl:
    """Stop a crawl after the request in flight, whose response is discarded; stored pages stay."""
    with transaction.atomic():
        reason = clean_text(reason, limit=500)
        lock_domain(crawl.domain_id)
        crawl = journal.move(crawl, CRAWL, "cancel", actor, reason=reason, completed_at=Now(), end_reason=reason)
        if crawl.kind in WHOLE and crawl.domain.processing_status == "processing":
            domains.finish(system(), crawl.domain)
    return crawl


def lock_domain(domain: UUID) -> Domain:
    """Lock the domain and return its current row, since its status may have changed after the caller read it.

    Always lock the domain before its crawl, as decisions about a source do: the other order can deadlock.
    """
    return Domain.objects.select_for_update(no_key=True).get(pk=domain)


def stop_crawls(stopped: Collection[UUID]) -> None:
    for crawl in Crawl.objects.filter(domain__in=stopped, status__in=OPEN).order_by("domain"):
        with suppress(Conflict):  # it ended on its own in the meantime
            cancel(system(), crawl, "The domain may no longer be crawled.")


def find(crawl_id: UUID) -> Crawl:
    crawl = Crawl.objects.select_related("domain").filter(pk=crawl_id).first()
    if crawl is None:
        raise NotFound("This crawl does not exist.")
    return crawl


def _end_backoff(domain: Domain) -> None:
    """End the back-off after a failure, since a person asked for this crawl."""
    Domain.objects.filter(pk=domain.pk, retry_after__gt=Now()).update(retry_after=Now())


def _unread_submissions(domain: Domain) -> list[str]:
    """Return pages that people submitted before the domain was approved and that were never fetched."""
    urls = submitted_urls(domain.pk)
    read = set(Page.objects.filter(url__in=urls).values_list("url", flat=True))
    return [url for url in urls if url not in read]


def _open(domain: Domain) -> Crawl | None:
    return Crawl.objects.select_for_update().filter(domain=domain, status__in=OPEN).first()


def _begin(actor: Actor, domain: Domain, kind: str, depth: int, pages: int, session: Session | None = None) -> Crawl:
    Site.objects.bulk_create([Site(domain=domain)], ignore_conflicts=True)
    try:
        with transaction.atomic():
            crawl = Crawl.objects.create(
                domain=domain, session=session, kind=kind, max_depth=depth, max_pages=pages, asked_by=actor.user
            )
    except IntegrityError:
        raise Conflict(f"{domain.display} is already being crawled.") from None
    journal.write(actor, "crawl", domain, after={"crawl": str(crawl.pk), "kind": kind})
    return crawl

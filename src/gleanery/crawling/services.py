"""Use cases of crawling: ask for a crawl, a preview or single pages, cancel."""

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
REQUESTS_A_PAGE = 6  # itself, and as many redirects as are followed
PREVIEWS_A_DAY = 200


def may_crawl(domain: Domain) -> bool:
    """In full: only what people approved, and what nobody has blacklisted since."""
    return domain.approval_status == "approved" and domain.processing_status != BLACKLISTED


@transaction.atomic
def ask(actor: Actor, domain: Domain, kind: str = "full", *, session: Session | None = None) -> Crawl:
    """A crawl of the whole domain begins as soon as a worker is free. A preview under way makes room for it."""
    domain = lock_domain(domain.pk)
    if not may_crawl(domain):
        raise Conflict(f"{domain.display} is not approved, so it is not crawled.")
    open_one = _open(domain)
    makes_room = open_one is not None and open_one.kind not in WHOLE
    if open_one is not None and makes_room:
        cancel(system(), open_one, "A crawl of the whole domain takes its place.")
    if actor.who != SYSTEM:
        _without_rest(domain)
    crawl = _begin(actor, domain, kind, domain.max_crawl_depth, MOST_PAGES, session)
    if makes_room:
        Visit.objects.filter(crawl=open_one, state="queued", depth=0).update(crawl=crawl)
    if waiting := _submitted_and_never_read(domain):
        ask_for_pages(actor, domain, waiting)
    return crawl


@transaction.atomic
def ask_for_pages(actor: Actor, domain: Domain, urls: Iterable[str]) -> Crawl:
    """Single addresses of an approved domain: they join the crawl under way, or get a small one of their own."""
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
    """Submitted by anybody; a crawl that somebody else began a moment ago takes them along."""
    domain = Domain.objects.get(pk=domain_id)
    try:
        ask_for_pages(system(), domain, urls)
    except Conflict:
        ask_for_pages(system(), domain, urls)


def rescrape(actor: Actor, domain_id: UUID) -> None:
    ask(actor, Domain.objects.get(pk=domain_id), "deep")


def previews_left() -> int:
    """How many more domains may be looked at today; none where previews are off."""
    if not settings.ENVIRONMENT.preview_pages:
        return 0
    today = Crawl.objects.filter(kind="preview", created_at__date=TruncDate(Now()))
    return max(0, PREVIEWS_A_DAY - today.values("domain").distinct().count())


@transaction.atomic
def preview(domain: Domain) -> Crawl | None:
    """A first look at a few pages of a source that waits for its decision; None where there is to be none."""
    pages = settings.ENVIRONMENT.preview_pages
    domain = lock_domain(domain.pk)
    waits = domain.approval_status == "pending_review" and domain.processing_status != BLACKLISTED
    if not waits or not previews_left() or _open(domain) is not None:
        return None
    return _begin(system(), domain, "preview", PREVIEW_DEPTH, pages)


def cancel(actor: Actor, crawl: Crawl, reason: str = "") -> Crawl:
    """No request is made after the one in flight, whose answer is thrown away; what was stored stays."""
    with transaction.atomic():
        reason = clean_text(reason, limit=500)
        lock_domain(crawl.domain_id)
        crawl = journal.move(crawl, CRAWL, "cancel", actor, reason=reason, completed_at=Now(), end_reason=reason)
        if crawl.kind in WHOLE and crawl.domain.processing_status == "processing":
            domains.finish(system(), crawl.domain)
    return crawl


def lock_domain(domain: UUID) -> Domain:
    """As it is now: what somebody saw may have been decided otherwise since, and then nothing must begin.

    Before its crawl, as whoever decides about a source does: else two wait for each other in a circle.
    """
    return Domain.objects.select_for_update(no_key=True).get(pk=domain)


def stop_crawls(stopped: Collection[UUID]) -> None:
    for crawl in Crawl.objects.filter(domain__in=stopped, status__in=OPEN).order_by("domain"):
        with suppress(Conflict):  # it ended by itself a moment ago
            cancel(system(), crawl, "The domain may not be crawled any more.")


def find(crawl_id: UUID) -> Crawl:
    crawl = Crawl.objects.select_related("domain").filter(pk=crawl_id).first()
    if crawl is None:
        raise NotFound("There is no such crawl.")
    return crawl


def _without_rest(domain: Domain) -> None:
    """A person who asks for a crawl need not wait until the rest after a failure is over."""
    Domain.objects.filter(pk=domain.pk, retry_after__gt=Now()).update(retry_after=Now())


def _submitted_and_never_read(domain: Domain) -> list[str]:
    """What people asked for before the domain was approved, links to it or not."""
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
        raise Conflict(f"{domain.display} is being crawled already.") from None
    journal.write(actor, "crawl", domain, after={"crawl": str(crawl.pk), "kind": kind})
    return crawl

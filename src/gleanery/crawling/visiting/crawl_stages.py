"""Beginning, resuming and ending a crawl: the steps done once per crawl or slice, not per page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import system
from gleanery.crawling.crawl_lifecycle import CRAWL, WHOLE
from gleanery.crawling.frontier import statements as storage
from gleanery.crawling.frontier.leases import Lease, execute, hold, rows
from gleanery.crawling.frontier.pending import Frontier
from gleanery.crawling.frontier.statements import FoundAddress, KnownPage
from gleanery.crawling.models import Crawl, Visit
from gleanery.crawling.services import lock_domain
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.errors import GleaneryError
from gleanery.ids import uuid7
from gleanery.net.robots import Answer

USED_UP = "The crawl had used up its"
ROBOTS_LAST = "24 hours"
FRESH_ROBOTS = """
    SELECT origin, status, body, reason FROM robots
    WHERE domain_id = %(domain)s AND status BETWEEN 1 AND 499 AND fetched_at > now() - %(last)s::interval
"""


SUM = """
    SELECT coalesce(sum(requests) FILTER (WHERE elapsed_ms IS NOT NULL AND kind = 'page'), 0),
           count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state IN ('stored', 'unchanged', 'noted'))
    FROM visit WHERE crawl_id = %(crawl)s
"""


LAST = """
    SELECT id, status, max_depth FROM crawl
    WHERE domain_id = %(domain)s AND kind IN ('full', 'deep') AND status NOT IN ('waiting', 'running')
    ORDER BY completed_at DESC LIMIT 1
"""
GIVEN = "SELECT given FROM submission WHERE domain_id = %(domain)s ORDER BY id DESC LIMIT 1"
KEEP_BASE = "UPDATE site SET base = %(base)s WHERE domain_id = %(domain)s"
KEEP_ROBOTS = """
    INSERT INTO robots (id, domain_id, origin, status, body, reason)
    VALUES (%(id)s, %(domain)s, %(origin)s, %(status)s, %(body)s, %(reason)s)
    ON CONFLICT (domain_id, origin) DO UPDATE
        SET status = excluded.status, body = excluded.body, reason = excluded.reason, fetched_at = now()
"""


class LastCrawl(NamedTuple):
    """The last finished crawl of the whole domain."""

    crawl: UUID
    status: str
    max_depth: int


class OpenedCrawl(NamedTuple):
    """State that a time slice needs to continue a crawl."""

    frontier: Frontier
    robots: dict[str, Answer]
    prefers_http: bool
    down: int


def open_crawl(lease: Lease) -> OpenedCrawl | None:
    """Load the frontier of a crawl, and begin the crawl if it was waiting; None if it may not begin."""
    crawl = _begin(lease) if lease.status == "waiting" else Crawl.objects.get(pk=lease.crawl)
    if crawl is None:
        return None
    started_at = crawl.started_at or crawl.created_at
    pages = storage.known(lease.domain)
    last = _last(lease) if lease.kind in WHOLE else None
    if lease.kind in WHOLE and not _followed_all_links(last, lease.max_depth):
        pages = {url: _made_due(page, started_at) for url, page in pages.items()}
    frontier = Frontier(lease, pages, started_at, _left_over(last) if last else [])
    reload(frontier)
    return OpenedCrawl(frontier, _robots(lease.domain), _prefers_http(lease.domain), storage.down(lease.crawl))


def _last(lease: Lease) -> LastCrawl | None:
    return next((LastCrawl(*row) for row in rows(LAST, domain=lease.domain)), None)


def _followed_all_links(last: LastCrawl | None, depth: int) -> bool:
    """Return True if the last crawl completed at this depth, so that unchanged pages hide no unknown links."""
    return last is not None and last.status == "completed" and last.max_depth >= depth


def _left_over(last: LastCrawl) -> list[tuple[str, int]]:
    """Return addresses the last crawl found but never visited; unchanged pages will not bring their links again."""
    never = Q(state="queued") | Q(state="refused", reason__startswith=USED_UP)
    visits = Visit.objects.filter(never, crawl=last.crawl, kind="page")
    return list(visits.order_by("depth", "id").values_list("url", "depth"))


def _made_due(page: KnownPage, now: datetime) -> KnownPage:
    """Make a page due and unconditional: a "not modified" response would bring no links."""
    return page._replace(etag="", last_modified="", due_at=min(page.due_at, now))


def reload(frontier: Frontier) -> None:
    frontier.remember(storage.seen(frontier.lease.crawl))
    for visit in storage.queued(frontier.lease.crawl):
        frontier.add(visit)


@transaction.atomic
def _begin(lease: Lease) -> Crawl | None:
    """Begin a waiting crawl, unless the lease was lost and another worker may have begun it."""
    domain, crawl = lock_domain(lease.domain), _waiting(lease)
    if crawl is None:
        return None
    crawl.domain, us = domain, system()
    try:
        if crawl.kind in WHOLE:
            domains.start(us, domain)
        return journal.move(crawl, CRAWL, "begin", us, started_at=Now())
    except GleaneryError as problem:
        _fail(crawl, str(problem))
        return None


def _waiting(lease: Lease) -> Crawl | None:
    return Crawl.objects.filter(pk=lease.crawl, status="waiting", domain__site__lease=lease.token).first()


def seed(frontier: Frontier, found: Iterable[FoundAddress]) -> None:
    """Queue the first addresses of a crawl."""
    new = list(found)
    storage.find(frontier.lease, new)
    for each in new:
        frontier.add(each.visit)


def keep_base(domain: UUID, base: str) -> None:
    execute(KEEP_BASE, domain=domain, base=base)


def keep_robots(domain: UUID | None, origin: str, answer: Answer) -> None:
    values = {"status": answer.status, "body": answer.body, "reason": answer.problem}
    execute(KEEP_ROBOTS, id=uuid7(), domain=domain, origin=origin, **values)


def _robots(domain: UUID) -> dict[str, Answer]:
    """Return robots.txt responses of the last 24 hours; failures are fetched again."""
    found = rows(FRESH_ROBOTS, domain=domain, last=ROBOTS_LAST)
    return {origin: Answer(status, bytes(body), reason) for origin, status, body, reason in found}


def _prefers_http(domain: UUID) -> bool:
    """Return True if the domain was submitted with http://; otherwise https is tried first."""
    return any(given.lower().startswith("http://") for (given,) in rows(GIVEN, domain=domain))


@transaction.atomic
def complete(lease: Lease) -> bool:
    """End the crawl, or return False if more pages were requested in the meantime."""
    domain = lock_domain(lease.domain)
    crawl = Crawl.objects.select_for_update().filter(pk=lease.crawl, status="running").first()
    if crawl is None:
        return True
    crawl.domain = domain
    ((asked, queued, good),) = rows(SUM, crawl=lease.crawl)
    if queued and asked < crawl.max_pages:
        return False
    if queued:
        left = f"{USED_UP} {crawl.max_pages} pages."
        Visit.objects.filter(crawl=crawl, state="queued").update(state="refused", reason=left)
    if good:
        _complete(crawl)
    else:
        _fail(crawl, _failure_reason(crawl))
    return True


def fail(lease: Lease, reason: str) -> None:
    """Fail the crawl if its lease is still held; stored pages stay."""
    with transaction.atomic():
        if hold([lease], [0.0]):
            lock_domain(lease.domain)
            _fail(Crawl.objects.get(pk=lease.crawl), reason)


def _complete(crawl: Crawl) -> None:
    domain, us = crawl.domain, system()
    journal.move(crawl, CRAWL, "complete", us, completed_at=Now())
    if crawl.kind == "preview":
        pipeline.finished("preview", preview=crawl.pk)
    else:
        pipeline.finished("crawl", crawl=crawl.pk)
    Domain.objects.filter(pk=domain.pk).update(last_seen_at=Now())
    if crawl.kind in WHOLE and domain.processing_status == "processing":
        domains.finish(us, domain, last_crawled_at=Now())


@transaction.atomic
def _fail(crawl: Crawl, reason: str) -> None:
    journal.move(crawl, CRAWL, "fail", system(), reason=reason, completed_at=Now(), end_reason=reason)
    domain = crawl.domain
    if crawl.kind in WHOLE and domain.processing_status == "processing":
        domains.fail(system(), domain, reason)


def _failure_reason(crawl: Crawl) -> str:
    """Return the reason of the first page tried, which explains most."""
    reason = crawl.visits.exclude(reason="").order_by("depth", "id").values_list("reason", flat=True).first()
    return reason or "No page was found that could be visited."

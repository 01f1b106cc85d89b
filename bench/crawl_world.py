"""Sites under lease and visits to them, as the crawler hands them to the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

SITES = 13  # visits of a batch: a third of forty sites
LINKS = 20
WORDS = "funding for schools and community groups in the region, with a deadline in spring and advice by telephone "


class World:
    """Approved sites, each with a crawl under way and the lease to go on with it."""

    def __init__(self, name: str) -> None:
        from gleanery.accounts.actor import system
        from gleanery.crawling import services
        from gleanery.crawling.frontier import leases
        from gleanery.crawling.models import Crawl
        from gleanery.domains.models import Domain
        from gleanery.domains.registry import register

        self.name, self.pages = name, 0
        domains = [register(f"{name}-{number}.example") for number in range(SITES)]
        ids = [each.pk for each in domains]
        Domain.objects.filter(pk__in=ids).update(
            approval_status="approved", processing_status="pending_crawl", crawl_rate_limit_seconds=0
        )
        crawls = [services.ask(system(), each) for each in Domain.objects.filter(pk__in=ids)]
        Crawl.objects.filter(pk__in=[each.pk for each in crawls]).update(status="running", started_at=datetime.now(UTC))
        self.leases = leases.claim(SITES, [each.pk for each in crawls])

    def batches(self, many: int) -> Iterator[list[Any]]:
        """Yield batches of one visit to each site; the visits are put into the frontier first."""
        from gleanery.crawling.frontier import statements
        from gleanery.crawling.frontier.statements import Found, Queued
        from gleanery.ids import uuid7

        for _ in range(many):
            self.pages += 1
            visits = [Queued(uuid7(), f"https://{each.name.name}/page-{self.pages}", "page", 1) for each in self.leases]
            for lease, visit in zip(self.leases, visits, strict=True):
                statements.find(lease, [Found(visit)])
            yield [self._done(lease, visit) for lease, visit in zip(self.leases, visits, strict=True)]

    def _done(self, lease: Any, visit: Any) -> Any:
        from gleanery.crawling.frontier.statements import Done, Found, PageFacts, Queued, SnapshotFacts
        from gleanery.crawling.pages.page_reader import Document, read
        from gleanery.ids import uuid7

        now = datetime.now(UTC)
        body = f"<title>{visit.url}</title><main><p>{visit.url} {WORDS * 180}</p></main>".encode()
        reading = read(Document(body=body, url=visit.url, media_type="text/html", charset=None, domain=lease.name))
        links = [Queued(uuid7(), f"{visit.url}/{number}", "page", 2) for number in range(LINKS)]
        return Done(
            lease=lease,
            visit=visit,
            state="stored",
            status=200,
            size=len(body),
            elapsed_ms=100,
            page=PageFacts(
                id=uuid7(),
                etag="",
                last_modified="",
                changed=True,
                unchanged=0,
                due_at=now + timedelta(days=1),
                due_reason="Its domain is looked at every 24 hours.",
            ),
            snapshot=SnapshotFacts(id=uuid7(), content_type="text/html", headers="{}", size=len(body), reading=reading),
            found=[Found(each) for each in links],
        )

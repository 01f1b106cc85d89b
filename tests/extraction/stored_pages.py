"""Stored pages for tests of extraction, as a crawl would leave them."""

from __future__ import annotations

import hashlib
from typing import Any

from gleanery.accounts.actor import system
from gleanery.crawling.models import Page, Snapshot
from gleanery.crawling.pages.page_reader import Document, read
from gleanery.discovery import services as discovery
from gleanery.discovery.models import Topic
from gleanery.domains import registry
from gleanery.domains.models import Domain

EVENT = """<html lang="en"><head><title>{name}</title><script type="application/ld+json">
{{"@context": "https://schema.org", "@type": "Event", "@id": "https://hall.example/e/{number}", "name": "{name}",
"startDate": "2027-03-{day}T19:00:00+02:00", "location": {{"@type": "Place", "name": "Town hall"}}}}
</script></head><body><main><h1>{name}</h1><p>A concert of the choir in our town hall, all are welcome.</p></main>
</body></html>"""
NOTHING = "<html><head><title>Recipes</title></head><body><main><p>Boil the beans for an hour.</p></main></body></html>"


def event(number: int = 1, name: str = "Spring concert", day: str = "12") -> str:
    return EVENT.format(number=number, name=name, day=day)


def approved(name: str = "hall.example") -> Domain:
    domain = registry.register(name)
    Domain.objects.filter(pk=domain.pk).update(approval_status="approved", processing_status="crawled")
    domain.refresh_from_db()
    return domain


def topic(preset: str = "events", **changes: Any) -> Topic:
    return discovery.add_topic(system(), preset, "Bulgaria", **changes)


def store_page(domain: Domain, path: str, body: str | bytes, media_type: str = "text/html", status: int = 200) -> Page:
    """Store a page with this content, as the crawler does."""
    url = f"https://{domain.name}{path}"
    data = body if isinstance(body, bytes) else body.encode()
    first = {"domain": domain, "depth": path.count("/"), "last_status": 200}
    page, _ = Page.objects.get_or_create(url=url, defaults=first)
    reading = read(Document(body=data, url=url, media_type=media_type, charset=None, domain=domain.named))
    digest = hashlib.sha256(data).digest()
    facts = {
        "page": page,
        "content_type": media_type,
        "charset": reading.charset,
        "raw": reading.raw,
        "raw_size": len(data),
        "title": reading.title,
        "text": reading.text,
        "language": reading.language,
        "types": list(reading.types),
    }
    page.current_snapshot, _ = Snapshot.objects.get_or_create(url=url, content_hash=digest, defaults=facts)
    page.last_status = status
    page.save()
    return page


def mark_deleted(page: Page) -> None:
    Page.objects.filter(pk=page.pk).update(last_status=404)


def mark_restored(page: Page) -> None:
    Page.objects.filter(pk=page.pk).update(last_status=200)

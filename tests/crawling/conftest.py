"""Fixtures for crawler tests: approved domains, and crawls that run to the end in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.models import Crawl
from gleanery.crawling.visiting.crawler import crawl_only
from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.environment import addresses

Resolve = Callable[[Any], None]


@pytest.fixture
def reach(settings: Any) -> Resolve:
    """Let the crawler of this process resolve the host names of a test server."""

    def learn(server: Any) -> None:
        settings.ENVIRONMENT = replace(settings.ENVIRONMENT, net_resolve=addresses(server.resolve))

    return learn


def approved(name: str, **changes: Any) -> Domain:
    """Return an approved domain that may be crawled without pauses, unless a test changes that."""
    domain = registry.register(name)
    facts = {"approval_status": "approved", "processing_status": "pending_crawl", "crawl_rate_limit_seconds": 0}
    Domain.objects.filter(pk=domain.pk).update(**{**facts, **changes})
    domain.refresh_from_db()
    return domain


def crawl(domain: Domain, kind: str = "full") -> Crawl:
    """Request a crawl and run it to the end."""
    row = services.request_crawl(system(), Domain.objects.get(pk=domain.pk), kind)
    return finish(row)


def finish(row: Crawl) -> Crawl:
    asyncio.run(crawl_only([row.pk]))
    connection.close_if_unusable_or_obsolete()
    row.refresh_from_db()
    return row

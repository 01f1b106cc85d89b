"""Searches stored pages of a crawl or preview for feeds; makes no request."""

from __future__ import annotations

import asyncio
from uuid import UUID

from gleanery.crawling.models import Crawl
from gleanery.errors import Unreadable
from gleanery.feeds import services, storage
from gleanery.feeds.finding.candidates import SeenSign, choose_candidates
from gleanery.feeds.models import Feed
from gleanery.feeds.reading.parser import Parser

AT_ONCE = 20
OPEN = ("pending_review", "approved")


def look_for_feeds(crawl_id: UUID) -> list[Feed]:
    """Store and return newly found feeds."""
    crawl = Crawl.objects.select_related("domain").filter(pk=crawl_id).first()
    if crawl is None or crawl.domain.approval_status not in OPEN or crawl.domain.processing_status == "blacklisted":
        return []
    known = frozenset(Feed.objects.filter(domain=crawl.domain).values_list("url", flat=True))
    with asyncio.Runner() as runner:
        parser = Parser()
        try:
            seen = _seen(crawl_id, runner, parser)
        finally:
            runner.run(parser.close())
    return services.store_found(crawl.domain, choose_candidates(seen, known))


def _seen(crawl_id: UUID, runner: asyncio.Runner, parser: Parser) -> list[SeenSign]:
    seen: list[SeenSign] = []
    after, opened = "", False
    while batch := storage.crawled_pages(crawl_id, after, AT_ONCE):
        if not opened:
            runner.run(parser.__aenter__())
            opened = True
        seen.extend(runner.run(_signs(batch, parser)))
        after = batch[-1].url
    return seen


async def _signs(batch: list[storage.PageText], parser: Parser) -> list[SeenSign]:
    """Return the signs on a batch of pages, skipping unreadable ones, which the crawl has reported."""
    seen: list[SeenSign] = []
    for page in batch:
        try:
            signs = await parser.signs(page.raw, page.charset, page.url, page.headers)
        except Unreadable:
            continue
        seen.extend(SeenSign(platform=each.platform, sign=each.sign, page=page.url, depth=page.depth) for each in signs)
    return seen

"""Steps of the demo: its settings, and everything it does before the visitor looks."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal
from typing import Any

from gleanery.demo.sites import hosts
from gleanery.interfaces.cli.demonstration.summary import likeliest_pair, summarise
from gleanery.interfaces.cli.records.extract import extract_with_progress, print_summary
from gleanery.interfaces.cli.sources.crawl import print_crawl, watch_and_work
from gleanery.interfaces.cli.sources.discover import from_providers, print_story, session_facts
from gleanery.interfaces.cli.sources.judge import judge_with_progress
from gleanery.interfaces.cli.terminal.output import counted_kinds, say
from gleanery.text import counted

# Few queries, English and Bulgarian, so that the first look does not take long.
TOPICS: tuple[tuple[str, str, list[str]], ...] = (
    (
        "funding",
        "Bulgaria",
        [
            "grants for schools Bulgaria",
            "финансиране за училища",
            "scholarships NGO funding",
            "fellowship for teachers",
        ],
    ),
    (
        "events",
        "Sofia",
        ["events in Sofia this month", "събития в София", "концерт Старата фабрика", "festival Sofia free events"],
    ),
    (
        "services",
        "Plovdiv",
        ["food bank Plovdiv opening hours", "безплатна храна Пловдив", "подслон Пловдив", "доброволци Пловдив"],
    ),
)


# Candidates with this confidence are approved without a review; sixteen are enough for a first impression.
SURE = Decimal("0.75")
MOST_APPROVED = 16


def settings_for(port: int, day: date) -> dict[str, str]:
    """Return settings that resolve the names of the sample sites, and search with its search engines."""
    address = f"127.0.0.1:{port}"
    return {
        "GLEANERY_NET_RESOLVE": ",".join(f"{host}={address}" for host in hosts()),
        "GLEANERY_PROVIDER_URLS": f"brave_search=http://{address}/brave",
        "SEARXNG_URL": f"http://{address}/searxng",
        "BRAVE_API_KEY": "demo",
        "GLEANERY_DEMO_DAY": day.isoformat(),  # a demo that runs past midnight keeps its day
        **dict.fromkeys(("SERPER_API_KEY", "TAVILY_API_KEY", "PERPLEXITY_API_KEY"), ""),
    }


def story(json: bool, day: date) -> dict[str, Any]:
    """Run all steps, from the first search to the records, and return their results."""
    set_up_site()
    sessions, crawls = discover(json), curate(json)
    feeds = read_feeds(crawls, json)
    results = {
        "sessions": sessions,
        "crawls": crawls,
        "feeds": feeds,
        "extracted": extract(json),
        "records": glean(json),
    }
    return {**results, "numbers": summarise(results, day), "flagged_pair": likeliest_pair()}


def set_up_site() -> None:
    """Set the place and time zone of the public site to Bulgaria, where the sample web is."""
    from gleanery.accounts.actor import system
    from gleanery.publishing import services

    services.present(system(), place="София", zone="Europe/Sofia")


def discover(json: bool) -> list[dict[str, Any]]:
    """Run one search for each of the three presets, with progress bars."""
    from gleanery.accounts.actor import system
    from gleanery.discovery import services

    found = []
    for preset, place, queries in TOPICS:
        topic = services.add_topic(system(), preset, place, query_templates=queries)
        if not json:
            say(f"\n{topic.title}: asking two search engines ...")
        session = from_providers(topic.name, [], None, json)
        facts = {**session_facts(session), "judging": judge_with_progress(session, json)}
        if not json:
            print_story(facts, hints=False)
        found.append(facts)
    return found


def curate(json: bool) -> list[dict[str, Any]]:
    """Approve and crawl the surest sources, as a curator would; the others wait for the visitor."""
    from gleanery.accounts.actor import system
    from gleanery.review.models import Item
    from gleanery.review.sources import source_decisions

    waiting = Item.objects.filter(status="pending", kind="source", warnings=None).select_related("domain")
    sure = waiting.filter(domain__candidate__confidence__gte=SURE).order_by(
        "-domain__candidate__confidence", "domain__name"
    )
    if not json:
        say("\nNow the demo acts as curator: it approves the surest sources and leaves the others to you ...")
    decisions = [
        source_decisions.approve(system(), item.domain, rate=1) for item in sure[:MOST_APPROVED] if item.domain
    ]
    crawls = watch_and_work([each.crawl.pk for each in decisions if each.crawl is not None], json)
    if not json:
        for facts in crawls:
            print_crawl(facts, hints=False)
    return crawls


def read_feeds(crawls: list[dict[str, Any]], json: bool) -> list[dict[str, Any]]:
    """Read the calendars linked from the crawled pages, as a worker would, before the pages are extracted."""
    from gleanery.feeds.feed_details import feed_details
    from gleanery.feeds.finding.page_search import look_for_feeds
    from gleanery.feeds.models import Feed
    from gleanery.feeds.reading.worker_loop import read_feeds_only

    found = [feed.pk for crawl in crawls for feed in look_for_feeds(crawl["id"])]
    asyncio.run(read_feeds_only(found))
    feeds = [feed_details(each) for each in Feed.objects.filter(pk__in=found).exclude(state="removed").order_by("url")]
    if not json:
        say(f"\nTheir pages link to {counted(len(feeds), 'feed')}, read before the pages:")
        for each in feeds:
            say(f"  {each['label']}  {each['url']}  {each['sentence']}")
    return feeds


def extract(json: bool) -> list[dict[str, Any]]:
    """Extract the crawled pages, as a worker would."""
    from gleanery.domains.models import Domain

    crawled = Domain.objects.filter(approval_status="approved", last_crawled_at__isnull=False).order_by("name")
    if not json:
        say("\nExtracting the pages ...")
    extracted = extract_with_progress(list(crawled), json)
    if not json:
        for facts in extracted:
            print_summary(facts, hints=False)
    return extracted


def glean(json: bool) -> dict[str, int]:
    """Make records from the observations, as a worker would."""
    from django.db.models import Count

    from gleanery.domains.models import Domain
    from gleanery.resolution import services
    from gleanery.resolution.presenting.record_list import filtered

    if not json:
        say("\nMaking records ...")
    for domain in Domain.objects.filter(approval_status="approved").order_by("name"):
        services.resolve_domain(domain.pk)
    kinds = filtered().order_by().values_list("kind").annotate(Count("id"))
    waiting = filtered(status="in_review").count()
    facts = {**dict(sorted(kinds)), "in_review": waiting}
    if not json:
        records = counted_kinds({kind: count for kind, count in facts.items() if kind != "in_review"})
        say(f"{sum(facts.values()) - waiting} records: {records}. {waiting} of them are waiting for review.")
        say("Places and organisations known under two names were merged; unsure pairs are flagged for review.")
    return facts

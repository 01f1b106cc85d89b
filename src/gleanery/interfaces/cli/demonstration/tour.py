"""The story of the demo: what it sets, and what it does before the visitor looks."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal
from typing import Any

from gleanery.demo.sites import hosts
from gleanery.interfaces.cli.demonstration.summary import reckon, worth_a_look
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


# Whoever is this sure needs no second look; sixteen are enough for a first impression.
SURE = Decimal("0.75")
MOST_APPROVED = 16


def settings_for(port: int, day: date) -> dict[str, str]:
    """The sample web is reached by the names of its sites, and its search engines like those of the real world."""
    address = f"127.0.0.1:{port}"
    return {
        "GLEANERY_NET_RESOLVE": ",".join(f"{host}={address}" for host in hosts()),
        "GLEANERY_PROVIDER_URLS": f"brave_search=http://{address}/brave",
        "SEARXNG_URL": f"http://{address}/searxng",
        "BRAVE_API_KEY": "demo",
        "GLEANERY_DEMO_DAY": day.isoformat(),  # a demo that runs past midnight stays in its day
        **dict.fromkeys(("SERPER_API_KEY", "TAVILY_API_KEY", "PERPLEXITY_API_KEY"), ""),
    }


def story(json: bool, day: date) -> dict[str, Any]:
    """All of it, from the first question to the records, and how much of that is true."""
    furnish()
    sessions, crawls = discover(json), curate(json)
    feeds = read_feeds(crawls, json)
    told = {"sessions": sessions, "crawls": crawls, "feeds": feeds, "extracted": extract(json), "records": glean(json)}
    return {**told, "numbers": reckon(told, day), "flagged_pair": worth_a_look()}


def furnish() -> None:
    """The sample web is about Bulgaria, so its public site keeps Bulgarian time."""
    from gleanery.accounts.actor import system
    from gleanery.publishing import services

    services.present(system(), place="София", zone="Europe/Sofia")


def discover(json: bool) -> list[dict[str, Any]]:
    """One search for each of the three presets, with the progress that a person would see."""
    from gleanery.accounts.actor import system
    from gleanery.discovery import services

    told = []
    for preset, place, queries in TOPICS:
        topic = services.add_topic(system(), preset, place, query_templates=queries)
        if not json:
            say(f"\n{topic.title}: asking two search engines ...")
        session = from_providers(topic.name, [], None, json)
        facts = {**session_facts(session), "judging": judge_with_progress(session, json)}
        if not json:
            print_story(facts, hints=False)
        told.append(facts)
    return told


def curate(json: bool) -> list[dict[str, Any]]:
    """Plays the curator for the sources that nobody would doubt, and crawls them; the others wait for the visitor."""
    from gleanery.accounts.actor import system
    from gleanery.review.models import Item
    from gleanery.review.sources import source_decisions

    waiting = Item.objects.filter(status="pending", kind="source", warnings=None).select_related("domain")
    sure = waiting.filter(domain__candidate__confidence__gte=SURE).order_by(
        "-domain__candidate__confidence", "domain__name"
    )
    if not json:
        say("\nNow the demo plays the curator: it approves the surest sources and leaves the others to you ...")
    decisions = [
        source_decisions.approve(system(), item.domain, rate=1) for item in sure[:MOST_APPROVED] if item.domain
    ]
    crawls = watch_and_work([each.crawl.pk for each in decisions if each.crawl is not None], json)
    if not json:
        for facts in crawls:
            print_crawl(facts, hints=False)
    return crawls


def read_feeds(crawls: list[dict[str, Any]], json: bool) -> list[dict[str, Any]]:
    """The calendars that the crawled pages show, before what the pages say; a worker would do the same."""
    from gleanery.feeds.feed_details import feed_details
    from gleanery.feeds.finding.page_search import look_for_feeds
    from gleanery.feeds.models import Feed
    from gleanery.feeds.reading.worker_loop import read_feeds_only

    found = [feed.pk for crawl in crawls for feed in look_for_feeds(crawl["id"])]
    asyncio.run(read_feeds_only(found))
    feeds = [feed_details(each) for each in Feed.objects.filter(pk__in=found).exclude(state="removed").order_by("url")]
    if not json:
        say(f"\nTheir pages show {counted(len(feeds), 'feed')}, which are read before the pages:")
        for each in feeds:
            say(f"  {each['label']}  {each['url']}  {each['sentence']}")
    return feeds


def extract(json: bool) -> list[dict[str, Any]]:
    """What the crawled pages tell of; a worker would do the same a moment later."""
    from gleanery.domains.models import Domain

    crawled = Domain.objects.filter(approval_status="approved", last_crawled_at__isnull=False).order_by("name")
    if not json:
        say("\nReading what the pages offer ...")
    told = extract_with_progress(list(crawled), json)
    if not json:
        for facts in told:
            print_summary(facts, hints=False)
    return told


def glean(json: bool) -> dict[str, int]:
    """From what the pages say to records, as the worker does it; here at once, to have something to look at."""
    from django.db.models import Count

    from gleanery.domains.models import Domain
    from gleanery.resolution import services
    from gleanery.resolution.presenting.record_list import filtered

    if not json:
        say("\nMaking one record of each thing ...")
    for domain in Domain.objects.filter(approval_status="approved").order_by("name"):
        services.resolve_domain(domain.pk)
    kinds = filtered().order_by().values_list("kind").annotate(Count("id"))
    waiting = filtered(status="in_review").count()
    facts = {**dict(sorted(kinds)), "in_review": waiting}
    if not json:
        told = counted_kinds({kind: count for kind, count in facts.items() if kind != "in_review"})
        say(f"{sum(facts.values()) - waiting} records: {told}. {waiting} of them wait for a look.")
        say(
            "Places and organisations that are surely known under another name joined those; what is unsure is flagged."
        )
    return facts

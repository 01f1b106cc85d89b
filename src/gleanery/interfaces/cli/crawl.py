"""`gleanery crawl`: crawls a domain now, or watches and cancels a crawl, with live numbers."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.output import Json, err, say, show, table
from gleanery.interfaces.cli.runtime import application

LOOK_EVERY = 0.3
SHOWN_STATES = ("stored", "unchanged", "noted", "redirected", "refused", "failed", "queued")


def crawl(
    domain: Annotated[str, typer.Argument(help="The domain, in any spelling; or --all.")] = "",
    all_domains: Annotated[bool, typer.Option("--all", help="Every approved domain, one crawl each.")] = False,
    due_only: Annotated[bool, typer.Option("--due", help="Leave out pages that are not due yet.")] = False,
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop the crawl that is under way.")] = False,
    json: Json = False,
) -> None:
    """Crawl an approved domain now, and watch; Ctrl-C stops watching, a worker goes on with the rest."""
    if bool(domain) == all_domains:
        raise typer.BadParameter("Name one domain, or say --all.")
    with application():
        from gleanery.crawling import refresh

        if all_domains:
            count = refresh.start_due_crawls() if due_only else refresh.start_deep_crawls()
            show({"started": count}, json, lambda: say(f"{count} crawls wait for a worker: gleanery worker"))
            return
        facts = _cancelled(domain) if cancel else _crawled(domain, "full" if due_only else "deep", json)
    show(facts, json, lambda: print_crawl(facts))
    if facts["status"] == "failed":
        raise typer.Exit(1)


def _crawled(name: str, kind: str, json: bool) -> dict[str, Any]:
    from gleanery.accounts.actor import system
    from gleanery.crawling import services
    from gleanery.crawling.life import OPEN
    from gleanery.domains import registry

    domain = registry.find(name)
    row = domain.crawls.filter(status__in=OPEN).exclude(kind="preview").first()
    return watch_and_work((row or services.ask(system(), domain, kind)).pk, json)


def _cancelled(name: str) -> dict[str, Any]:
    from gleanery.accounts.actor import system
    from gleanery.crawling import services
    from gleanery.crawling.life import OPEN
    from gleanery.domains import registry

    domain = registry.find(name)
    row = domain.crawls.filter(status__in=OPEN).first()
    if row is None:
        raise GleaneryError(f"{domain.display} is not being crawled.")
    return crawl_facts(services.cancel(system(), row, "Cancelled at the command line.").pk)


def watch_and_work(crawl_id: UUID, json: bool) -> dict[str, Any]:
    """Takes part in the crawl, so that no other worker is needed, and shows how it goes."""
    work = threading.Thread(target=_work, args=(crawl_id,), daemon=True)
    work.start()
    with Live(console=err, refresh_per_second=8, transient=True) as live:
        while work.is_alive():
            if not json:
                live.update(_picture(crawl_facts(crawl_id)))
            time.sleep(LOOK_EVERY)
    return crawl_facts(crawl_id)


def _work(crawl_id: UUID) -> None:
    from gleanery.crawling.crawler import crawl_one

    asyncio.run(crawl_one(crawl_id))


def crawl_facts(crawl_id: UUID) -> dict[str, Any]:
    from gleanery.crawling import numbers, services

    row = services.find(crawl_id)
    shown = ("id", "kind", "status", "max_depth", "max_pages", "started_at", "completed_at")
    facts = {"domain": row.domain.name, **{each: getattr(row, each) for each in shown}, "reason": row.end_reason}
    return {**facts, "numbers": numbers.of_crawl(crawl_id).as_dict()}


def _picture(facts: dict[str, Any]) -> Table:
    """One line of numbers with a bar, and the last address."""
    numbers = facts["numbers"]
    states = numbers["states"]
    met = min(numbers["visited"] + states["queued"], facts["max_pages"]) or 1
    counts = "  ".join(f"{states[each]} {each}" for each in SHOWN_STATES if states[each]) or facts["status"]
    grid = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=met, completed=min(numbers["visited"], met), width=24)
    grid.add_row(Text(facts["domain"], style="bold"), bar, Text(f"{counts}  {numbers['pages_a_second']}/s"))
    if numbers["last"]:
        grid.add_row("", "", Text(numbers["last"][0]["url"], overflow="ellipsis", no_wrap=True, style="dim"))
    return grid


def print_crawl(facts: dict[str, Any], *, hints: bool = True) -> None:
    numbers = facts["numbers"]
    told = ", ".join(f"{numbers['states'][each]} {each}" for each in SHOWN_STATES if numbers["states"][each])
    say(f"{facts['domain']}: {facts['status']} ({told or 'nothing visited'})")
    if facts["reason"]:
        say(facts["reason"])
    table([[each["count"], each["reason"]] for each in numbers["reasons"]], "", "why not", empty="")
    if hints:
        say(f"When each page is looked at again:  gleanery domain show {facts['domain']}")

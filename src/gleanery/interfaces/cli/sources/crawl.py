"""`gleanery crawl`: starts, watches and cancels crawls, with live numbers."""

from __future__ import annotations

import asyncio
import threading
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, err, say, show, table
from gleanery.text import counted

LOOK_EVERY = 0.3
SHOWN_STATES = ("stored", "unchanged", "noted", "redirected", "refused", "failed", "queued")


def crawl(
    domain: Annotated[str, typer.Argument(help="The domain, in any spelling; or --all.")] = "",
    all_domains: Annotated[bool, typer.Option("--all", help="Every approved domain, one crawl each.")] = False,
    due_only: Annotated[bool, typer.Option("--due", help="Skip pages that are not due yet.")] = False,
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop the running crawl.")] = False,
    json: Json = False,
) -> None:
    """Crawl an approved domain now and show progress; after Ctrl-C, a worker finishes the crawl."""
    if bool(domain) == all_domains:
        raise typer.BadParameter("Give one domain, or use --all.")
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.crawling.schedule import refresh

        if all_domains:
            count = refresh.start_due_crawls() if due_only else refresh.start_deep_crawls(at_terminal())
            show(
                {"started": count},
                json,
                lambda: say(f"{counted(count, 'crawl')} queued. To run them, start a worker:  gleanery worker"),
            )
            return
        facts = _cancelled(domain) if cancel else _crawled(domain, "full" if due_only else "deep", json)
    show(facts, json, lambda: print_crawl(facts))
    if facts["status"] == "failed":
        raise typer.Exit(1)


def _crawled(name: str, kind: str, json: bool) -> dict[str, Any]:
    from gleanery.accounts.actor import at_terminal
    from gleanery.crawling import services
    from gleanery.crawling.crawl_lifecycle import OPEN
    from gleanery.domains import registry

    domain = registry.find(name)
    row = domain.crawls.filter(status__in=OPEN).exclude(kind="preview").first()
    (facts,) = watch_and_work([(row or services.request_crawl(at_terminal(), domain, kind)).pk], json)
    return facts


def _cancelled(name: str) -> dict[str, Any]:
    from gleanery.accounts.actor import at_terminal
    from gleanery.crawling import services
    from gleanery.crawling.crawl_lifecycle import OPEN
    from gleanery.domains import registry

    domain = registry.find(name)
    row = domain.crawls.filter(status__in=OPEN).first()
    if row is None:
        raise GleaneryError(f"{domain.display} is not being crawled.")
    return crawl_facts(services.cancel(at_terminal(), row, "Cancelled at the command line.").pk)


def watch_and_work(crawls: list[UUID], json: bool) -> list[dict[str, Any]]:
    """Run the crawls in this process, so that no worker is needed, and show their progress."""
    work = Work(crawls)
    work.start()
    with Live(console=err, refresh_per_second=8, transient=True) as live:
        while work.is_alive():
            if not json:
                live.update(_progress_table([crawl_facts(each) for each in crawls]))
            work.join(LOOK_EVERY)
    if work.problem is not None:
        raise work.problem
    return [crawl_facts(each) for each in crawls]


class Work(threading.Thread):
    """Crawler in a thread of its own; keeps the exception that ended it, if any."""

    def __init__(self, crawls: list[UUID]) -> None:
        super().__init__(daemon=True)
        self.crawls = crawls
        self.problem: Exception | None = None

    def run(self) -> None:
        from gleanery.crawling.visiting.crawler import crawl_only

        try:
            asyncio.run(crawl_only(self.crawls))
        except Exception as problem:
            self.problem = problem


def crawl_facts(crawl_id: UUID) -> dict[str, Any]:
    from gleanery.crawling import numbers, services

    row = services.find(crawl_id)
    shown = ("id", "kind", "status", "max_depth", "max_pages", "started_at", "completed_at")
    facts = {"domain": row.domain.name, **{each: getattr(row, each) for each in shown}, "reason": row.end_reason}
    return {**facts, "numbers": numbers.of_crawl(crawl_id).as_dict()}


def _progress_table(crawls: list[dict[str, Any]]) -> Table:
    """Return one line per crawl with a bar and counts; for a single crawl also the last address."""
    grid = Table.grid(padding=(0, 1))
    for facts in crawls:
        numbers = facts["numbers"]
        met = min(sum(numbers["states"].values()), facts["max_pages"]) or 1
        bar = ProgressBar(total=met, completed=min(numbers["visited"], met), width=24)
        grid.add_row(Text(facts["domain"], style="bold"), bar, Text(_counts(facts), no_wrap=True, overflow="ellipsis"))
    if len(crawls) == 1 and (last := crawls[0]["numbers"]["last"]):
        grid.add_row("", "", Text(last[0]["url"], overflow="ellipsis", no_wrap=True, style="dim"))
    return grid


def _counts(facts: dict[str, Any]) -> str:
    states = facts["numbers"]["states"]
    counts = "  ".join(f"{states[each]} {each}" for each in SHOWN_STATES if states[each]) or "no page yet"
    return f"{facts['status']}: {counts}"


def print_crawl(facts: dict[str, Any], *, hints: bool = True) -> None:
    numbers = facts["numbers"]
    say(f"{facts['domain']} {_counts(facts)}")
    if facts["reason"]:
        say(facts["reason"])
    if numbers["reasons"]:
        table([[each["count"], each["reason"]] for each in numbers["reasons"]], "", "not read because", empty="")
    if hints:
        say(f"To see when each page is read again:  gleanery domain show {facts['domain']}")

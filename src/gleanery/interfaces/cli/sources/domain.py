"""`gleanery domain`: lists, shows and blacklists domains."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.sources import approval
from gleanery.interfaces.cli.sources.approval import Names
from gleanery.interfaces.cli.sources.contacts import print_contacts
from gleanery.interfaces.cli.terminal.output import Json, say, show, table

app = typer.Typer(no_args_is_help=True, help="Domains: sources found, decisions about them, and the blacklist.")

Name = Annotated[str, typer.Argument(help="A domain, in any spelling, or an address on it.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept in the journal.")]
COLUMNS = (
    "name",
    "processing_status",
    "approval_status",
    "best_confidence",
    "high_count",
    "discovered_at",
    "last_seen_at",
)
# Columns of the lists of waiting and of approved sources.
COLUMNS_OF = {
    "pending_review": ("name", "submitter_type", "submitted_by", "submission_context", "best_confidence", "high_count"),
    "approved": ("name", "processing_status", "last_crawled_at", "records", "failure_count", "retry_after"),
}
SPARE = ("last_seen_at", "discovered_at", "retry_after", "high_count", "best_confidence", "failure_count")
RECORDS = "To see the records of a source:  gleanery record list --source NAME"
PAGES_SHOWN = 20


@app.command("list")
def list_domains(
    status: Annotated[str, typer.Option(help="Only those of this processing status.")] = "",
    approval_status: Annotated[str, typer.Option("--approval", help="Only those of this approval status.")] = "",
    containing: Annotated[str, typer.Option(help="Only those whose name contains this.")] = "",
    min_high_count: Annotated[
        int, typer.Option(min=0, help="Only those with at least this many high-quality candidates.")
    ] = 0,
    most: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    json: Json = False,
) -> None:
    """Show the domains that were found, the newest first."""
    with application():
        from gleanery.domains.facts import PEOPLE, facts_of
        from gleanery.domains.models import Domain
        from gleanery.domains.quality import with_quality

        found = with_quality(Domain.objects.filter(name__icontains=containing)).order_by("-id")
        wanted = {"processing_status": status, "approval_status": approval_status, "high_count__gte": min_high_count}
        found = found.filter(**{name: value for name, value in wanted.items() if value})
        rows, total = [facts_of(each) for each in found.select_related(*PEOPLE)[:most]], found.count()
    show(rows, json, lambda: _print_list(rows, total, approval_status))


def _print_list(rows: list[dict[str, Any]], total: int, approval_status: str) -> None:
    columns = COLUMNS_OF.get(approval_status, COLUMNS)
    cells = [[row[each] for each in columns] for row in rows]
    table(cells, *columns, empty="No matching domains.", total=total, spare=SPARE)
    if rows and "records" in columns:
        say(RECORDS)


@app.command("show")
def show_domain(name: Name, json: Json = False) -> None:
    """Show everything about a domain, and when each of its pages is read again."""
    with application():
        from gleanery.domains import registry
        from gleanery.domains.facts import facts_of
        from gleanery.domains.models import Domain
        from gleanery.domains.quality import with_quality

        domain = with_quality(Domain.objects.filter(pk=registry.find(name).pk)).get()
        facts = facts_of(domain)
        crawling = _crawl_facts(domain)
    show({**facts, **crawling}, json, lambda: _print_domain(facts, crawling))


@app.command("blacklist")
def blacklist(
    names: Names,
    reason: Annotated[str, typer.Option(help="Why; it is kept in the journal.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only report what would happen to their records; change nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Never search or crawl these again, and hide records that only they mention; unknown domains are added."""
    if dry_run:
        _foresee(names, json)
        return
    if not reason:
        raise typer.BadParameter("give a reason, or use --dry-run.", param_hint="--reason")
    _many(names, json, "blacklist", "{name} is blacklisted.", reason=reason)


@app.command("contacts")
def list_contacts(name: Name, json: Json = False) -> None:
    """Show the contacts of a source; they are for staff only and never published."""
    with application():
        from gleanery.domains import registry
        from gleanery.extraction.contacts.domain_contacts import contacts_of

        rows = [asdict(each) for each in contacts_of(registry.find(name))]
    show(rows, json, lambda: print_contacts(rows, empty="No contacts are known."))


@app.command("lift")
def lift(names: Names, reason: Reason, json: Json = False) -> None:
    """Take domains off the blacklist; they start over as discovered."""
    _many(names, json, "lift", "{name} is {processing_status} again.", reason=reason)


@app.command("no-funds")
def no_funds(
    names: Names, year: Annotated[int, typer.Option(help="The year without funds.")], json: Json = False
) -> None:
    """Mark sources without funds this year; they are read again after it."""
    _many(names, json, "no-funds", "{name} is read again after {no_funds_year}.", year=year)


def _foresee(names: list[str], json: bool) -> None:
    with application():
        from gleanery.domains import registry
        from gleanery.domains.effect import foreseen

        rows = [{"name": domain.name, **foreseen(domain)} for domain in map(registry.find, names)]
    show(rows, json, lambda: say("\n".join(f"{row['name']} would be blacklisted. {row['said']}" for row in rows)))


def _many(names: list[str], json: bool, action: str, sentence: str, **wish: Any) -> None:
    """Act on each domain separately; exit with code 1 if any was refused."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains.effect import effect_of
        from gleanery.domains.effect import sentence as effect_sentence
        from gleanery.domains.facts import facts_of
        from gleanery.review.sources import bulk

        done, refused = bulk.decide(at_terminal(), action, names, bulk.Wish(**wish))
        rows = [{**facts_of(domain), "effect": effect_of(domain)} for domain in done]
        said = [f"{sentence.format(**row)} {effect_sentence(row['effect'])}".strip() for row in rows]
    approval.show_done(rows, said, refused, json)


def _crawl_facts(domain: Any) -> dict[str, Any]:
    from gleanery.crawling import numbers
    from gleanery.crawling.schedule import refresh

    counts = numbers.page_counts(domain.pk)
    return {
        "next_look": refresh.next_crawl(domain)._asdict(),
        "page_counts": counts,
        "pages": numbers.refresh_plan(domain.pk, counts["pages"]),
        "unproductive": numbers.unproductive(domain.pk),
        "made_by_scripts": numbers.made_by_scripts(domain.pk),
    }


def _print_domain(facts: dict[str, Any], crawling: dict[str, Any]) -> None:
    look, counts, pages = crawling["next_look"], crawling["page_counts"], crawling["pages"]
    when = f"{look['at']:%Y-%m-%d %H:%M}: " if look["at"] else ""
    known = f"{counts['pages']} known, {counts['due']} due, {counts['changed_last_time']} changed when last read"
    table([*facts.items(), ("next_look", when + look["reason"]), ("pages", known)], "", "", empty="")
    if crawling["made_by_scripts"]:
        say(f"\n{crawling['made_by_scripts']}")
    if pages:
        say("")
        rows = [[each["due_at"], each["url"], each["due_reason"]] for each in pages[:PAGES_SHOWN]]
        table(rows, "due", "page", "reason", empty="")
    if len(pages) > PAGES_SHOWN:
        say(f"... and {len(pages) - PAGES_SHOWN} more; --json shows all.")
    if crawling["unproductive"]:
        say("\nNothing found on these pages in 90 days:")
        say("\n".join(crawling["unproductive"]))


approval.add_to(app)

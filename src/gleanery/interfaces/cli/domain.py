"""`gleanery domain`: the registry of domains."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gleanery.interfaces.cli import approval
from gleanery.interfaces.cli.output import Json, say, show, table
from gleanery.interfaces.cli.runtime import application

app = typer.Typer(
    no_args_is_help=True, help="Domains: the sources that were found, what was decided, and the blacklist."
)

Name = Annotated[str, typer.Argument(help="A domain, in any spelling, or an address on it.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept in the journal.")]
COLUMNS = ("name", "processing_status", "approval_status", "discovered_at", "last_seen_at")
PAGES_SHOWN = 20


@app.command("list")
def list_domains(
    status: Annotated[str, typer.Option(help="Only those of this processing status.")] = "",
    approval_status: Annotated[str, typer.Option("--approval", help="Only those of this approval status.")] = "",
    containing: Annotated[str, typer.Option(help="Only those whose name contains this.")] = "",
    most: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    json: Json = False,
) -> None:
    """Show the domains that were found, the newest first."""
    with application():
        from gleanery.domains.models import Domain

        found = Domain.objects.filter(name__icontains=containing).order_by("-id")
        wanted = {"processing_status": status, "approval_status": approval_status}
        found = found.filter(**{name: value for name, value in wanted.items() if value})
        rows, total = [_facts(each) for each in found[:most]], found.count()
    cells = [[row[each] for each in COLUMNS] for row in rows]
    spare = ("last_seen_at", "discovered_at")
    show(rows, json, lambda: table(cells, *COLUMNS, empty="There are no such domains.", total=total, spare=spare))


@app.command("show")
def show_domain(name: Name, json: Json = False) -> None:
    """Show what is known about a domain, and when each of its pages is looked at again."""
    with application():
        from gleanery.domains import registry
        from gleanery.domains.models import Domain
        from gleanery.domains.quality import FIGURES, with_quality

        domain = with_quality(Domain.objects.filter(pk=registry.find(name).pk)).get()
        figures = {each: getattr(domain, each) for each in FIGURES}
        facts = {**_facts(domain), **figures, **approval.approval_facts(domain)}
        crawling = _crawl_facts(domain)
    show({**facts, **crawling}, json, lambda: _print_domain(facts, crawling))


@app.command("blacklist")
def blacklist(
    names: Annotated[list[str], typer.Argument(help="One or more domains.")], reason: Reason, json: Json = False
) -> None:
    """Never search, show or crawl these again; unknown ones are added to the list."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains import services

        done, refused = services.blacklist_many(at_terminal(), names, reason)
        rows = [_facts(domain) for domain in done]
    said = {"done": rows, "refused": [{"given": each.given, "reason": each.reason} for each in refused]}
    lines = [f"{row['name']} is blacklisted." for row in rows] + [f"{each.given}: {each.reason}" for each in refused]
    show(said, json, lambda: say("\n".join(lines)))
    if refused:
        raise typer.Exit(1)


@app.command("lift")
def lift(name: Name, reason: Reason, json: Json = False) -> None:
    """Take a domain off the blacklist; it begins anew."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains import registry, services

        facts = _facts(services.lift(at_terminal(), registry.find(name), reason))
    show(facts, json, lambda: say(f"{facts['name']} is {facts['processing_status']} again."))


@app.command("no-funds")
def no_funds(
    name: Name, year: Annotated[int, typer.Option(help="The year that has nothing to give.")], json: Json = False
) -> None:
    """An honest source has nothing to give this year: look again when a new one has begun."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains import registry, services

        facts = _facts(services.no_funds(at_terminal(), registry.find(name), year))
    show(facts, json, lambda: say(f"{facts['name']} is looked at again after {year}."))


def _crawl_facts(domain: Any) -> dict[str, Any]:
    from gleanery.crawling import numbers, refresh

    counts = numbers.page_counts(domain.pk)
    return {
        "next_look": refresh.next_look(domain)._asdict(),
        "page_counts": counts,
        "pages": numbers.refresh_plan(domain.pk, counts["pages"]),
        "unproductive": numbers.unproductive(domain.pk),
    }


def _print_domain(facts: dict[str, Any], crawling: dict[str, Any]) -> None:
    look, counts, pages = crawling["next_look"], crawling["page_counts"], crawling["pages"]
    when = f"{look['at']:%Y-%m-%d %H:%M}: " if look["at"] else ""
    known = f"{counts['pages']} known, {counts['due']} due, {counts['changed_last_time']} changed when last looked at"
    table([*facts.items(), ("next_look", when + look["reason"]), ("pages", known)], "", "", empty="")
    if pages:
        say("")
        rows = [[each["due_at"], each["url"], each["due_reason"]] for each in pages[:PAGES_SHOWN]]
        table(rows, "due", "page", "why then", empty="")
    if len(pages) > PAGES_SHOWN:
        say(f"... and {len(pages) - PAGES_SHOWN} more; --json shows all.")
    if crawling["unproductive"]:
        say("\nNothing was found on these in 90 days:")
        say("\n".join(crawling["unproductive"]))


def _facts(domain: Any) -> dict[str, Any]:
    shown = ("id", "name", "registrable", "processing_status", "approval_status", "discovered_at", "last_seen_at")
    return {**{each: getattr(domain, each) for each in shown}, "blacklist_reason": domain.blacklist_reason}


approval.add_to(app)

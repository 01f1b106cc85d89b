"""`gleanery feed`: lists, adds, checks and removes the feeds of sources."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gleanery.errors import NotFound
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show, table
from gleanery.text import counted

app = typer.Typer(no_args_is_help=True, help="Feeds: calendars, APIs and syndication that sources offer.")

Which = Annotated[str, typer.Argument(metavar="FEED", help="Its address or id, or how the id begins.")]
COLUMNS = ("id", "domain", "label", "title", "state", "events", "due_at", "url")
SPARE = ("title", "due_at", "label")


@app.command("list")
def list_feeds(
    domain: Annotated[str, typer.Argument(help="Only those of this source.")] = "",
    state: Annotated[str, typer.Option(help="Only those in this state; needed to see removed feeds.")] = "",
    most: Annotated[int, typer.Option(min=1, max=10_000)] = 100,
    json: Json = False,
) -> None:
    """Show the feeds of sources, the newest first."""
    with application():
        from gleanery.feeds.feed_details import select_feeds

        found = select_feeds(domain or None, state or None).order_by("-id")
        rows, total = [feed_facts(each) for each in found[:most]], found.count()
    cells = [[row[each] for each in COLUMNS] for row in rows]
    show(rows, json, lambda: table(cells, *COLUMNS, empty="No matching feeds.", total=total, spare=SPARE))


@app.command("add")
def add(
    domain: Annotated[str, typer.Argument(help="The source that the feed belongs to.")],
    url: Annotated[str, typer.Argument(help="The address of the feed.")],
    json: Json = False,
) -> None:
    """Add a feed to a source, or add a removed one again; it is read once to check that it works."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains import registry
        from gleanery.feeds.reading import checking

        facts = feed_facts(checking.add(at_terminal(), registry.find(domain), url))
    said = "read from now on" if facts["state"] == "approved" else "read when its source is approved"
    show(facts, json, lambda: say(f"{facts['label']} of {facts['domain']} is {said}."))


@app.command("check")
def check(
    feed: Annotated[str, typer.Argument(metavar="FEED", help="A feed by its id, or any address.")], json: Json = False
) -> None:
    """Read a feed or an address now and show what it contains; nothing is stored."""
    with application():
        from gleanery.feeds.reading import checking

        known = _known(feed)
        facts = (checking.check_feed(known) if known else checking.check(feed)).as_dict()
    show(facts, json, lambda: _print_checked(facts))


@app.command("remove")
def remove(
    feed: Which,
    reason: Annotated[str, typer.Option(help="Why; it is kept in the journal.")] = "",
    json: Json = False,
) -> None:
    """Remove a feed from its source for good; its events stay, marked as no longer seen."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.feeds import services

        facts = feed_facts(services.remove(at_terminal(), _find(feed), reason))
    show(facts, json, lambda: say(f"{facts['url']} is no longer a feed of {facts['domain']}."))


def feed_facts(feed: Any) -> dict[str, Any]:
    from gleanery.feeds.feed_details import feed_details

    return {**feed_details(feed), "domain": feed.domain.name}


def _find(given: str) -> Any:
    found = _known(given)
    if found is None:
        raise NotFound(f"There is no feed {given!r}. To see all feeds, run `gleanery feed list`.")
    return found


def _known(given: str) -> Any:
    """Find a feed by its address, its id or a unique beginning of the id."""
    from django.db.models import Q, TextField
    from django.db.models.functions import Cast

    from gleanery.feeds.models import Feed

    rows = Feed.objects.select_related("domain").annotate(text=Cast("id", TextField()))
    found = rows.filter(Q(url=given.strip()) | Q(text__startswith=given.strip().lower())).order_by("-id")[:2]
    return found[0] if len(found) == 1 else None


def print_feeds(feeds: list[dict[str, Any]]) -> None:
    """Print feeds from the dossier of a source."""
    for each in feeds:
        say(f"\nFeed {each['id']}: {each['title'] or each['label']} ({each['label']}, {each['state']})")
        say(f"  {each['url']}\n  {each['sentence']}")
        _print_brings(each)


def _print_checked(facts: dict[str, Any]) -> None:
    title = f" “{facts['title']}”" if facts["title"] else ""
    say(f"{facts['label']}{title}: {counted(facts['events'], 'event')} on {counted(facts['pages'], 'page')}.")
    _print_brings(facts)
    say("Nothing was stored.")


def _print_brings(facts: dict[str, Any]) -> None:
    rows = [[each.get("start"), each.get("name"), each.get("venue_name")] for each in facts["sample"]]
    if rows:
        table(rows, "starts", "event", "at", empty="")
    for problem in facts["problems"]:
        say(f"! {problem}")

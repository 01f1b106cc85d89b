"""`gleanery webhook`: addresses that changes are sent to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gleanery.errors import NotFound
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show, table

app = typer.Typer(no_args_is_help=True, help="Webhooks: addresses that changes of public records are sent to.")

Which = Annotated[str, typer.Argument(metavar="WEBHOOK", help="Its id, the beginning of its id, or its address.")]
COLUMNS = ("id", "url", "kinds", "query", "status", "failing_since")


@app.command("list")
def list_webhooks(json: Json = False) -> None:
    """Show all webhooks, without their secrets."""
    with application():
        from gleanery.publishing.webhooks.models import Webhook

        rows = [facts_of(each) for each in Webhook.objects.exclude(status="removed").order_by("created_at")]
    cells = [[", ".join(row[each]) if each == "kinds" else row[each] for each in COLUMNS] for row in rows]
    empty = "There are no webhooks yet. To add one, run `gleanery webhook add https://example.org/hook`."
    show(rows, json, lambda: table(cells, *COLUMNS, empty=empty, spare=("failing_since", "query")))


@app.command("add")
def add(
    url: Annotated[str, typer.Argument(help="Where changes are sent by POST.")],
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind of record; may be repeated.")] = None,
    search: Annotated[str, typer.Option(help="Only what this search finds: place=Sofia&free=1.")] = "",
    json: Json = False,
) -> None:
    """Send future changes to an address, and print the secret that verifies them; it is shown only once."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.publishing.webhooks import services

        webhook, secret = services.add(at_terminal(), url, kind or (), search)
        facts = {**facts_of(webhook), "secret": secret}
    show(facts, json, lambda: say(f"Copy the secret now. It is shown only once:\n  {secret}"))


@app.command("test")
def send_test(webhook: Which, json: Json = False) -> None:
    """Send a test message now and show what came back."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.publishing.webhooks import services

        sent = services.test(at_terminal(), _find(webhook))
        facts = {"message": sent.message_id, "outcome": sent.outcome, "answer": sent.answer}
    show(facts, json, lambda: say(facts["answer"]))
    if facts["outcome"] != "delivered":
        raise typer.Exit(1)


@app.command("disable")
def disable(webhook: Which, reason: str = "", json: Json = False) -> None:
    """Stop sending to a webhook until it is enabled."""
    _act(
        webhook,
        lambda actor, row: _services().disable(actor, row, reason),
        "receives nothing until it is enabled",
        json,
    )


@app.command("enable")
def enable(webhook: Which, json: Json = False) -> None:
    """Enable a webhook again; it continues where it stopped."""
    _act(
        webhook,
        lambda actor, row: _services().enable(actor, row),
        "receives changes again, from where it stopped",
        json,
    )


@app.command("remove")
def remove(webhook: Which, reason: str = "", json: Json = False) -> None:
    """Remove a webhook."""
    _act(webhook, lambda actor, row: _services().remove(actor, row, reason), "is removed", json)


def facts_of(webhook: Any) -> dict[str, Any]:
    facts = {name: getattr(webhook, name) for name in ("url", "kinds", "query", "status", "status_reason")}
    return {"id": str(webhook.pk), **facts, "failing_since": webhook.failing_since, "created_at": webhook.created_at}


def _act(which: str, act: Callable[[Any, Any], Any], said: str, json: bool) -> None:
    with application():
        from gleanery.accounts.actor import at_terminal

        facts = facts_of(act(at_terminal(), _find(which)))
    show(facts, json, lambda: say(f"{facts['url']} {said}."))


def _services() -> Any:
    """Import the services, which is possible only once Django is set up."""
    from gleanery.publishing.webhooks import services

    return services


def _find(given: str) -> Any:
    """Find a webhook by its address, its id or a unique beginning of the id."""
    from django.db.models import Q, TextField
    from django.db.models.functions import Cast

    from gleanery.publishing.webhooks.models import Webhook

    rows = Webhook.objects.exclude(status="removed").annotate(text=Cast("id", TextField()))
    found = rows.filter(Q(url=given.strip()) | Q(text__startswith=given.strip().lower()))[:2]
    if len(found) != 1:
        raise NotFound(f"There is no webhook {given!r}. To see all webhooks, run `gleanery webhook list`.")
    return found[0]

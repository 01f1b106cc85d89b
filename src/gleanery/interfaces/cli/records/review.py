"""`gleanery review`: shows the review queue and decides about its items."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import typer

from gleanery.errors import NotFound
from gleanery.interfaces.cli.records import causes
from gleanery.interfaces.cli.records.record import print_shown, record_facts
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.sources.approval import Depth, Frequency, LeaveOut, Rate, Why
from gleanery.interfaces.cli.sources.contacts import print_contacts
from gleanery.interfaces.cli.sources.feed import print_feeds
from gleanery.interfaces.cli.terminal.output import Json, must_be_one_of, say, show, table

app = typer.Typer(no_args_is_help=True, help="The review queue: sources and records that wait for a decision.")
app.command("causes")(causes.list_causes)
app.command("together")(causes.decide_together)

Which = Annotated[
    str, typer.Argument(metavar="ITEM", help="The id of an item or its record, or its beginning; or a domain.")
]
COLUMNS = (
    "id",
    "name",
    "kind",
    "confidence",
    "topic",
    "came",
    "submitted_by",
    "submission_context",
    "warnings",
    "preview",
    "claimed_by",
    "status",
)
SPARE = ("submission_context", "submitted_by", "preview", "topic", "came", "confidence", "kind", "claimed_by", "status")
EMPTY = "Nothing is waiting for review."


@app.command("list")
def list_items(
    status: Annotated[str, typer.Option(help="Only those of this status; '' for all.")] = "pending",
    kind: Annotated[str, typer.Option(help="Only source or record.")] = "",
    warning: Annotated[
        str, typer.Option(help="Only those with this warning; `duplicates` means any possible duplicate.")
    ] = "",
    topic: Annotated[str, typer.Option(help="Only those of this topic.")] = "",
    most: Annotated[int, typer.Option(min=1, max=10_000)] = 50,
    json: Json = False,
) -> None:
    """Show items of the review queue, the newest first."""
    with application():
        from gleanery.review.queue.item_list import filtered, queue, unique_id_length

        _check(status, kind, warning)
        found = filtered(queue(), status=status, kind=kind, warning=warning, topic=topic).order_by("-id")
        rows, total = [item_facts(item) for item in found[:most]], found.count()
        letters = unique_id_length(row["id"] for row in rows)
    asked = [name for name, given in (("status", status), ("kind", kind), ("topic", topic)) if given]
    cells = [[str(row["id"])[:letters], *(_cell(row, each) for each in COLUMNS[1:])] for row in rows]
    show(rows, json, lambda: table(cells, *COLUMNS, empty=EMPTY, total=total, spare=[*asked, *SPARE]))


def _check(status: str, kind: str, warning: str) -> None:
    from gleanery.review.life import ITEM, KINDS
    from gleanery.review.queue.item_list import DUPLICATES
    from gleanery.review.queue.warning_codes import CODES

    must_be_one_of(ITEM.states, status, "status of a review item")
    must_be_one_of(KINDS, kind, "kind of review item")
    must_be_one_of((DUPLICATES, *CODES), warning, "warning")


def _cell(row: dict[str, Any], column: str) -> Any:
    """Return a cell of the list; repeated warnings are counted, and a missing preview stays empty."""
    if column != "warnings":
        return "" if row[column] == "none" else row[column]
    return ", ".join(code if count == 1 else f"{code} ×{count}" for code, count in Counter(row["warnings"]).items())


@app.command("show")
def show_item(item: Which, json: Json = False) -> None:
    """Show an item with its dossier, warnings and possible duplicates."""
    with application():
        facts = _detail(_find(item))
    show(facts, json, lambda: _print(facts))


@app.command("approve")
def approve(
    item: Which,
    depth: Depth = None,
    rate: Rate = None,
    frequency: Frequency = None,
    leave_out: LeaveOut = None,
    json: Json = False,
) -> None:
    """Approve an item: a source is crawled from now on, a record is published."""
    _decide(item, json, "approve", depth=depth, rate=rate, frequency=frequency, leave_out=leave_out or ())


@app.command("reject")
def reject(
    item: Which,
    reason: Why,
    blacklist: Annotated[bool, typer.Option("--blacklist", help="Never search for it again.")] = False,
    json: Json = False,
) -> None:
    """Reject an item, with a reason; a rejected record is deleted."""
    _decide(item, json, "reject", reason=reason, blacklist=blacklist)


@app.command("merge")
def merge(
    item: Which,
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A record named in a warning: its id, or its beginning.")
    ],
    json: Json = False,
) -> None:
    """Merge a record into a possible duplicate."""
    _decide(item, json, "merge", merge_into=lambda found: _candidate(found, target))


@app.command("undo")
def undo(item: Which, json: Json = False) -> None:
    """Undo a decision; the item waits for review again."""
    _decide(item, json, "undo")


@app.command("claim")
def claim(item: Which, json: Json = False) -> None:
    """Claim an item for 15 minutes, so that nobody else decides about it."""
    _hold(item, json, "claim", "You have claimed {} for 15 minutes.")


@app.command("release")
def release(item: Which, json: Json = False) -> None:
    """Release a claimed item, so that others can decide about it."""
    _hold(item, json, "release", "{} is released.")


def _decide(given: str, json: bool, action: str, **details: Any) -> None:
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.review.services import decide

        item = _find(given)
        details = {name: value(item) if callable(value) else value for name, value in details.items()}
        said = decide(at_terminal(), item, action, **details).said
        facts = {**_detail(item), "said": said}
    show(facts, json, lambda: say(said))


def _candidate(item: Any, given: str) -> str:
    """Complete the id if its beginning is unique; else return it as given, so that the refusal names the choices."""
    from gleanery.review.records.record_decisions import candidates

    found = [each for each in candidates(item) if each.startswith(given.strip().lower())]
    return found[0] if len(found) == 1 else given


def _hold(given: str, json: bool, action: str, sentence: str) -> None:
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.review.queue import claims

        item = _find(given)
        getattr(claims, action)(at_terminal(), item)
        facts = _detail(item)
    show(facts, json, lambda: say(sentence.format(facts["item"]["name"])))


def _find(given: str) -> Any:
    """Find an item by its id, its record, a unique beginning of either, or its domain; of several, the newest."""
    from django.db.models import Q, TextField
    from django.db.models.functions import Cast, Coalesce

    from gleanery.domains import registry
    from gleanery.review.queue.item_list import queue

    if "." in given:
        found = queue().filter(domain=registry.find(given))
    else:
        begin, texts = given.strip().lower(), {"text": Cast("id", TextField()), "about": Cast("record_id", TextField())}
        found = queue().annotate(**texts).filter(Q(text__startswith=begin) | Q(about__startswith=begin))
    # A record whose merge was undone has two items, but is one subject.
    subjects = found.values_list(Coalesce("domain_id", "record_id"), flat=True).order_by().distinct()[:2]
    if len(subjects) != 1:
        many = "more than one item begins with" if found else "there is no review item for"
        raise NotFound(f"{many.capitalize()} {given!r}. To see all items, run `gleanery review list`.")
    return found.order_by("-id")[0]


def item_facts(item: Any) -> dict[str, Any]:
    from gleanery.review.queue import claims
    from gleanery.review.queue.item_list import submitter_of

    shown = ("id", "kind", "status", "version", "topic", "confidence", "came", "preview", "opened_at", "decided_at")
    return {
        **{each: getattr(item, each) for each in shown},
        "domain": item.domain.name if item.domain else "",
        "record": item.record_id,
        "name": item.domain.name if item.domain else str(item),
        "submitted_by": submitter_of(item) or "",
        "submission_context": item.domain.submission_context if item.domain else "",
        "warnings": [warning.code for warning in item.warnings.all()],
        "reason": item.reason,
        "claimed_by": claims.holder_of(item),
        "claimed_until": item.claimed_until if claims.is_claimed(item) else None,
        "decided_by": str(item.decided_by) if item.decided_by else "",
    }


def _detail(item: Any) -> dict[str, Any]:
    from gleanery.accounts.actor import at_terminal
    from gleanery.resolution.presenting.record_detail import shown
    from gleanery.review.queue.item_list import queue
    from gleanery.review.queue.warning_text import name_now
    from gleanery.review.records.record_decisions import taken_for
    from gleanery.review.services import allowed_actions
    from gleanery.review.sources.dossier import dossier_of

    item = queue().get(pk=item.pk)
    name_now([item])
    return {
        "item": item_facts(item),
        "warnings": [
            {"code": each.code, "sentence": each.sentence, "detail": each.detail} for each in item.warnings.all()
        ],
        "dossier": dossier_of(item.domain).as_dict() if item.domain else None,
        "record": shown(item.record).as_dict() if item.record else None,
        "candidates": [record_facts(each) for each in taken_for(item)],
        "allowed_actions": allowed_actions(at_terminal(), item),
    }


def _print(facts: dict[str, Any]) -> None:
    item = facts["item"]
    say(f"{item['name']}: {item['status']}" + (f", claimed by {item['claimed_by']}" if item["claimed_by"] else ""))
    for warning in facts["warnings"]:
        say(f"! {warning['sentence']}{_named(warning['detail'])}")
    if facts["dossier"]:
        _print_source(facts["dossier"])
    if facts["record"]:
        print_shown(facts["record"])
    say(f"\nPossible actions: {', '.join(facts['allowed_actions']) or 'none'}.")


def _named(detail: dict[str, Any]) -> str:
    """Return the record ids of a warning, for `merge` and `record why`, or the e-mail address of a reporter."""
    ids = detail.get("records") or [detail.get("duplicate_of") or detail.get("email")]
    return f" ({', '.join(ids)})" if all(ids) else ""


def _print_found(found: list[dict[str, Any]]) -> None:
    if found:
        say("\nRecords:" if found[0]["record"] else "\nFound on its pages:")
        table([[each["kind"], each["name"], each["day"], each["status"]] for each in found], "", "", "", "", empty="")


def _print_source(dossier: dict[str, Any]) -> None:
    if judged := dossier["judged"]:
        say(f"\nJudged for {judged['topic']}: {judged['confidence']}")
        for each in judged["evidence"]:
            say(f"  {each['confidence']}  {each['title'] or each['url']}\n        {' '.join(each['sentences'])}")
    if submitted := dossier["submitted"]:
        say(f"\nSubmitted by {submitted['by']}. {submitted['context']}")
        for said in submitted["also"]:
            say(f"  {said['at']:%Y-%m-%d %H:%M}  {said['given']}  {said['context']}")
    say(f"\n{dossier['preview']['sentence']}")
    pages = [[each["status"], each["state"], each["title"], each["url"]] for each in dossier["preview"]["pages"]]
    if pages:
        table(pages, "", "", "title", "url", empty="")
    print_feeds(dossier["feeds"])
    _print_found(dossier["records"])
    print_contacts(dossier["contacts"])
    _print_counts("Links to", dossier["outbound"])
    _print_counts("Structured data", dossier["types"])
    _print_earlier(dossier)


def _print_counts(title: str, counts: list[tuple[str, int]]) -> None:
    if counts:
        say(f"\n{title}: {', '.join(f'{name} ({count})' for name, count in counts)}")


def _print_earlier(dossier: dict[str, Any]) -> None:
    columns = ("name", "approval_status", "processing_status", "reason", "at", "by")
    if dossier["siblings"]:
        say("\nOther domains of the same name:")
        table([[each[column] for column in columns] for each in dossier["siblings"]], *columns, empty="")
    if dossier["decisions"]:
        say("\nEarlier decisions:")
        rows = [[each["at"], each["by"], each["action"], each["reason"]] for each in dossier["decisions"]]
        table(rows, "at", "by", "action", "reason", empty="")

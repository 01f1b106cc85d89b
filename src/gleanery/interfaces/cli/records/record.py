"""`gleanery record`: shows, edits and merges records."""

from __future__ import annotations

import json as text_of_json
from collections.abc import Callable
from typing import Annotated, Any

import typer

from gleanery import words
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.interfaces.cli.records.points_chart import print_why
from gleanery.interfaces.cli.runtime import application, store_of
from gleanery.interfaces.cli.sources.approval import Why
from gleanery.interfaces.cli.terminal.output import Json, must_be_one_of, say, show, table

app = typer.Typer(
    no_args_is_help=True, help="Records: one per event, service, place and so on, with the sources of each value."
)

Which = Annotated[str, typer.Argument(metavar="RECORD", help="The id of a record, or its beginning.")]
COLUMNS = ("id", "kind", "status", "name", "start_date", "deadline", "sources")
SPARE = ("sources", "deadline", "start_date", "kind", "status")
LONGEST = 80


@app.command("list")
def list_records(  # noqa: PLR0913, PLR0917  # each is an option of the command
    kind: Annotated[str, typer.Option(help="Only those of this kind.")] = "",
    status: Annotated[
        str, typer.Option(help="Only those of this status; '' for all but merged and deleted ones.")
    ] = "",
    containing: Annotated[str, typer.Option(help="Only those whose name contains this.")] = "",
    source: Annotated[str, typer.Option(help="Only those of this source, such as a domain.")] = "",
    note: Annotated[str, typer.Option(help="Only those with this note.")] = "",
    most: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    json: Json = False,
) -> None:
    """Show the records, the newest first; merged and deleted ones only if asked for."""
    from gleanery.extraction.note_codes import NOTES
    from gleanery.kinds import KINDS
    from gleanery.resolution.records.life import RECORD

    must_be_one_of(KINDS, kind, "kind of record")
    must_be_one_of(RECORD.states, status, "status of a record")
    must_be_one_of(NOTES, note, "note")
    with application() as settings:
        from gleanery.resolution.presenting.record_list import filtered, with_source_counts

        found = filtered(kind=kind, status=status, containing=containing, source=source, note=note)
        rows, total = [facts_of(each) for each in with_source_counts(found[:most])], found.count()
    asked = kind or status or containing or source or note
    cells = [[row[each] for each in COLUMNS] for row in rows]
    empty = "No matching records." if asked else f"There are no records yet in {store_of(settings)}."
    show(rows, json, lambda: table(cells, *COLUMNS, empty=empty, total=total, spare=SPARE))


@app.command("show")
def show_record(record: Which, json: Json = False) -> None:
    """Show a record: each value and its source, other values, and its history."""
    with application():
        facts = record_facts(_find(record))
    show(facts, json, lambda: _print(facts))


@app.command("edit")
def edit(
    record: Which,
    values: Annotated[list[str], typer.Argument(metavar="FIELD=VALUE ...", help="FIELD= clears it.")],
    version: Annotated[int | None, typer.Option(help="The version that you saw; a newer one is a conflict.")] = None,
    json: Json = False,
) -> None:
    """Edit fields of a record; no later crawl or import changes an edit."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.resolution import services

        row = _find(record)
        services.edit(at_terminal(), row, dict(map(_assignment, values)), version)
        facts = record_facts(row)
    show(
        facts,
        json,
        lambda: say(f"{facts['record']['name']} was changed. It is now version {facts['record']['version']}."),
    )


@app.command("merge")
def merge(
    loser: Annotated[str, typer.Argument(help="The record to merge into the other.")],
    survivor: Annotated[str, typer.Argument(help="The record that stays.")],
    json: Json = False,
) -> None:
    """Merge a record into another one, with all its sources and values; this can be undone."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.resolution import services

        gone, kept = _find(loser), _find(survivor)
        services.merge(at_terminal(), gone, kept)
        facts = record_facts(kept)
    show(facts, json, lambda: say(f"{gone.name} was merged into {kept.name}. To undo this:  {_undo(gone.pk)}"))


def _undo(gone: Any) -> str:
    return f"gleanery record unmerge {gone}"


@app.command("unmerge")
def unmerge(record: Which, json: Json = False) -> None:
    """Undo a merge; RECORD is the one that was merged into another."""
    _do(record, json, "unmerge", "{name} is a separate record again.", check=_must_be_merged)


def _must_be_merged(row: Any) -> None:
    """Refuse the surviving record of a merge, and name the ones that were merged into it."""
    facts = record_facts(row)
    record = facts["record"]
    parts = [each for each in facts["merges"] if each["survivor"] == record["id"] and not each["undone_at"]]
    if parts and not record["merged_into"]:
        undo = "".join(f"\n  {_undo(each['loser'])}  ({each['loser_name']})" for each in parts)
        raise Conflict(
            f"{record['name']} was not merged into another record. To split off the ones merged into it:{undo}"
        )


@app.command("delete")
def delete(record: Which, reason: Why, json: Json = False) -> None:
    """Delete a record, with a reason; it does not reappear, even if its sources still mention it."""
    _do(record, json, "delete", "{name} was deleted.", reason)


@app.command("restore")
def restore(record: Which, json: Json = False) -> None:
    """Restore a deleted record."""
    _do(record, json, "restore", "{name} was restored.")


@app.command("why")
def why(
    one: Annotated[str, typer.Argument(metavar="A", help="The id of a record, or its beginning.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The id of another record, or its beginning.")],
    json: Json = False,
) -> None:
    """Show why two records are considered the same or different, in points."""
    with application():
        from gleanery.resolution.presenting.why import why as explained

        reasons = explained(_find(one), _find(other))
        facts = reasons.as_dict()
    show(facts, json, lambda: print_why(reasons))


def _do(
    record: str, json: bool, action: str, sentence: str, *details: Any, check: Callable[[Any], None] | None = None
) -> None:
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.resolution import services

        row = _find(record)
        if check:
            check(row)
        getattr(services, action)(at_terminal(), row, *details)
        facts = record_facts(row)
    show(facts, json, lambda: say(sentence.format(**facts["record"])))


def _assignment(text: str) -> tuple[str, Any]:
    """Split FIELD=VALUE; values that look like JSON lists, objects or strings are parsed, all others are text."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise Invalid(f"{text!r} is not an edit. Write FIELD=VALUE.")
    try:
        return name.strip(), text_of_json.loads(value) if value[:1] in ("[", "{", '"') else value or None
    except ValueError:
        return name.strip(), value


def _find(given: str) -> Any:
    """Find a record by its id or a unique beginning of it."""
    from gleanery.resolution.presenting.record_list import beginning_with

    found = beginning_with(given.strip().lower())
    if len(found) != 1:
        many = "more than one record begins with" if found else "there is no record"
        raise NotFound(f"{many.capitalize()} {given!r}. To see all records, run `gleanery record list`.")
    return found[0]


def facts_of(record: Any) -> dict[str, Any]:
    shown = ("id", "kind", "status", "name", "start_date", "deadline", "version", "notes", "published_at", "updated_at")
    return {**{each: getattr(record, each) for each in shown}, "sources": getattr(record, "n_sources", None)}


def record_facts(record: Any) -> dict[str, Any]:
    from gleanery.resolution.presenting.record_detail import shown
    from gleanery.resolution.services import find_record

    row = find_record(record.pk)
    return {
        "record": {**facts_of(row), "fields": row.fields, "merged_into": row.merged_into_id},
        **shown(row).as_dict(),
    }


def _print(facts: dict[str, Any]) -> None:
    record = facts["record"]
    say(f"{record['name']}: {record['kind']}, {record['status']}, version {record['version']}")
    if record["notes"]:
        say(f"Notes: {', '.join(map(words.of, record['notes']))}.")
    if end := facts["part_of"]:
        say(f"It was merged into {end['name']} ({end['id']}), which has its sources now.")
        say("These were its values when it was merged:")
    print_shown(facts)


def print_shown(facts: dict[str, Any]) -> None:
    rows = [[each["name"], _cut(each["value"]), _origin(each)] for each in facts["values"]]
    table(rows, "field", "value", "source", empty="It has no values.")
    offers = [
        [each["name"], _cut(other["value"]), f"{other['source']} ({other['trust']})"]
        for each in facts["values"]
        for other in each["others"]
    ]
    if offers:
        say("\nOther values:")
        table(offers, "field", "value", "source", empty="")
    if facts["occurrences"]:
        say("\nTimes: " + ", ".join(each["told"] for each in facts["occurrences"]))
    for each in facts["names"]:
        say(f"{each['role'].capitalize()}: {each['name']} ({each['id']})")
    _print_merges(facts["merges"])
    for title, key, columns in (
        ("Named by", "named_by", ("id", "kind", "name", "status")),
        ("Sources", "observations", ("source", "trust", "external_id", "url", "last_seen", "not_seen_since")),
        ("History", "history", ("at", "by", "action", "reason")),
    ):
        if facts[key]:
            say(f"\n{title}:")
            cells = [[each[column] for column in columns] for each in facts[key]]
            table(cells, *columns, empty="", spare=("not_seen_since", "external_id", "trust", "last_seen", "status"))


def _print_merges(merges: list[dict[str, Any]]) -> None:
    """Print merges as sentences, because two ids are too wide for a table."""
    if merges:
        say("\nMerges:")
    for each in merges:
        parts = [f"{each[f'{which}_name']} ({each[which]})" for which in ("loser", "survivor")]
        undone = f", undone {each['undone_at']:%Y-%m-%d %H:%M}" if each["undone_at"] else ""
        say(f"{each['at']:%Y-%m-%d %H:%M}  {' was merged into '.join(parts)}, by {each['by']}{undone}")


def _origin(value: dict[str, Any]) -> str:
    if value["by"] == "edit":
        return f"edited by {value['source']}"
    return f"{value['source'] or 'a source that no longer says it'} ({value['trust']})"


def _cut(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else text_of_json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

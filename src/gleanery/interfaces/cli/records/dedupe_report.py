"""Report of `gleanery dedupe`: first the values that could not be read, then the pairs found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from gleanery.interfaces.cli.records.import_columns import print_columns
from gleanery.interfaces.cli.terminal.output import err, out, say, table
from gleanery.text import counted

FEW = 5
MOST_SHOWN = 20
MOST_LISTED = 1_000  # repeated ids, in JSON
BANDS = {"auto": "the same", "review": "probably the same: check them", "none": "probably different"}
# How to write values of a type so that they can be read.
WRITE = {
    "moment": "Write dates like 2026-05-17 or 17.05.2026.",
    "day": "Write dates like 2026-05-17 or 17.05.2026.",
    "number": "Write numbers like 1250 or 1250.50.",
    "latitude": "Write positions in degrees, like 42.6977.",
    "longitude": "Write positions in degrees, like 23.3219.",
    "web address": "Write web addresses like https://example.org/page.",
}


def facts_of(found: Any, files: Sequence[str]) -> dict[str, Any]:
    report = found.report
    bands = {band: sum(each.band == band for each in found.pairs) for band in BANDS}
    return {
        "files": list(files),
        "rows": report.rows,
        "compared": sum(report.compared),
        **bands,
        "clusters": found.clusters,
        "unreadable": report.unreadable,
        "refusals": report.refusals,
        "unreadable_values": dict(sorted(report.lost.items())),
        "unreadable_examples": dict(sorted(report.examples.items())),
        "repeated_ids": len(report.repeated),
        "repeated_id_rows": [each._asdict() for each in report.repeated[:MOST_LISTED]],
        "unknown_columns": sorted(report.unknown_columns),
        "taken_columns": report.taken_columns,
    }


def print_found(facts: dict[str, Any], kind: str, pairs: Sequence[Any], problem: str) -> None:
    """Print the report; on standard error if the pairs go to standard output.

    `problem`: why there was nothing to compare, if so.
    """
    to = out if facts["output"] else err
    for warning in (*_unreadable_values(facts, kind), *_repeated_ids(facts)):
        say(warning, to=to)
    if problem:
        say(problem, to=to)
    else:
        _print_bands(facts, to)
        _print_pairs(pairs, to)
    print_columns(facts, kind, refused=facts["unreadable"], to=to)
    _print_refused(facts, to)


def nothing_to_compare(rows: int, compared: Sequence[int], names: Sequence[str], *, link_only: bool) -> str:
    """Return why nothing can be compared, or an empty text. `compared`: readable rows per file; `rows`: all rows."""
    readable = sum(compared)
    if link_only and readable and not all(compared):
        return f"There is nothing to compare: no row of {names[list(compared).index(0)]} could be read."
    if readable > 1:
        return ""
    if not rows:
        return f"There is nothing to compare: {' and '.join(names)} {'have' if len(names) > 1 else 'has'} no rows."
    if rows == 1:
        return f"There is nothing to compare: there is only one row{'' if readable else ', and it could not be read'}."
    read = "only one" if readable else "none"
    return f"There is nothing to compare: of {counted(rows, 'row')} {read} could be read."


def _unreadable_values(facts: dict[str, Any], kind: str) -> list[str]:
    """Return a warning per field with unreadable values, with an example and how to write them."""
    from gleanery.kinds import KINDS

    warnings = []
    for name, count in facts["unreadable_values"].items():
        example, write = facts["unreadable_examples"][name], WRITE.get(KINDS[kind].fields[name], "")
        where = f"line {example['line']}" + (f" of {example['file']}" if len(facts["files"]) > 1 else "")
        share = f"{count} of {counted(facts['compared'], 'row')} ({where}: “{example['value']}”)"
        warnings.append(f"! {name} could not be read in {share}, so it is not compared there. {write}".rstrip())
    return warnings


def _repeated_ids(facts: dict[str, Any]) -> list[str]:
    if not facts["repeated_ids"]:
        return []
    first = facts["repeated_id_rows"][0]
    lines = f"{', '.join(map(str, first['lines'][:-1][:FEW]))} and {first['lines'][-1]}"
    occur = "occurs" if facts["repeated_ids"] == 1 else "occur"
    return [
        f"! {counted(facts['repeated_ids'], 'id')} {occur} more than once in a file (“{first['id']}” in lines {lines} "
        f"of {first['file']}). Such rows are listed by file and line instead, like a:{first['lines'][0]}."
    ]


def _print_bands(facts: dict[str, Any], to: Console) -> None:
    where = f"in {facts['output']}" if facts["output"] else "listed"
    beside = f" ({facts['unreadable']} more could not be read)" if facts["unreadable"] else ""
    say(f"{counted(facts['compared'], 'row')} compared{beside}. These pairs are {where}:", to=to)
    table([[facts[band], band, said] for band, said in BANDS.items()], "", "band", "", empty="", to=to)
    say(f"{counted(facts['clusters'], 'cluster')} of rows that are probably the same.", to=to)


def _print_pairs(pairs: Sequence[Any], to: Console) -> None:
    """Print a few pairs by name: the surest, and those that a person should check first."""
    sure = [each for each in pairs if each.band == "auto"][:FEW]
    doubtful = [each for each in pairs if each.band == "review"][-FEW:]
    for title, some in (("The surest pairs", sure), ("The pairs to check first", doubtful)):
        if some:
            say(f"\n{title}:", to=to)
        for each in some:
            say(f"{each.probability:.4f}  {each.name_a} ({each.id_a}) = {each.name_b} ({each.id_b})?", to=to)


def _print_refused(facts: dict[str, Any], to: Console) -> None:
    if not facts["refusals"]:
        return
    say(f"\n{counted(facts['unreadable'], 'row')} could not be read:", to=to)
    rows = [[each["file"], each["line"], each["reason"]] for each in facts["refusals"][:MOST_SHOWN]]
    table(rows, "file", "line", "reason", empty="", to=to)
    if (more := facts["unreadable"] - MOST_SHOWN) > 0:
        say(f"... and {more} more. Use --json to see all.", to=to)

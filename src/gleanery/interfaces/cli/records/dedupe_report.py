"""What `gleanery dedupe` says of what it read and found: first what was lost on the way, then the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from gleanery.interfaces.cli.records.import_columns import print_columns
from gleanery.interfaces.cli.terminal.output import err, out, say, table
from gleanery.text import counted

FEW = 5
MOST_SHOWN = 20
MOST_LISTED = 1_000  # ids that stand more than once, in JSON
BANDS = {"auto": "surely one", "review": "likely one: look at them", "none": "perhaps one, rather not"}
# How a value of a type is written so that it is understood.
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


def print_found(facts: dict[str, Any], kind: str, pairs: Sequence[Any], nothing: str) -> None:
    """Beside the pairs, if these go to stdout: whoever pipes them on reads it all the same.

    `nothing`: why there was nothing to compare, if so.
    """
    to = out if facts["output"] else err
    for warning in (*_lost(facts, kind), *_repeated(facts)):
        say(warning, to=to)
    if nothing:
        say(nothing, to=to)
    else:
        _print_bands(facts, to)
        _print_pairs(pairs, to)
    print_columns(facts, kind, refused=facts["unreadable"], to=to)
    _print_refused(facts, to)


def nothing_to_compare(rows: int, compared: Sequence[int], names: Sequence[str], *, link_only: bool) -> str:
    """`compared`: how many rows of each file could be read; `rows`: how many there are in all."""
    readable = sum(compared)
    if link_only and readable and not all(compared):
        return f"There is nothing to compare: {names[list(compared).index(0)]} has no row that could be read."
    if readable > 1:
        return ""
    if not rows:
        return f"There is nothing to compare: {' and '.join(names)} {'have' if len(names) > 1 else 'has'} no rows."
    if rows == 1:
        return f"There is nothing to compare: there is only one row{'' if readable else ', and it could not be read'}."
    read = "only one" if readable else "none"
    return f"There is nothing to compare: of {counted(rows, 'row')} {read} could be read."


def _lost(facts: dict[str, Any], kind: str) -> list[str]:
    from gleanery.kinds import KINDS

    said = []
    for name, count in facts["unreadable_values"].items():
        example, write = facts["unreadable_examples"][name], WRITE.get(KINDS[kind].fields[name], "")
        where = f"line {example['line']}" + (f" of {example['file']}" if len(facts["files"]) > 1 else "")
        share = f"{count} of {counted(facts['compared'], 'row')} ({where}: “{example['value']}”)"
        left_out = "left out, so pairs are judged without it."
        said.append(f"! {name} could not be read in {share}: {left_out} {write}".rstrip())
    return said


def _repeated(facts: dict[str, Any]) -> list[str]:
    if not facts["repeated_ids"]:
        return []
    first = facts["repeated_id_rows"][0]
    lines = f"{', '.join(map(str, first['lines'][:-1][:FEW]))} and {first['lines'][-1]}"
    stand = "stands" if facts["repeated_ids"] == 1 else "stand"
    return [
        f"! {counted(facts['repeated_ids'], 'id')} {stand} more than once in a file (“{first['id']}” in lines {lines} "
        f"of {first['file']}): such rows are called by file and line instead, like a:{first['lines'][0]}."
    ]


def _print_bands(facts: dict[str, Any], to: Console) -> None:
    where = f"in {facts['output']}" if facts["output"] else "listed"
    beside = f" ({facts['unreadable']} more could not be read)" if facts["unreadable"] else ""
    say(f"Of {counted(facts['compared'], 'row')}{beside} these pairs are {where}:", to=to)
    table([[facts[band], band, said] for band, said in BANDS.items()], "", "band", "", empty="", to=to)
    say(f"{counted(facts['clusters'], 'cluster')} of rows that are likely one thing each.", to=to)


def _print_pairs(pairs: Sequence[Any], to: Console) -> None:
    """A few by their names: the surest, and those that a person should look at first."""
    sure = [each for each in pairs if each.band == "auto"][:FEW]
    doubtful = [each for each in pairs if each.band == "review"][-FEW:]
    for title, some in (("The surest", sure), ("The most doubtful that are likely one", doubtful)):
        if some:
            say(f"\n{title}:", to=to)
        for each in some:
            say(f"{each.probability:.4f}  {each.name_a} ({each.id_a}) = {each.name_b} ({each.id_b})?", to=to)


def _print_refused(facts: dict[str, Any], to: Console) -> None:
    if not facts["refusals"]:
        return
    say(f"\n{counted(facts['unreadable'], 'row')} could not be read:", to=to)
    rows = [[each["file"], each["line"], each["reason"]] for each in facts["refusals"][:MOST_SHOWN]]
    table(rows, "file", "line", "because", empty="", to=to)
    if (more := facts["unreadable"] - MOST_SHOWN) > 0:
        say(f"... and {more} more; --json lists them.", to=to)

"""Lists in a narrow terminal: less important columns are dropped, never ids and names; pipes get all columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from gleanery.interfaces.cli.terminal import table_fitting
from tests.interfaces.conftest import Run, told
from tests.interfaces.terminal import on_a_terminal

COLUMNS = ("id", "kind", "status", "name", "start_date", "sources")
SPARE = ("sources", "start_date", "kind", "status")
ID = "01a1e2db-130a-7fd7-9f15-b41ea68db16e"
ROW = [ID, "organization", "in_review", "Association of the friends of the town library", "2027-04-01", "2"]
LONG = "Association of the friends of the town library of Veliko Tarnovo and of its branches"


@pytest.mark.parametrize(
    ("room", "there"),
    [(200, COLUMNS), (95, COLUMNS[:5]), (80, COLUMNS[:4]), (70, ("id", "status", "name")), (10, ("id", "name"))],
)
def test_narrow_terminals_show_fewer_columns(room: int, there: tuple[str, ...]) -> None:
    assert tuple(COLUMNS[at] for at in table_fitting.kept(COLUMNS, [ROW], SPARE, room)) == there


def test_empty_columns_are_dropped_first() -> None:
    rows = [[*ROW[:4], "", "2"]]
    there = [COLUMNS[at] for at in table_fitting.kept(COLUMNS, rows, SPARE, 88)]
    assert there == ["id", "kind", "status", "name", "sources"]


def test_a_pipe_gets_complete_rows() -> None:
    header, first, second = table_fitting.lines(COLUMNS, [ROW, [*ROW[:3], "Читалище\n„Искра“", "", "14"]])
    assert first.split("  ") == ROW
    assert second.startswith(ID)
    assert "Читалище „Искра“" in second
    assert header.index("sources") == first.index("2", first.index("2027-04-01") + 10) == second.index("14")


@pytest.mark.xdist_group("fitting")
def test_a_list_is_readable_at_80_columns_and_complete_in_a_pipe(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"name": LONG, "locality": "Veliko Tarnovo"}))
    told(run("import", str(file), "--source", "x", "--kind", "organization", "--json"))
    (record,) = told(run("record", "list", "--json"))
    piped = run.anew("record", "list", COLUMNS="80").stdout.splitlines()
    assert len(piped) == 2
    assert LONG in piped[1]
    assert piped[0].split() == ["id", "kind", "status", "name", "start_date", "deadline", "sources"]
    seen = on_a_terminal(run, "record", "list")
    assert all(cell_len(line) <= 80 for line in seen)
    assert record["id"] in seen[1]
    words = " ".join(" ".join(line.split()) for line in seen)
    assert all(word in words for word in LONG.split())
    assert "No room for sources" in words

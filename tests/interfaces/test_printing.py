"""Whatever sources, files and arguments hold, a terminal is told nothing but text."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

from gleanery.interfaces.cli.terminal import output
from gleanery.text import for_a_terminal, for_json
from tests.interfaces.conftest import ROOT, Run, told

# Fill the clipboard, set the title, clear the screen by an 8-bit control, write over the line, turn the text round.
ORDERS = "\x1b]52;c;cm0gLXJm\x07\x1b]0;owned\x1b\\\x9b2J\rok\x08\x08\u202egpj.exe\u202c\u2067x"
MARKUP = "[red]sale[/] [link=https://evil.example]here[/link] :bomb: [/nothing] \\"
FORBIDDEN = [chr(each).encode() for each in (*range(0x80, 0xA0), 0x202A, 0x202E, 0x2066, 0x2067)]


def seen_on_a_terminal(run: Run, *arguments: str) -> bytes:
    ours, theirs = pty.openpty()
    environment = run.environment | {"TERM": "xterm-256color"}
    command = [sys.executable, "-m", "gleanery", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=theirs, stderr=theirs, stdin=theirs):
        os.close(theirs)
        seen = b""
        while some := _read(ours):
            seen += some
    os.close(ours)
    return seen


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody is at the other end any more
        return b""


def orders_in(seen: bytes) -> list[bytes]:
    """Rich itself colours text and moves a progress bar by sequences that begin with ESC and a bracket."""
    found = [each for each in (b"\x07", b"\x08", b"\rok", *FORBIDDEN) if each in seen]
    return found + re.findall(rb"\x1b[^\[].{,20}", seen)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Two rows that are likely one and one that is refused, each with orders in its id, its name and its column."""
    rows = [
        {"id": f"one{ORDERS}", "name": f"Rex Jazz {MARKUP}{ORDERS}Bar", "locality": "Sofia", f"odd{ORDERS}": "x"},
        {"id": f"two{ORDERS}", "name": f"Rex Jazz {MARKUP} Bar", "locality": "Sofia", "lat": ORDERS},
        {"id": f"three{ORDERS}", "locality": ORDERS},
        {"id": "x" * 501 + ORDERS, "name": "Long"},
    ]
    file = tmp_path / "hostile[red].jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


@pytest.mark.parametrize("more", [(), ("--names",), ("--json",)])
def test_dedupe_prints_no_control_sequences(run: Run, hostile: Path, more: tuple[str, ...]) -> None:
    seen = seen_on_a_terminal(run, "dedupe", str(hostile), "--kind", "place", *more)
    assert b"Rex Jazz" in seen
    assert orders_in(seen) == []


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_imports_and_record_commands_print_no_control_sequences(run: Run, hostile: Path, more: tuple[str, ...]) -> None:
    source = f"feed{ORDERS} [bold]x[/]"
    for command in (
        ("import", str(hostile), "--source", source, "--kind", "place"),
        ("record", "list"),
        ("record", "show", ORDERS),
    ):
        seen = seen_on_a_terminal(run, *command, *more)
        assert orders_in(seen) == [], command
        assert len(seen) > len(ORDERS), command
    assert b"[red]sale[/]" in seen_on_a_terminal(run, "record", "list", *more)


def test_usage_errors_contain_no_control_sequences(run: Run, tmp_path: Path) -> None:
    for command in (
        ("dedupe", str(tmp_path / f"{ORDERS}.csv"), "--kind", "place"),
        (f"no{ORDERS}",),
    ):
        seen = seen_on_a_terminal(run, *command)
        assert b"Error" in seen, command
        assert orders_in(seen) == [], command


def test_file_names_are_not_read_as_markup(run: Run, hostile: Path) -> None:
    assert b"hostile[red" in seen_on_a_terminal(run, "import", str(hostile), "--source", "x", "--kind", "place")


@pytest.mark.parametrize("name", ["dedupe", "import"])
def test_an_id_that_is_too_long_is_refused_in_a_sentence(run: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / "ids.jsonl"
    ids = ("x" * 500, "y" * 501, "y" * 502)
    file.write_text("\n".join(json.dumps({"id": each, "name": f"Hall {each[:1]}", "locality": "Ruse"}) for each in ids))
    given = () if name == "dedupe" else ("--source", "long ids", "--dry-run")
    report = told(run(name, str(file), "--kind", "place", *given, "--json"))
    assert [each["line"] for each in report["refusals"]] == [2, 3]
    assert "The id has 501 characters; at most 500 are allowed." in report["refusals"][0]["reason"]


@given(st.text())
def test_only_control_sequences_are_removed(text: str) -> None:
    cleaned = for_a_terminal(text)
    assert all(each in "\n\t" or each >= " " for each in cleaned)
    assert not set(cleaned) & {*map(chr, range(0x7F, 0xA0)), *"\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2069"}
    assert for_a_terminal(cleaned) == cleaned
    cleaned.encode()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_escaped_json_has_the_same_meaning(text: str) -> None:
    document = for_json(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(document) == {text: text}
    assert for_a_terminal(document) == document


def test_cells_of_a_table_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    grid = Table(MARKUP)
    grid.add_row(ORDERS + MARKUP)
    output.draw(grid)
    shown = capsys.readouterr().out
    assert for_a_terminal(shown) == shown
    assert "[link=" in shown


def test_tracebacks_contain_no_control_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    output.complain_of_crash(ValueError, ValueError(ORDERS + "\udc80"), None)
    shown = capsys.readouterr().err
    assert "ValueError" in shown
    assert for_a_terminal(shown) == shown

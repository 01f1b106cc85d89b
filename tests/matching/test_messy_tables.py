"""`gleanery dedupe` with messy tables: losses are reported first, and nothing is skipped silently."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gleanery.interfaces.cli.records.dedupe_report import WRITE
from gleanery.interfaces.cli.records.kind_names import kind_meant
from gleanery.kinds import KINDS
from gleanery.matching.facts import READ
from tests.matching.test_dedupe import COLUMNS, command

TWINS = "The Rex Jazz Bar,194 Queen St W\nRex Jazz Bar,194 Queen Street West\n"
CONCERT = "BEGIN:VEVENT\nUID:{}\nSUMMARY:Jazz Night\nDTSTART:20190312T190000Z\nLOCATION:The Rex\nEND:VEVENT\n"


def run(folder: Path, text: str, *options: str, kind: str = "place", name: str = "a.csv") -> Any:
    (folder / name).write_text(text)
    return command(str(folder / name), "--kind", kind, *options)


def facts(folder: Path, text: str, **more: Any) -> dict[str, Any]:
    answer = run(folder, text, "--json", **more)
    assert answer.returncode == 0, answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_duplicate_columns_are_refused_with_a_sentence(tmp_path: Path) -> None:
    text = "name,phone,Phone,address\n" + "Hall,1,2,Main St 1\n" * 50  # more than is read before it is refused
    answer = run(tmp_path, text, "-o", str(tmp_path / "out.csv"))
    assert answer.returncode == 1
    assert answer.stderr.startswith("Error: Two columns mean phone")
    assert len(answer.stderr.splitlines()) == 1


def test_a_title_line_and_an_excel_separator_line_are_skipped(tmp_path: Path) -> None:
    text = "sep=,\nOur places 2025,\n\nname,address\n" + TWINS
    assert [(each["id_a"], each["id_b"]) for each in facts(tmp_path, text)["pairs"]] == [("a:5", "a:6")]


def test_past_events_are_compared(tmp_path: Path) -> None:
    text = "BEGIN:VCALENDAR\n" + CONCERT.format("one") + CONCERT.format("two") + "END:VCALENDAR\n"
    found = facts(tmp_path, text, kind="event", name="a.ics")
    assert (found["compared"], found["unreadable"]) == (2, 0)
    assert [(each["id_a"], each["id_b"]) for each in found["pairs"]] == [("one", "two")]


WEEKS = "name,start\nJazz,2026-05-17\nJazz Night,week 20\nJazz Day,week 21\n"


def test_unreadable_values_are_reported_first_with_an_example_and_advice(tmp_path: Path) -> None:
    said = run(tmp_path, WEEKS, kind="event").stderr
    assert said.startswith(
        "! start could not be read in 2 of 3 rows (line 3: “week 20”), so it is not compared there. "
        "Write dates like 2026-05-17 or 17.05.2026.\n"
    )
    found = facts(tmp_path, WEEKS, kind="event")
    assert found["unreadable_values"] == {"start": 2}
    assert found["unreadable_examples"] == {"start": {"file": "a.csv", "line": 3, "value": "week 20"}}


def test_the_file_of_an_unreadable_value_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("name\nHall\n")
    said = run(tmp_path, WEEKS, str(tmp_path / "b.csv"), kind="event").stderr
    assert "in 2 of 4 rows (line 3 of a.csv: “week 20”)" in said


def test_every_type_of_value_has_advice() -> None:
    types = {KINDS[kind].fields[name] for kind in KINDS for name in READ if name in KINDS[kind].fields}
    assert types - WRITE.keys() <= {"text", "long text", "texts", "times", "yes or no"}


REPEATED = "id,name,address\n7," + TWINS.replace("\n", "\n7,", 1) + "8,Hall,Main St 1\n"


def test_rows_with_the_same_id_are_named_by_line_with_a_notice(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    said = run(tmp_path, REPEATED, "-o", str(output)).stdout
    assert said.startswith(
        "! 1 id occurs more than once in a file (“7” in lines 2 and 3 of a.csv). "
        "Such rows are listed by file and line instead, like a:2.\n"
    )
    _, pair = csv.reader(output.read_text().splitlines())
    assert pair[:2] == ["a:2", "a:3"]
    found = facts(tmp_path, REPEATED)
    assert found["repeated_ids"] == 1
    assert found["repeated_id_rows"] == [{"file": "a.csv", "id": "7", "lines": [2, 3]}]


def test_an_id_used_once_in_each_of_two_files_is_kept(tmp_path: Path) -> None:
    one, other = (f"id,name,address\n7,{each}\n" for each in TWINS.splitlines())
    (tmp_path / "b.csv").write_text(other)
    found = json.loads(run(tmp_path, one, str(tmp_path / "b.csv"), "--json").stdout)
    assert [(each["id_a"], each["id_b"]) for each in found["pairs"]] == [("7", "7")]
    assert found["repeated_ids"] == 0


def test_repeated_ids_in_the_second_file_use_its_letter(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text(REPEATED)
    found = json.loads(run(tmp_path, "id,name\n7,Mill\n", str(tmp_path / "b.csv"), "--json").stdout)
    assert [(each["id_a"], each["id_b"]) for each in found["pairs"]] == [("b:2", "b:3")]
    assert found["repeated_id_rows"] == [{"file": "b.csv", "id": "7", "lines": [2, 3]}]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("name,address\n", 0, "a.csv has no rows."),
        ("name,address\nHall,Main St 1\n", 0, "there is only one row."),
        ("name,address\nHall,Main St 1\n,Main St 2\n", 0, "of 2 rows only one could be read."),
        ("name,address\n,Main St 1\n", 1, "there is only one row, and it could not be read."),
        ("name,address\n,Main St 1\n,Main St 2\n", 1, "of 2 rows none could be read."),
    ],
)
def test_a_file_with_nothing_to_compare_gets_one_sentence(tmp_path: Path, text: str, code: int, said: str) -> None:
    output = tmp_path / "out.csv"
    answer = run(tmp_path, text, "-o", str(output))
    assert answer.returncode == code
    assert answer.stdout.startswith(f"There is nothing to compare: {said}\n")
    assert "band" not in answer.stdout
    assert output.read_text().splitlines() == [",".join(COLUMNS)]


def test_an_empty_file_has_no_pairs_with_another(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("name,address\n")
    both = run(tmp_path, f"name,address\n{TWINS}", str(tmp_path / "b.csv"), "--link-only")
    assert both.stderr.startswith("There is nothing to compare: no row of b.csv could be read.\n")
    assert run(tmp_path, "name\n", str(tmp_path / "b.csv")).stderr.startswith(
        "There is nothing to compare: a.csv and b.csv have no rows.\n"
    )


def test_only_compared_rows_are_counted(tmp_path: Path) -> None:
    text = f"name,address\n{TWINS},Main St 2\n"
    assert run(tmp_path, text).stderr.startswith(
        "2 rows compared (1 more could not be read). These pairs are listed:\n"
    )
    assert run(tmp_path, f"name,address\n{TWINS}").stderr.startswith("2 rows compared. These pairs are listed:\n")
    found = facts(tmp_path, text)
    assert (found["rows"], found["compared"], found["unreadable"]) == (3, 2, 1)


@pytest.mark.parametrize("kind", ["organisation", "business", "Organization"])
def test_business_is_accepted_as_organization_in_any_spelling(tmp_path: Path, kind: str) -> None:
    assert kind_meant(kind) == "organization"
    assert facts(tmp_path, f"name,address\n{TWINS}", kind=kind)["compared"] == 2


def test_a_pipe_is_refused_with_an_alternative() -> None:
    answer = command("-", "--kind", "place")
    assert answer.returncode == 1
    assert answer.stderr == (
        "Error: Input from a pipe cannot be compared, because each file is read twice. Save it to a file first.\n"
    )


def test_columns_recognised_under_another_name_are_reported(tmp_path: Path) -> None:
    found = facts(tmp_path, f"Title,Street Address\n{TWINS}")
    assert found["taken_columns"] == {"Title": "name", "Street Address": "address"}
    assert found["compared"] == 2


def test_the_output_of_dedupe_can_be_read_as_a_table(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    run(tmp_path, f"name,address\n{TWINS}", "-o", str(output))
    assert output.read_bytes().startswith(b"id_a,")

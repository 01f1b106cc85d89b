"""Messy tables, with a title above the columns or Excel's separator line, and calendars with past events."""

from __future__ import annotations

import gc
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gleanery.errors import Invalid
from gleanery.resolution.importing.columns import Columns, read_renames
from gleanery.resolution.importing.files import BadRow, Row, read_rows
from gleanery.resolution.importing.table_head import MOST_ABOVE, head_of

TODAY = date(2027, 3, 1)


def rows(folder: Path, text: str, kind: str = "place", renames: str = "", **more: Any) -> list[Row | BadRow]:
    """Yield the rows of a real file of this name."""
    form = "icalendar" if text.startswith("BEGIN:VCALENDAR") else "csv"
    path = folder / "file"
    path.write_text(text, newline="")
    with path.open("rb") as file:
        return list(read_rows(file, form, Columns(kind, read_renames(renames)), TODAY, **more))


def told(folder: Path, text: str, **more: Any) -> list[tuple[int, dict[str, Any]]]:
    found = rows(folder, text, **more)
    assert all(isinstance(each, Row) for each in found), found
    return [(each.line, each.fields) for each in found if isinstance(each, Row)]


HALL = {"name": "Hall; old", "phone": "1"}


def test_a_refused_header_leaves_nothing_behind_that_complains_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    with pytest.raises(Invalid, match="Two columns mean phone"):
        rows(tmp_path, "name,phone,Phone,address\n" + "Hall,1,2,Main St 1\n" * 50)
    gc.collect()
    assert complaints == []


@pytest.mark.parametrize(
    ("first", "separator"),
    [("sep=;", ";"), ("SEP=,", ","), ("sep=\t", "\t"), ("sep=\\t", "\t"), ('"sep=|"', "|"), ("sep=^", "^")],
)
def test_the_first_line_of_excel_tells_the_separator_and_is_no_header(
    tmp_path: Path, first: str, separator: str
) -> None:
    # The header alone would speak for another separator.
    header = separator.join(("name", "a;b;c,d,e|f|g" if separator not in ";,|" else "phone"))
    text = f"{first}\r\n{header}\r\n{separator.join(('Hall', '1'))}\r\n"
    ((line, fields),) = told(tmp_path, text)
    assert (line, fields["name"]) == (3, "Hall")


def test_a_title_may_stand_below_the_first_line_of_excel(tmp_path: Path) -> None:
    assert told(tmp_path, 'sep=;\nContacts, all\n\nname;phone\n"Hall; old";1\n') == [(5, HALL)]


@pytest.mark.parametrize(
    "above",
    [
        "Contact list 2025,,,\n",
        "Contact list 2025,,,\n\n",
        "Contact list 2025,,,\n,,,\nas of May,,,\n\n",
        '"Contact list, 2025",,,\n',
        ",,Contact list,\n",
        "Contact list 2025\n\n",
        "Contacts; all; 2025\n",
        "\n\n",
        "Phone,,,\n",
        "x,,,\n" * MOST_ABOVE,
    ],
)
def test_a_title_above_the_columns_is_passed_over_and_lines_are_counted_as_in_the_file(
    tmp_path: Path, above: str
) -> None:
    header, line = "name,phone,address,colour\n", above.count("\n") + 2
    assert told(tmp_path, above + header + "Hall; old,1,,\n") == [(line, HALL)]


def test_a_padded_title_needs_no_column_that_is_known_below_it(tmp_path: Path) -> None:
    columns = Columns("place")
    path = tmp_path / "file"
    path.write_text("Contact list;;\nFoo;Bar;Baz\n1;2;3\n")
    with path.open("rb") as file:
        assert list(read_rows(file, "csv", columns, TODAY)) == [BadRow(3, "It has no name.")]


@pytest.mark.parametrize("above", ["x,,\n" * (MOST_ABOVE + 1), "Contacts,of May,\n"])
def test_more_than_a_title_is_taken_for_the_columns(tmp_path: Path, above: str) -> None:
    assert all(isinstance(each, BadRow) for each in rows(tmp_path, above + "name,phone,\nHall,1,\n"))


@pytest.mark.parametrize(
    ("text", "renames", "expected"),
    [
        ("name\nHall\nMill; old\n", "", [(2, {"name": "Hall"}), (3, {"name": "Mill; old"})]),
        ("name\n\nHall\n", "", [(3, {"name": "Hall"})]),
        ("Foo\nHall; old\n", "Foo=name", [(2, {"name": "Hall; old"})]),
        ("name,,\nHall,,\n", "", [(2, {"name": "Hall"})]),
        ("name,phone\nHall\nMill,2\n", "", [(2, {"name": "Hall"}), (3, {"name": "Mill", "phone": "2"})]),
    ],
)
def test_a_file_of_one_column_has_no_title(
    tmp_path: Path, text: str, renames: str, expected: list[tuple[int, dict[str, Any]]]
) -> None:
    assert told(tmp_path, text, renames=renames) == expected


def test_a_row_with_a_cell_too_many_does_not_become_the_header_of_a_file_of_one_column(tmp_path: Path) -> None:
    assert rows(tmp_path, "name\nHall, Sofia\n") == [
        BadRow(2, "It has 2 cells, but the first line names 1 column."),
    ]
    assert rows(tmp_path, "List,,\nname,phone,\nHall,1,2,3\n") == [
        BadRow(3, "It has 4 cells, but line 2 names 3 columns."),
    ]


def test_a_header_that_cannot_be_read_is_not_called_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"Line 1 should name the columns.*never closed"):
        rows(tmp_path, '"name,phone\nHall,1\n')


def test_a_line_longer_than_any_cell_is_no_title() -> None:
    assert head_of(["x" * 200_000, "name,phone"], lambda cell: True).above == 0
    assert head_of([], lambda cell: True) == (0, ",")


def event(uid: str, *more: str, day: str = "20270401", clock: str = "T190000Z") -> str:
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", "SUMMARY:Concert", f"DTSTART:{day}{clock}", *more, "END:VEVENT"])


CALENDAR = "\r\n".join(
    [
        "BEGIN:VCALENDAR",
        event("ahead"),
        event("over", day="20200101"),
        event("course", "RRULE:FREQ=WEEKLY;COUNT=3", day="20200108"),
        event("weekly", "RRULE:FREQ=WEEKLY", day="20200101"),
        event("never", day="20201399"),
        event("", day="20190101"),
        "END:VCALENDAR",
    ]
)


def test_whoever_stores_nothing_reads_events_that_are_over_as_well(tmp_path: Path) -> None:
    found = rows(tmp_path, CALENDAR, "event", with_past=True)
    starts = {each.external_id: each.fields["start"][:10] for each in found if isinstance(each, Row)}
    without_uid = next(own for own in starts if own not in CALENDAR)
    assert starts == {
        "ahead": "2027-04-01",
        "over": "2020-01-01",
        "course": "2020-01-08",
        "weekly": "2027-03-03",
        without_uid: "2019-01-01",
    }
    assert [each for each in found if isinstance(each, BadRow)] == [
        BadRow(24, "The start of the event, “20201399T190000Z”, is not a date (DTSTART).")
    ]


def test_an_import_leaves_out_what_is_over_and_gives_the_one_reason(tmp_path: Path) -> None:
    found = rows(tmp_path, CALENDAR, "event")
    assert {each.external_id for each in found if isinstance(each, Row)} == {"ahead", "weekly"}
    assert {each.line: each.reason for each in found if isinstance(each, BadRow)} == {
        7: "The event ended more than 30 days ago.",
        12: "The series has no date within the next 180 days.",
        24: "The start of the event, “20201399T190000Z”, is not a date (DTSTART).",
        29: "The event ended more than 30 days ago.",
    }


def test_the_name_of_a_column_may_go_on_in_the_next_line(tmp_path: Path) -> None:
    ((_, fields),) = told(tmp_path, '"Postal\ncode",name,address\n1000,Alpha,Main St 1\n')
    assert fields == {"postal_code": "1000", "name": "Alpha", "address": "Main St 1"}


def test_a_file_of_one_column_keeps_its_rows_though_one_of_them_looks_like_a_header(tmp_path: Path) -> None:
    found = rows(tmp_path, "name\nAlpha\naddress, phone\nBeta\n")
    assert [each.fields["name"] for each in found if isinstance(each, Row)] == ["Alpha", "Beta"]

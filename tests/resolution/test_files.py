"""Files are read row by row; a bad row is reported with its line and never stops the others."""

from __future__ import annotations

import io
import json
import re
import tracemalloc
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.errors import Invalid
from gleanery.resolution.importing.columns import Columns, read_renames
from gleanery.resolution.importing.files import BadRow, Row, form_of, read_rows
from gleanery.resolution.importing.hash_set import HashSet
from gleanery.resolution.records.values import value_of

TODAY = date(2027, 3, 1)


def rows(text: str | bytes, form: str = "csv", kind: str = "place", renames: str = "") -> list[Row | BadRow]:
    body = text.encode() if isinstance(text, str) else text
    return list(read_rows(io.BytesIO(body), form, Columns(kind, read_renames(renames)), TODAY))


def fields(text: str | bytes, form: str = "csv", **more: Any) -> list[dict[str, Any]]:
    found = rows(text, form, **more)
    assert all(isinstance(each, Row) for each in found), found
    return [each.fields for each in found if isinstance(each, Row)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_table_is_read_whatever_separates_its_cells(separator: str) -> None:
    text = separator.join(("name", "locality")) + "\r\n" + separator.join(("Hall", "Sofia")) + "\r\n"
    assert fields(text) == [{"name": "Hall", "locality": "Sofia"}]


def test_quotes_hold_separators_quotes_and_line_breaks_together() -> None:
    text = 'name;description\n"Hall; ""Old""";"first\nsecond"\nOther;5" pipe\n'
    found = rows(text)
    assert [each.line for each in found] == [2, 4]
    assert fields(text) == [
        {"name": 'Hall; "Old"', "description": "first\nsecond"},
        {"name": "Other", "description": '5" pipe'},
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
def test_a_table_is_read_in_the_encoding_that_it_has(encoding: str) -> None:
    text = "name,locality\nСтарата фабрика,София\n".encode(encoding)
    assert fields(text) == [{"name": "Старата фабрика", "locality": "София"}]


def test_letters_of_another_encoding_may_come_late_in_the_file() -> None:
    text = b"name,locality\n" + b"Hall,Sofia\n" * 10_000 + "Старата фабрика,София\n".encode("cp1251")
    assert fields(text)[-1] == {"name": "Старата фабрика", "locality": "София"}


def test_names_of_columns_may_be_spelled_otherwise_and_renamed() -> None:
    text = "Site name,Zip,Postal Code X,COUNTRY\nHall,1000,?,BG\n"
    assert fields(text, renames="Site name=name,Zip=postal_code") == [
        {"name": "Hall", "postal_code": "1000", "country": "BG"}
    ]


@pytest.mark.parametrize(
    ("cell", "amount"), [("1,000", 1000), ("50.000", 50000), ("1 250 000", 1250000), ("12,5", 12.5), ("7.50", 7.5)]
)
def test_an_amount_may_be_written_with_its_thousands_apart(cell: str, amount: float) -> None:
    (told,) = fields(f'name,amount_max\nCall,"{cell}"\n', kind="funding")
    assert value_of("funding", "amount_max", told["amount_max"]) == amount


@pytest.mark.parametrize(
    ("renames", "sentence"),
    [
        ("Nom=name", "no column 'nom'"),
        ("Site name=naem", "'naem' is not a field of place"),
        ("Zip=name", "Two columns mean name"),
        ("nonsense", "does not name a column and a field"),
    ],
)
def test_a_renaming_that_cannot_be_is_refused_before_anything_is_read(renames: str, sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        rows("Site name,name,Zip\nHall,Hall,1000\n", renames=renames)


def test_a_bad_row_is_reported_with_its_line_and_stops_no_other() -> None:
    text = "name,locality\nHall,Sofia\n,Plovdiv\nA,B,C\nOther,Varna\n"
    good, nameless, wide, last = rows(text)
    assert isinstance(good, Row)
    assert nameless == BadRow(3, "It has no name.")
    assert wide == BadRow(4, "It has 3 cells, but the first line names 2 columns.")
    assert rows("name\nHall,Sofia\n") == [BadRow(2, "It has 2 cells, but the first line names 1 column.")]
    assert isinstance(last, Row)
    assert last.fields["name"] == "Other"


@pytest.mark.parametrize("length", [100_001, 120_000, 200_000])
def test_a_cell_that_is_too_long_costs_its_row_and_the_sentence_says_how_long_it_may_be(length: int) -> None:
    good, bad, after = rows(f"id,name\n1,Hall\n2,{'x' * length}\n3,Pool\n")
    assert bad == BadRow(3, "A cell of the row has more than 100,000 characters. Shorten it, or leave the column out.")
    assert isinstance(good, Row)
    assert isinstance(after, Row)
    assert [each.fields["name"] for each in (good, after)] == ["Hall", "Pool"]


def test_a_quote_that_nobody_closes_costs_one_row_only() -> None:
    text = 'name,locality\n"Hall,Sofia\n' + "".join(f"Place {number},Varna\n" for number in range(150))
    bad, *others = rows(text)
    assert bad == BadRow(2, "A quote that begins a cell is never closed.")
    assert len(others) == 150


def test_empty_lines_and_short_rows_are_no_problem() -> None:
    assert fields("name,locality\n\n,\nHall\n") == [{"name": "Hall"}]


def test_a_line_without_end_costs_itself() -> None:
    text = "name,locality\nHall," + "x" * 3_000_000 + "\nOther,Varna\n"
    bad, good = rows(text)
    assert isinstance(bad, BadRow)
    assert isinstance(good, Row)
    assert good.line == 3


def test_an_empty_file_says_what_is_missing() -> None:
    with pytest.raises(Invalid, match="first line must name the columns"):
        rows("")


def test_cells_are_understood_as_people_write_them() -> None:
    text = "name;lat;lon;url\nHall;42,69;23,32;www.hall.example/en\n"
    assert fields(text) == [{"name": "Hall", "lat": "42.69", "lon": "23.32", "url": "https://www.hall.example/en"}]
    assert fields("name,start\nConcert,5.3.2027 9:30\n", kind="event")[0]["start"] == "2027-03-05T09:30"


def test_json_lines_are_read_one_by_one() -> None:
    lines = [
        '\ufeff{"id": 7, "name": "Hall", "keywords": ["a", "b"], "strange": 1}',
        "",
        "{broken",
        "[1]",
        '{"kind": "event", "name": "X"}',
        '{"name": ' + "[" * 5_000 + "]" * 5_000 + "}",
    ]
    good, broken, listed, other, deep = rows("\n".join(lines), "jsonl", kind="")[:5]
    assert isinstance(good, BadRow)  # it does not say of what kind it is
    assert broken == BadRow(3, "The line is not JSON.")
    assert listed == BadRow(4, "The line is not a JSON object.")
    assert isinstance(other, Row)
    assert other.kind == "event"
    assert deep == BadRow(6, "The line is nested too deeply.")
    (row,) = rows(lines[0], "jsonl")
    assert isinstance(row, Row)
    assert (row.external_id, row.fields) == ("7", {"name": "Hall", "keywords": ["a", "b"]})
    assert row.original["strange"] == 1


def test_a_json_list_is_refused_with_advice() -> None:
    with pytest.raises(Invalid, match="on its own line"):
        rows('[{"name": "Hall"}]', "jsonl")


def test_columns_that_mean_nothing_are_remembered() -> None:
    columns = Columns("place")
    assert list(read_rows(io.BytesIO(b"name,Seats\nHall,20\n"), "csv", columns, TODAY))
    assert columns.unknown == {"Seats"}


def test_the_id_of_a_row_is_its_own_or_made_from_what_tells_it_apart() -> None:
    text = "name,locality,phone\nHall,Sofia,1\nHALL,sofia,2\nHall,Varna,3\n"
    first = [each.external_id for each in rows(text) if isinstance(each, Row)]
    again = [each.external_id for each in rows(text.replace(",1", ",9")) if isinstance(each, Row)]
    assert first == again
    assert len(set(first)) == 3
    (own,) = rows("id,source,name\n7,city,Hall\n")
    assert isinstance(own, Row)
    assert own.external_id == "city 7"


def test_two_times_of_one_event_are_two_rows() -> None:
    text = "name,start\nShow,2027-05-01T15:00\nShow,2027-05-01T19:00\n"
    assert len({each.external_id for each in rows(text, kind="event") if isinstance(each, Row)}) == 2


def event(uid: str, *more: str, day: str = "20270401", name: str = "Concert") -> str:
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{name}", f"DTSTART:{day}T190000Z", *more, "END:VEVENT"])


def test_a_calendar_gives_its_events_and_says_which_it_cannot_take() -> None:
    text = "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            event("a"),
            event("b", name=""),
            event("c", day="20200101"),
            event("a", "CLASS:PUBLIC"),
            "END:VCALENDAR",
        ]
    )
    found = rows(text, "icalendar", kind="")
    by_line = {each.line: each for each in found}
    good = by_line[2]
    assert isinstance(good, Row)
    assert (good.external_id, good.fields["name"], good.kind) == ("a", "Concert", "event")
    assert by_line[7] == BadRow(7, "The event has no name (SUMMARY).")
    assert "ended more than" in str(by_line[12])
    assert by_line[17] == BadRow(17, "The file has the same event again, or a later version of it.")


def test_a_calendar_of_any_size_keeps_what_was_moved_with_its_series() -> None:
    events = [event(f"n{number}") for number in range(1_500)]
    series = event("weekly", "RRULE:FREQ=WEEKLY;COUNT=3")
    cancelled = event("weekly", "RECURRENCE-ID:20270408T190000Z", "STATUS:CANCELLED", day="20270408")
    lonely = event("lonely", "RECURRENCE-ID:20270408T190000Z", day="20270409")
    text = "\r\n".join(["BEGIN:VCALENDAR", cancelled, lonely, *events, series, "END:VCALENDAR"])
    found = {each.external_id: each for each in rows(text, "icalendar", kind="event") if isinstance(each, Row)}
    assert len(found) == 1_502
    assert [each["start"][:10] for each in found["weekly"].fields["occurrences"]] == ["2027-04-01", "2027-04-15"]
    assert found["lonely#2027-04-08T19:00:00Z"].fields["start"][:10] == "2027-04-09"


def test_a_calendar_of_another_kind_is_refused() -> None:
    with pytest.raises(Invalid, match="events"):
        rows("BEGIN:VCALENDAR\nEND:VCALENDAR", "icalendar", kind="place")


def test_the_ending_of_a_name_gives_the_format() -> None:
    assert [form_of(name) for name in ("a.JSONL", "b.csv", "c.ics", "d.tsv")] == ["jsonl", "csv", "icalendar", "csv"]
    with pytest.raises(Invalid, match="must end in"):
        form_of("a.doc")
    with pytest.raises(Invalid, match=r"is a workbook.*export it from there as CSV"):
        form_of("a.XLSX")


def test_memory_stays_flat_however_long_the_file_is(tmp_path: Any) -> None:
    path = tmp_path / "long.csv"
    with path.open("w") as file:
        file.write("name,locality,description\n")
        file.writelines(f"Place {number % 100},Sofia,{'x' * 200}\n" for number in range(50_000))
    tracemalloc.start()
    try:
        with path.open("rb") as file:
            count = sum(isinstance(each, Row) for each in read_rows(file, "csv", Columns("place"), TODAY))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 50_000
    assert peak < 12_000_000


@given(st.lists(st.integers(1, 300)))
def test_what_was_seen_is_known_and_nothing_else(numbers: list[int]) -> None:
    seen, known = HashSet(), set()
    for number in numbers:
        assert seen.add(f"{number:016x}") == (number not in known)
        known.add(number)


@given(st.binary(max_size=2_000), st.sampled_from(["csv", "jsonl", "icalendar"]))
def test_no_file_makes_the_reader_fail(body: bytes, form: str) -> None:
    try:
        found = rows(body, form, kind="event")
    except Invalid:
        return
    assert all(each.line > 0 for each in found)
    json.dumps([list(each) for each in found], default=str)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"PK\x03\x04\x14\0\x06\0", "seems to be a workbook (.xlsx, .ods) or a ZIP archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "export it from there as CSV"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "seems to be a picture (PNG)"),
        (b"\x1f\x8b\x08\0", "unpack it first"),
        (b"%PDF-1.7\n", "seems to be a PDF document"),
        (bytes(range(256)) * 4, "is not a text file"),
    ],
)
@pytest.mark.parametrize("form", ["csv", "jsonl", "icalendar"])
def test_a_file_that_is_no_text_is_refused_with_what_it_seems_to_be(body: bytes, said: str, form: str) -> None:
    with pytest.raises(Invalid, match=re.escape(said)):
        rows(body, form, kind="event")


def test_odd_letters_here_and_there_are_text_all_the_same() -> None:
    assert fields(b"name,locality\nHa\x01ll\0,Sofia\n" + b"Mill,Varna\n" * 50)[1] == {
        "name": "Mill",
        "locality": "Varna",
    }

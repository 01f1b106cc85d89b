"""Exports: every format holds what is published and no contacts; our own files come back as they went."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from django.db import connection

from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.extraction.calendars.uid_groups import OVER
from gleanery.publishing.exports.contents import ORDER
from gleanery.publishing.exports.formats import FORMATS, format_for
from gleanery.publishing.exports.services import Wanted, Written, export, write
from gleanery.publishing.search.filters import read
from gleanery.resolution import services as resolution
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.importing.files import form_of
from gleanery.resolution.importing.import_file import Import, Report
from gleanery.resolution.models import Record
from tests.publishing.things import EMAIL, FULL, PHONE, emptied, fill
from tests.resolution.shop import BACKWARDS, record_of, tell

pytestmark = pytest.mark.django_db
ROOT = "https://here.example"


def written(name: str, search: str = "", **options: bool) -> tuple[bytes, Written]:
    out = io.BytesIO()
    filters = read(dict(part.split("=", 1) for part in search.split("&") if part))
    done = write(Wanted(format=format_for(name, ""), filters=filters, root=ROOT, **options), out)
    return out.getvalue(), done


def lines(search: str = "", **options: bool) -> list[dict[str, object]]:
    return [json.loads(line) for line in written("jsonl", search, **options)[0].splitlines()]


def imported(data: bytes, name: str, admin: Actor) -> Report:
    task = Import(
        actor=admin,
        source="A copy",
        trust=None,
        form=form_of(name),
        columns=Columns("event" if name.endswith("ics") else ""),
        today=datetime.now(UTC).date(),
    )
    return task.run(io.BytesIO(data))


def names_in(data: bytes) -> set[str]:
    return {json.loads(line)["name"] for line in data.splitlines()}


def test_no_format_holds_a_contact() -> None:
    fill()
    for form in FORMATS:
        data, done = written(form.name)
        assert sum(done.counts.values()), form.name
        text = b"".join(unpacked(data))
        for planted in (PHONE, EMAIL, "planted", "8063800", "806 3800", '"phone"', '"email"'):
            assert planted.encode() not in text, (form.name, planted)


def unpacked(data: bytes) -> list[bytes]:
    if data[:2] != b"PK":
        return [data]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return [package.read(each) for each in package.namelist()]


@pytest.mark.parametrize(
    "form", [each for each in FORMATS if each.reads_back and each.name != "ics"], ids=lambda f: f.name
)
def test_a_file_of_ours_taken_into_an_empty_store_is_exported_as_it_was(form, admin: Actor) -> None:
    fill()
    first, _ = written(form.name)
    emptied()
    report = imported(first, f"all.{form.ending}", admin).as_dict()
    assert (report["refused"], report["in_review"], report["unknown_columns"]) == (0, 0, [])
    second, _ = written(form.name)
    assert second.decode() == first.decode()


def test_a_calendar_taken_in_again_is_exported_as_it_was(admin: Actor) -> None:
    """iCalendar has the events alone; docs/howto/export.md names what of them it cannot carry."""
    fill()
    first, _ = written("ics")
    emptied()
    report = imported(first, "all.ics", admin).as_dict()
    assert [each["reason"] for each in report["refusals"]] == [OVER]
    assert _events(written("ics")[0]) == [each for each in _events(first) if "SUMMARY:Long ago" not in each]


def _events(data: bytes) -> list[str]:
    """The events, sorted, without the moment at which they were written."""
    text = data.decode().replace("\r\n ", "")
    events = [each.partition("END:VEVENT")[0] for each in text.split("BEGIN:VEVENT")[1:]]
    return sorted("\n".join(line for line in each.splitlines() if not line.startswith("DTSTAMP")) for each in events)


def test_a_copy_keeps_the_ids_of_records(admin: Actor) -> None:
    made = fill()
    data, _ = written("jsonl")
    emptied()
    imported(data, "all.jsonl", admin)
    assert {str(each.pk) for each in made.values()} <= {
        str(each) for each in Record.objects.values_list("pk", flat=True)
    }


def test_an_id_that_a_record_has_had_is_not_given_again(admin: Actor) -> None:
    record = record_of(tell("a", "organization", "1", name="Old house", locality="Sofia"))
    resolution.delete(admin, record, "asked for")
    line = json.dumps({"id": str(record.pk), "kind": "organization", "name": "Something else", "locality": "Varna"})
    imported(line.encode(), "one.jsonl", admin)
    assert [each["name"] for each in lines()] == ["Something else"]
    assert lines()[0]["id"] != str(record.pk)


def test_only_what_is_published_is_exported(admin: Actor) -> None:
    tell("a", "event", "1", **BACKWARDS)
    gone = record_of(tell("a", "organization", "2", name="Old house", locality="Sofia"))
    resolution.delete(admin, gone, "asked for")
    assert {each["kind"] for each in lines()} == {"place"}


def test_filters_are_those_of_the_search_and_what_is_over_can_be_left_out() -> None:
    fill()
    assert [each["name"] for each in lines("kind=event&place=Varna")] == ["Tango lesson"]
    assert "Long ago" in {each["name"] for each in lines("kind=event")}
    assert "Long ago" not in {each["name"] for each in lines("kind=event", with_past=False)}


def test_places_and_organisations_stand_before_what_names_them() -> None:
    fill()
    kinds = [each["kind"] for each in lines()]
    assert kinds == sorted(kinds, key=ORDER.index)


def test_dates_that_several_sources_name_are_all_there_as_these_write_them() -> None:
    fill()
    (tango,) = lines("q=tango")
    assert tango["occurrences"] == [
        {"start": "2027-06-01T18:00:00+03:00"},
        {"start": "2027-06-08", "end": "2027-06-09"},
    ]


def test_sources_can_be_added() -> None:
    fill()
    (tango,) = lines("q=tango", with_sources=True)
    assert [each["name"] for each in tango["sources"]] == ["town.example", "other.example"]
    assert tango["last_confirmed"] == f"{datetime.now(UTC).date()}"


def test_no_cell_of_a_table_is_a_formula() -> None:
    tell("a", "organization", "1", name='=HYPERLINK("https://bad.example")', locality="@SUM(1)", description="+1\n=2")
    data, _ = written("csv")
    (row,) = csv.DictReader(io.StringIO(data.decode()))
    assert row["name"].startswith("'=")
    assert row["locality"] == "'@SUM(1)"
    assert row["description"] == "'+1\n=2"


def test_a_data_package_describes_its_files() -> None:
    fill()
    data, _ = written("datapackage")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        described = json.loads(package.read("datapackage.json"))
        assert {each["path"] for each in described["resources"]} == set(package.namelist()) - {"datapackage.json"}
        for each in described["resources"]:
            text = package.read(each["path"])
            assert (each["bytes"], each["hash"]) == (len(text), f"sha256:{sha256(text).hexdigest()}")
            header = next(csv.reader(io.StringIO(text.decode())))
            assert header == [field["name"] for field in each["schema"]["fields"]]


def test_a_parquet_file_has_typed_columns() -> None:
    fill()
    data, done = written("parquet")
    table = pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(data))
    assert table.num_rows == sum(done.counts.values())
    event = next(each for each in table.to_pylist() if each["name"] == FULL["event"]["name"])
    assert event["keywords"] == FULL["event"]["keywords"]
    assert event["occurrences"][1] == FULL["event"]["occurrences"][1]
    assert (event["lat"], event["is_accessible_for_free"]) == (42.6954, False)


def test_json_ld_expands_to_things_of_schema_org() -> None:
    fill()
    graph = json.loads(written("jsonld")[0])
    assert graph["@context"] == "https://schema.org"
    event = next(each for each in graph["@graph"] if each["name"] == FULL["event"]["name"])
    assert event["@id"].startswith(f"{ROOT}/records/")
    assert event["@type"] == "Event"


def test_the_checksum_is_that_of_the_file() -> None:
    fill()
    data, done = written("jsonl")
    assert (done.size, done.sha256) == (len(data), sha256(data).hexdigest())


@pytest.mark.parametrize(
    ("name", "file", "found"),
    [("", "a.jsonl", "jsonl"), ("csv", "a.zip", "datapackage"), ("csv", "a.txt", "csv"), ("", "A.CSV", "csv")],
)
def test_the_format_follows_from_the_name_of_the_file(name: str, file: str, found: str) -> None:
    assert format_for(name, file).name == found


@pytest.mark.parametrize(("name", "file"), [("", "a.xls"), ("xml", "a.xml"), ("", "noending")])
def test_a_format_that_is_not_there_is_refused(name: str, file: str) -> None:
    with pytest.raises(Invalid, match="nothing was written"):
        format_for(name, file)


def test_a_calendar_of_another_kind_than_events_is_refused() -> None:
    with pytest.raises(Invalid, match="holds event, not funding"):
        written("ics", "kind=funding")


@pytest.mark.django_db(transaction=True)
def test_an_export_is_of_one_moment_whatever_changes_meanwhile(tmp_path: Path) -> None:
    fill()
    before = {name for each in lines() if (name := each["name"])}

    def rename(_: int) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_rename_all).result()

    wanted = Wanted(format=format_for("jsonl", ""), filters=read({}), root=ROOT)
    export(wanted, tmp_path / "a.jsonl", advance=rename)
    assert names_in((tmp_path / "a.jsonl").read_bytes()) == before
    assert {each["name"] for each in lines()} == {"Renamed"}


def _rename_all() -> None:
    Record.objects.update(name="Renamed")
    connection.close()


def test_a_failed_export_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    fill()
    file = tmp_path / "a.jsonl"
    file.write_text("before")

    def fail(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(Wanted(format=format_for("", file.name), filters=read({}), root=ROOT), file, advance=fail)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.jsonl", "before")]

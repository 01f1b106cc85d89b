"""Deduplication of files without a database: kinds, one or two files, ids, clusters, unreadable values."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gleanery.errors import Invalid
from gleanery.interfaces.cli.records.dedupe import COLUMNS, guarded
from gleanery.matching.facts import facts
from gleanery.matching.tables import blocks, pairing
from gleanery.resolution.importing.columns import read_renames
from gleanery.resolution.tables import dedupe
from gleanery.resolution.tables.dedupe import Found
from gleanery.resolution.tables.sheet import File

TODAY = date(2027, 1, 10)
PLACES = """id,name,address,locality,phone
1,The Rex Jazz Bar,194 Queen St W,Toronto,+1 416 598 2475
2,Rex Jazz Bar,194 Queen Street West,Toronto,416-598-2475
3,Library of Sofia,Shipka 7,Sofia,
4,Opera House,Market 9,Varna,
"""
PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "place": (
        {"name": "Hotel Rila", "address": "Kaloyan 6", "locality": "Sofia", "phone": "+35929377100"},
        {"name": "Rila Hotel", "address": "ul. Kaloyan 6", "locality": "София", "phone": "+359 2 937 7100"},
    ),
    "organization": (
        {"name": "Red House Foundation", "locality": "Sofia", "url": "https://redhouse.example"},
        {"name": "Foundation Red House Ltd.", "locality": "Sofia", "url": "https://www.redhouse.example/en"},
    ),
    "event": (
        {"name": "Jazz Night", "start": "2027-03-12T19:00", "venue_name": "The Rex", "locality": "Sofia"},
        {"name": "Jazz Night with the Trio", "start": "2027-03-12T19:00", "venue_name": "Rex", "locality": "Sofia"},
    ),
    "funding": (
        {"name": "Small Grants for Libraries", "funder_name": "Open Books Fund", "deadline": "2027-05-01"},
        {"name": "Small grants for libraries 2027", "funder_name": "Open Books Fund", "deadline": "2027-05-01"},
    ),
    "service": (
        {
            "name": "Legal Advice for Tenants",
            "provider_name": "Tenants Union",
            "locality": "Leeds",
            "phone": "0113 496 0000",
        },
        {
            "name": "Tenants: legal advice",
            "provider_name": "The Tenants Union",
            "locality": "Leeds",
            "phone": "01134960000",
        },
    ),
    "opportunity": (
        {"name": "Volunteer Gardener", "organizer_name": "City Farm", "locality": "Bristol", "deadline": "2027-04-01"},
        {"name": "Volunteer gardener", "organizer_name": "City Farm", "locality": "Bristol", "deadline": "2027-04-01"},
    ),
}


def find(kind: str, *texts: str | list[dict[str, Any]], **more: Any) -> Found:
    """Tables are given as text, JSON Lines as a list."""
    files = []
    for text in texts:
        is_table = isinstance(text, str)
        content = text if isinstance(text, str) else "\n".join(json.dumps(each) for each in text)
        files.append(File("rows.csv" if is_table else "rows.jsonl", io.BytesIO(content.encode())))
    return dedupe.dedupe(kind, files, today=TODAY, **more)


def ids(found: Found) -> list[tuple[str, str]]:
    return [(each.id_a, each.id_b) for each in found.pairs]


@pytest.mark.parametrize("kind", sorted(PAIRS))
def test_duplicates_of_every_kind_are_found(kind: str) -> None:
    one, other = PAIRS[kind]
    stranger = {"name": "Zeppelin Museum", "locality": "Friedrichshafen"}
    found = find(kind, [one, stranger, other])
    assert ids(found) == [("a:1", "a:3")]
    pair = found.pairs[0]
    assert pair.band in ("auto", "review")
    assert pair.cluster == "1"
    points = json.loads(pair.points)
    assert points[0] == {"field": "prior", "level": "", "points": points[0]["points"]}
    assert {each["field"] for each in points} >= {"prior", "name"}
    total = sum(each["points"] for each in points)
    assert pair.probability == pytest.approx(1 / (1 + 2**-total), abs=0.001)


def test_rows_are_named_by_id_or_else_by_line() -> None:
    assert ids(find("place", PLACES)) == [("1", "2")]
    nameless = PLACES.replace("id,", "number,", 1)
    assert ids(find("place", nameless)) == [("a:2", "a:3")]
    partly = PLACES.replace("\n2,", "\n,", 1)
    assert ids(find("place", partly)) == [("1", "a:3")]


def test_two_files_may_share_ids_and_have_different_columns() -> None:
    other = "ID;Site name;Street\n1;Rex Jazz Bar;194 Queen Street West\n9;Library Sofia;ul. Shipka 7\n"
    renames = read_renames("Site name=name,Street=address")
    assert sorted(ids(find("place", PLACES, other, renames=renames))) == [
        ("1", "1"),
        ("1", "2"),
        ("2", "1"),
        ("3", "9"),
    ]
    assert sorted(ids(find("place", PLACES, other, renames=renames, link_only=True))) == [
        ("1", "1"),
        ("2", "1"),
        ("3", "9"),
    ]
    assert ids(find("place", PLACES, [{"name": "Sofia Library", "address": "Shipka 7"}])) == [("1", "2"), ("3", "b:1")]
    assert find("place", "id,name\n", PLACES, link_only=True).pairs == []
    with pytest.raises(Invalid, match="no column 'town' to rename"):
        find("place", PLACES, other, renames={**renames, "town": "locality"})


def test_pairs_are_sorted_and_have_a_cluster_only_within_one() -> None:
    found = find("place", PLACES + "5,Opera,Market 9,Varna,\n6,Opera House,Market 9,Varna,\n")
    odds = [each.probability for each in found.pairs]
    assert odds == sorted(odds, reverse=True)
    assert all(each.probability >= 0.30 for each in found.pairs)
    for each in found.pairs:
        assert each.band == ("auto" if each.probability >= 0.95 else "review" if each.probability >= 0.6 else "none")
    assert found.clusters == len({each.cluster for each in found.pairs} - {""})


def test_unreadable_values_and_rows_are_left_out_and_reported() -> None:
    header, one, other = "id,name,address,lat,lon,colour", "1,Rex,5 Main St,north,1,red", "3,Rex,5 Main St,,,"
    found = find("place", "\n".join([header, one, "2,,,,,", other, "4,a,b,c,d,e,f"]))
    assert ids(found) == [("1", "3")]
    assert (found.report.rows, found.report.unreadable, dict(found.report.lost)) == (4, 2, {"lat": 1})
    assert [each["line"] for each in found.report.refusals] == [3, 5]
    assert found.report.unknown_columns == {"colour"}
    listed = find("place", [{"name": ["x"]}, {"name": "Rex", "locality": "Sofia", "phone": {"a": 1}}])
    assert listed.report.refusals == [{"file": "rows.jsonl", "line": 1, "reason": "The name cannot be read."}]
    assert listed.report.lost == {"phone": 1}


def test_any_number_of_identical_rows_is_one_cluster() -> None:
    rows = [{"name": "House of Books", "locality": "Sofia", "address": "Shipka 7"} for _ in range(1_000)]
    found = find("place", rows)
    assert found.clusters == 1
    assert len(found.pairs) == 999


def test_very_common_keys_are_ignored_except_in_small_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = blocks.Blocks()
    for number in range(120):
        one = facts("place", {"name": f"Zog{number} Memorial", "phone": "+359888123456"})
        kept.add(one, blocks.fingerprints(one))
    monkeypatch.setattr(blocks, "PAIRS_A_ROW", 2_000)
    assert kept.neighbours().after(0) == list(range(1, 120))
    monkeypatch.setattr(blocks, "MOST_PAIRS", 100)
    assert kept.neighbours().after(0) == []


def test_several_processes_give_the_same_result_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (dedupe, pairing):
        monkeypatch.setattr(module, "FEW_ROWS", 50)
        monkeypatch.setattr(module, "AT_A_TIME", 20)
    rows = [{"id": n, "name": f"House {n % 70} of Stones", "address": f"Shipka {n % 70}"} for n in range(140)]
    steps: list[tuple[str, int, int]] = []
    both = find("place", [*rows, {"name": ""}], rows[:60], processes=2, progress=lambda *each: steps.append(each))
    assert both == find("place", [*rows, {"name": ""}], rows[:60])
    assert both.pairs
    assert steps[-1] == (dedupe.COMPARING, 200, 200)


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+2", "'=1+2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-5", "-5"),
        ("+359888", "+359888"),
        ("\tx", "'\tx"),
        ("a=1", "a=1"),
    ],
)
def test_cells_are_never_formulas(cell: str, safe: str) -> None:
    assert guarded(cell) == safe


NAMED = """id,name,address,locality,phone
1,The Rex Jazz Bar,1 Main Street,Sofia,+359 2 806 3800
2,Rex Jazz Bar,1 Main St,Sofia,+359 2 806 3800
3,Town Hall,5 Big Street,Varna,
4,=Town Hall of Varna,,Varna,
5,Mill,,Ruse,
"""


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command without a home, a data directory or settings."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    environment = kept | {"GLEANERY_DATA_DIR": "/nonexistent/gleanery", "COLUMNS": "200"}
    line = [sys.executable, "-m", "gleanery", "dedupe", *arguments]
    return subprocess.run(line, env=environment, capture_output=True, text=True, check=False)


def test_the_command_needs_no_database_and_writes_the_documented_columns(tmp_path: Path) -> None:
    file, output = tmp_path / "a.csv", tmp_path / "out.csv"
    file.write_text(PLACES.replace("\n1,", "\n=1,", 1))
    answer = command(str(file), "--kind", "place", "-o", str(output))
    assert answer.returncode == 0, answer.stderr
    assert "1 cluster of rows" in answer.stdout
    (header, row) = csv.reader(output.read_text().splitlines())
    assert tuple(header) == COLUMNS == ("id_a", "id_b", "probability", "band", "points", "cluster")
    assert row[:2] == ["'=1", "2"]
    facts = json.loads(command(str(file), "--kind", "place", "--json").stdout)
    assert (facts["rows"], len(facts["pairs"]), facts["clusters"]) == (4, 1, 1)
    printed = command(str(file), str(file), "--kind", "place", "--link-only")
    assert printed.stdout.splitlines()[0] == ",".join(COLUMNS)


def test_the_command_refuses_harmful_or_meaningless_options(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(PLACES)
    for arguments, said in (
        ((str(file), "--kind", "place", "-o", str(file)), "one of the files"),
        ((str(file), "--kind", "place", "-o", str(tmp_path / "no" / "out.csv")), "does not exist"),
        ((str(file), "--kind", "place", "--link-only"), "two files"),
        ((str(file), "--kind", "dragon"), "not a kind"),
        ((str(file), str(file), str(file), "--kind", "place"), "one or two files"),
    ):
        answer = command(*arguments)
        assert answer.returncode == 1
        assert said in answer.stderr
    assert file.read_text() == PLACES
    assert command(str(tmp_path / "none.csv"), "--kind", "place").returncode == 2


def test_the_command_reports_unreadable_values_wherever_the_pairs_go(tmp_path: Path) -> None:
    strange, odd = tmp_path / "strange.csv", tmp_path / "odd.csv"
    strange.write_text("Foo,Bar\nHall,1000\n")
    odd.write_text("name,lat,lon\nHall,north,1\nMill,1,1,1\n")
    nothing = command(str(strange), "--kind", "place")
    assert (nothing.returncode, nothing.stdout.splitlines()) == (1, [",".join(COLUMNS)])
    assert "It has no name." in nothing.stderr
    assert "Bar, Foo" in nothing.stderr
    some = command(str(odd), "--kind", "place")
    assert "lat could not be read in 1 of 1 row (line 2: “north”)" in some.stderr
    assert "1 row could not be read" in some.stderr
    assert "4 cells" in some.stderr
    assert command(str(odd), "--kind", "place", "-o", str(tmp_path / "out.csv")).stderr == ""


def test_the_command_shows_the_surest_and_the_most_doubtful_pairs(tmp_path: Path) -> None:
    file, output = tmp_path / "a.csv", tmp_path / "out.csv"
    file.write_text(NAMED)
    answer = command(str(file), "--kind", "place")
    assert "The surest pairs:" in answer.stderr
    assert "The Rex Jazz Bar (1) = Rex Jazz Bar (2)?" in answer.stderr
    assert "The pairs to check first:" in answer.stderr
    assert "Town Hall (3) = =Town Hall of Varna (4)?" in answer.stderr
    assert answer.stdout.splitlines()[0] == ",".join(COLUMNS)
    assert "Town Hall" not in answer.stdout
    assert "Town Hall" in command(str(file), "--kind", "place", "-o", str(output), "--names").stdout
    header, first, second = csv.reader(output.read_text().splitlines())
    assert tuple(header) == (*COLUMNS, "name_a", "name_b")
    assert (first[-2:], second[-1]) == (["The Rex Jazz Bar", "Rex Jazz Bar"], "'=Town Hall of Varna")


def test_points_are_objects_in_json(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(NAMED)
    pair, _ = json.loads(command(str(file), "--kind", "place", "--json").stdout)["pairs"]
    assert tuple(pair) == (*COLUMNS, "name_a", "name_b")
    assert pair["points"][0]["field"] == "prior"


def test_a_workbook_is_refused_whatever_its_extension(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"PK\x03\x04\x14\0\x06\0")
    answer = command(str(file), "--kind", "place")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.startswith("Error: a.csv seems to be a workbook")

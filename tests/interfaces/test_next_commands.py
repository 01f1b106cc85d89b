"""What commands print is enough for the next command: ids that it takes, and what else there is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gleanery.accounts.actor import system
from gleanery.interfaces.cli.records import record
from gleanery.resolution import services
from tests.data_directories import furnished
from tests.interfaces.conftest import Run, told
from tests.interfaces.test_discover import CASINO
from tests.interfaces.test_judging import GOOD
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell
from tests.resolution.test_matching_flow import REX, REX_HOTEL

pytestmark = pytest.mark.xdist_group("next commands")


def bring(run: Run, folder: Path, kind: str, *rows: dict[str, Any]) -> Any:
    file = folder / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    return told(run("import", str(file), "--source", folder.name, "--kind", kind, "--json"))


def item_called(run: Run, name: str) -> Any:
    return next(each for each in told(run("review", "list", "--json")) if each["name"] == name)


def test_the_ids_of_the_queue_are_short_and_each_names_one_item(run: Run, tmp_path: Path) -> None:
    bring(run, tmp_path, "event", *({**JAZZ, "name": f"Jazz {each}", "description": ""} for each in "ABCDEFGH"))
    waiting = {each["name"]: each["id"] for each in told(run("review", "list", "--json"))}
    lines = run("review", "list").stdout.splitlines()
    shown = {name: line.split()[0] for line in lines for name in waiting if f" {name} " in line}
    assert shown.keys() == waiting.keys()
    for name, short in shown.items():
        assert len(short) < 24
        assert told(run("review", "show", short, "--json"))["item"]["id"] == waiting[name]


def test_a_warning_shows_the_id_needed_for_a_merge(run: Run, tmp_path: Path) -> None:
    for number, fields in enumerate((REX, REX_HOTEL)):
        bring(run, tmp_path, "place", {"id": number, **fields})
    there = next(each for each in told(run("record", "list", "--json")) if each["name"] == REX["name"])
    item = item_called(run, REX_HOTEL["name"])
    assert there["id"] in run("review", "show", item["id"]).stdout
    wrong = run("review", "merge", item["id"], "nonsense")
    assert wrong.returncode == 1
    assert f"“{REX['name']}” ({there['id']})" in wrong.stderr
    assert "merge_into" not in wrong.stderr
    bring(run, tmp_path, "place", {"id": 3, **REX, "name": "Rex Jazz & Blues"})
    assert "place_possible_duplicate ×2" in " ".join(run("review", "list", "--kind", "record").stdout.split())
    assert "was merged into" in run("review", "merge", item["id"], there["id"][:-1]).stdout


@pytest.mark.parametrize("what", ["record", "review"])
def test_a_shortened_list_shows_the_total(run: Run, tmp_path: Path, what: str) -> None:
    bring(run, tmp_path, "event", *({**BACKWARDS, "name": f"{what} {each}"} for each in "ABC"))
    total = len(told(run(what, "list", "--json")))
    cut, whole = run(what, "list", "--most", "2"), run(what, "list", "--most", str(total))
    assert cut.stderr == f"2 of {total} shown. Use --most N to show more.\n"
    assert "--most" not in cut.stdout + whole.stdout + whole.stderr
    as_json = run(what, "list", "--most", "2", "--json")
    assert (len(told(as_json)), as_json.stderr) == (2, "")


@pytest.mark.parametrize(
    ("what", "option", "known"),
    [
        ("record", "--kind", "event"),
        ("record", "--status", "in_review"),
        ("review", "--kind", "source"),
        ("review", "--status", "pending"),
        ("review", "--warning", "reversed_dates"),
        ("review", "--warning", "lookalike"),
        ("review", "--warning", "undone"),
    ],
)
def test_unknown_filter_values_are_refused(run: Run, what: str, option: str, known: str) -> None:
    wrong = run(what, "list", option, "foo")
    assert wrong.returncode == 1
    assert "'foo' is no" in wrong.stderr
    assert known in wrong.stderr
    assert run.anew(what, "list", option, known).returncode == 0


def test_a_record_lists_its_merged_records_and_how_to_split_them_off(run: Run, tmp_path: Path) -> None:
    bring(run, tmp_path, "place", {"name": "Old Mill", "locality": "Varna"}, {"name": "Opera", "locality": "Ruse"})
    ids = {each["name"]: each["id"] for each in told(run("record", "list", "--json"))}
    mill, opera = ids["Old Mill"], ids["Opera"]
    assert run("record", "merge", mill, opera).returncode == 0
    assert f"Old Mill ({mill}) was merged into Opera ({opera})" in run("record", "show", opera).stdout
    wrong = run("record", "unmerge", opera)
    assert wrong.returncode == 1
    assert f"gleanery record unmerge {mill}  (Old Mill)" in wrong.stderr
    assert "Old Mill is a separate record again" in run("record", "unmerge", mill).stdout
    assert ", undone 20" in run("record", "show", opera).stdout
    assert "not merged into another" in run("record", "unmerge", opera).stderr


def test_an_import_without_a_kind_stops_at_once(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "places.csv"
    file.write_text("name,locality\nHall,Sofia\nMill,Varna\n")
    answer = run("import", str(file), "--source", "city")
    assert answer.returncode == 1
    assert "Give --kind, one of" in answer.stderr
    assert "rows" not in answer.stdout
    file.write_text("Kind,name,locality\nplace,Town Hall,Sofia\n,Mill,Varna\n")
    assert told(run("import", str(file), "--source", "city", "--dry-run", "--json"))["refused"] == 1


@pytest.mark.parametrize("command", [("import", "--source", "city"), ("dedupe",)])
def test_the_report_proposes_a_name_column_if_no_row_has_a_name(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "places.csv"
    file.write_text("Official name there,Zip\nHall,1000\nMill,9000\n")
    answer = run(command[0], str(file), "--kind", "place", *command[1:])
    report = answer.stdout + answer.stderr
    assert answer.returncode == 1
    assert "Zip = postal_code" in report
    assert '--map "Official name there=name"' in report
    renamed = run(command[0], str(file), "--kind", "place", *command[1:], "--map", "Official name there=name")
    assert renamed.returncode == 0


def test_an_empty_list_names_the_store_in_use(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    data = str(furnished(tmp_path_factory, "empty"))
    assert run.anew("record", "list", GLEANERY_DATA_DIR=data).stdout == f"There are no records yet in {data}.\n"
    asked = run.anew("record", "list", "--kind", "event", GLEANERY_DATA_DIR=data)
    assert asked.stdout == "No matching records.\n"


def discover(run: Run, folder: Path) -> None:
    """Three sessions, each with a candidate and something that a rule throws out."""
    run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "cut")
    file = folder / "results.jsonl"
    for each in "abc":
        hits = ((f"https://school-{each}.bg/", *GOOD), (f"https://{each}.example/", "Casino bonus", CASINO))
        file.write_text(
            "\n".join(json.dumps(dict(zip(("url", "title", "description"), hit, strict=True))) for hit in hits)
        )
        told(run("discover", "--topic", "cut", "--file", str(file), "--json"))


def test_every_shortened_list_shows_the_total(run: Run, tmp_path: Path) -> None:
    discover(run, tmp_path)
    bring(run, tmp_path, "place", *({"name": f"Hall {each}", "locality": "Pleven"} for each in "ABC"))
    for what in (
        ("candidate", "list", "--status", ""),
        ("spam", "list"),
        ("session", "list"),
        ("domain", "list"),
        ("observation", "list"),
    ):
        total = len(told(run(*what, "--most", "1000", "--json")))
        assert total >= 3, what
        assert run(*what, "--most", "2").stderr == f"2 of {total} shown. Use --most N to show more.\n", what
        assert run(*what, "--most", str(total)).stderr == "", what


def test_rows_without_a_kind_are_reported_once(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "things.jsonl"
    file.write_text("\n".join(json.dumps({"name": f"Hall {each}"}) for each in range(30)))
    answer = run("import", str(file), "--source", "no kind")
    assert answer.returncode == 1
    assert answer.stdout.count("has no kind") == 1
    assert "30    1, 2, 3, ...  The row has no kind. Give --kind; the kinds are event" in answer.stdout


def test_an_import_lists_merged_and_waiting_records_with_commands_to_show_them(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "places.jsonl"
    rows = [{"name": f"Library {each}", "locality": "Dobrich", "address": f"{each} Main Street"} for each in range(7)]
    file.write_text("\n".join(map(json.dumps, rows)))
    told(run("import", str(file), "--source", "one", "--kind", "place", "--json"))
    report = run("import", str(file), "--source", "other", "--kind", "place").stdout
    shown = next(line for line in report.splitlines() if line.startswith("line 1: Library 0  "))
    assert "gleanery record show " in shown
    assert told(run("record", "show", shown.split()[-1], "--json"))["observations"][1]["source"] == "other"
    assert "... and 2 more. Use --json to see all." in report
    file.write_text(json.dumps({**BACKWARDS, "name": "Waits"}))
    report = run("import", str(file), "--source", "one", "--kind", "event").stdout
    shown = next(line for line in report.splitlines() if line.startswith("line 1: Waits  "))
    assert "gleanery review show " in shown
    assert run("review", "show", shown.split()[-1]).returncode == 0
    assert "gleanery review list --kind record" in report


@pytest.mark.django_db
def test_a_merge_is_undone_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    @contextmanager
    def counted() -> Iterator[None]:
        opened.append(1)
        yield

    monkeypatch.setattr(record, "application", counted)
    gone, kept = (record_of(tell("city", "place", each, name=each, locality="Ruse")) for each in ("Mill", "Opera"))
    services.merge(system(), gone, kept)
    record.unmerge(str(gone.pk), json=True)
    assert len(opened) == 1
    gone.refresh_from_db()
    assert gone.status == "published"

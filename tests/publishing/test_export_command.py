"""`gleanery export`: a file, its checksum, its summary, and what is refused."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.interfaces.conftest import Run, run, told

__all__ = ["run"]
ROWS = "\n".join(
    json.dumps(each)
    for each in (
        {"id": "1", "kind": "event", "name": "Jazz Night", "start": "2027-03-12", "venue_name": "The Rex"},
        {"id": "2", "kind": "organization", "name": "Food Bank", "locality": "Sofia", "email": "desk@planted.example"},
    )
)


@pytest.fixture(scope="module")
def filled(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Run:
    file = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    file.write_text(ROWS)
    assert run("import", str(file), "--source", "Town hall").returncode == 0
    return run


def test_a_file_is_written_with_its_checksum_and_a_summary(filled: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    facts = told(filled("export", "-o", str(file), "--checksum", "--json"))
    assert (facts["format"], facts["records"]) == ("jsonl", 3)
    assert facts["kinds"] == {"event": 1, "organization": 1, "place": 1}
    digest = sha256(file.read_bytes()).hexdigest()
    assert facts["sha256"] == digest
    assert file.with_name("all.jsonl.sha256").read_text() == f"{digest}  all.jsonl\n"
    assert "planted" not in file.read_text()


def test_people_read_what_was_written(filled: Run, tmp_path: Path) -> None:
    answer = filled("export", "--kind", "event", "-o", str(tmp_path / "e.csv"))
    assert answer.returncode == 0
    assert "1 event" in answer.stdout
    assert "SHA-256 " in answer.stdout


def test_filters_of_a_search_address_are_taken_and_others_refused(filled: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    facts = told(filled("export", "-o", str(file), "--search", "/search?place=Sofia", "--json"))
    assert facts["kinds"] == {"organization": 1}
    answer = filled("export", "-o", str(tmp_path / "b.jsonl"), "--search", "plaice=Sofia")
    assert answer.returncode == 1
    assert "plaice=Sofia" in answer.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "no/such/place/a.csv"), "There is no directory"),
        (("-o", "a.csv", "--kind", "planet"), "not a kind of record"),
        ((), "Name the file"),
    ],
)
def test_what_cannot_be_done_says_so_and_writes_nothing(filled: Run, arguments: tuple[str, ...], words: str) -> None:
    answer = filled("export", *arguments)
    assert (answer.returncode, words in answer.stderr) == (1, True), answer.stderr


def test_a_missing_extra_is_named(filled: Run, tmp_path: Path) -> None:
    """A folder that hides pyarrow stands for an installation without it."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "pyarrow.py").write_text("raise ImportError")
    answer = filled.anew("export", "-o", str(tmp_path / "a.parquet"), PYTHONPATH=_path(filled, tmp_path / "hidden"))
    assert answer.returncode == 1
    assert "gleanery[parquet]" in answer.stderr
    assert not (tmp_path / "a.parquet").exists()


def _path(run: Run, first: Path) -> str:
    return ":".join(filter(None, (str(first), run.environment.get("PYTHONPATH", ""))))


def test_a_static_copy_of_the_site_is_written_by_several_processes(filled: Run, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    facts = told(filled("export", "--site", str(folder), "--base-url", "https://pages.example", "--json"))
    assert (facts["records"], facts["deleted"]) == (3, 0)
    assert facts["files"] == facts["written"] == sum(each.is_file() for each in folder.rglob("[!.]*"))
    assert "https://pages.example/records/" in (folder / "sitemap-1.xml").read_text()
    again = told(filled("export", "--site", str(folder), "--base-url", "https://pages.example", "--json"))
    assert again["written"] == 0

"""`gleanery import` understands the kinds and columns that `gleanery dedupe` does, and says as what it took them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.conftest import Run, told


@pytest.mark.parametrize("kind", ["organisation", "business"])
def test_an_import_reads_business_as_organization(run: Run, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(f"Our partners,\nOrganisation,Town\nRed House {kind},Sofia\n")
    report = told(run("import", str(file), "--source", "partners", "--kind", kind, "--json", "--dry-run"))
    assert (report["rows"], report["refused"]) == (1, 0)
    assert report["taken_columns"] == {"Organisation": "name", "Town": "locality"}

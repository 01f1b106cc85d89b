"""Every table is in a backup, and every column with a secret-sounding name is classified."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from gleanery.database.backup import contents, nightly
from gleanery.database.backup.tasks import back_up_nightly
from gleanery.errors import GleaneryError

pytestmark = pytest.mark.database

SOUNDS_SECRET = re.compile(r"passw|secret|token|digest|hash|session_(key|data)|_key$")
# Digests of what is in the backup itself, sizes, and what opens no more than the answer to a submission.
HARMLESS = {
    "address_hash",
    "content_hash",
    "digest",
    "follow_hash",
    "identity_hash",
    "input_tokens",
    "logo_digest",
    "output_tokens",
    "payload_hash",
}


@pytest.mark.django_db
def test_every_table_is_in_a_backup() -> None:
    assert set(contents.columns()) == contents.own_tables()


@pytest.mark.django_db
def test_every_column_with_a_secret_sounding_name_is_classified() -> None:
    undecided = {
        (table, name)
        for table, names in contents.columns().items()
        for name in names
        if SOUNDS_SECRET.search(name) and name not in HARMLESS and table not in contents.SECRET_TABLES
    }
    assert undecided - set(contents.SECRET_COLUMNS) == set()


@pytest.mark.django_db(transaction=True)
def test_the_nightly_job_writes_one_backup_and_deletes_only_its_own_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLEANERY_BACKUP_DIR", str(tmp_path))
    monkeypatch.setenv("GLEANERY_BACKUP_KEEP", "2")
    back_up_nightly(0)
    (made,) = tmp_path.iterdir()
    assert nightly.newest(tmp_path) is not None
    store = made.name.split("-")[1]
    stores_aside = [
        tmp_path / "notes.txt",
        tmp_path / "gleanery-20200101-020000.backup",
        tmp_path / "gleanery-000000000000-20200101-020000.backup",
        tmp_path / f"gleanery-{store}-20200101-020000.backup.old",
        tmp_path / f"gleanery-{store}-20250101-020000.backup",
        tmp_path / f".gleanery-{store}-20250101-020000.backup-new.unfinished",
    ]
    gone = [
        tmp_path / f"gleanery-{store}-20240101-020000.backup",
        tmp_path / f"gleanery-{store}-20200101-020000.backup",
        tmp_path / f".gleanery-{store}-20200101-020000.backup-abc.unfinished",
    ]
    for each in [*stores_aside, *gone]:
        each.write_text("mine")
    os.utime(gone[2], (0, time.time() - 100_000))
    (tmp_path / f"gleanery-{store}-20190101-020000.backup").mkdir()
    made.rename(tmp_path / "elsewhere")
    back_up_nightly(0)
    found = set(tmp_path.iterdir())
    assert found.issuperset(stores_aside)
    assert not found & set(gone)
    assert len(found) == len(stores_aside) + 3, "and the new one, the one that was moved away, the directory"


@pytest.mark.django_db
def test_nothing_is_written_to_an_unmounted_disk(tmp_path: Path) -> None:
    with pytest.raises(GleaneryError, match="mount"):
        nightly.back_up(tmp_path / "disk", 3)
    assert not (tmp_path / "disk").exists()

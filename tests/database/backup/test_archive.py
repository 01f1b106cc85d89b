"""The backup file: what was written can be read, and altered or other files are refused."""

from __future__ import annotations

import gc
import os
import random
import resource
import stat
import struct
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gleanery.database.backup.archive import Manifest, Writer, opened
from gleanery.database.backup.atomic_file import write_atomically
from gleanery.errors import Conflict, GleaneryError, Invalid

TEXTS = {"domain": b"1\texample.org\n2\t\xd1\x84\xd0\xbe\\n\n" * 500, "empty": b""}


def no_progress(table: str, count: int) -> None:
    """Show nothing."""


def write(path: Path, **changes: object) -> Path:
    with write_atomically(path) as file, Writer(file) as writer:
        tables = {
            name: writer.add(name, ["id", "name"], [text[:70], memoryview(text[70:])], no_progress)
            for name, text in TEXTS.items()
        }
        manifest = Manifest(
            gleanery="0.1.0",
            postgresql="18.6",
            made_at=datetime(2026, 11, 19, tzinfo=UTC),
            with_secrets=False,
            migrations=[("domains", "0001_initial")],
            sequences={"domain_id_seq": 2},
            tables=tables,
        )
        writer.finish(manifest.model_copy(update=changes))
    return path


def read(path: Path) -> tuple[Manifest, dict[str, bytes]]:
    with opened(path) as archive:
        archive.verify(no_progress)
        return archive.manifest, {name: b"".join(archive.rows_of(name)) for name in archive.manifest.tables}


def refusal(path: Path) -> str:
    with pytest.raises(Invalid) as caught:
        read(path)
    assert "Nothing was changed" in str(caught.value)
    return str(caught.value)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return write(tmp_path / "a.backup")


def test_what_was_written_can_be_read_with_its_counts(backup: Path) -> None:
    manifest, texts = read(backup)
    assert texts == TEXTS
    assert manifest.tables["domain"].rows == 1000
    assert manifest.bytes == len(TEXTS["domain"])


def test_only_its_owner_may_read_it(backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_truncated_file_is_refused_wherever_it_ends(backup: Path) -> None:
    whole = backup.read_bytes()
    for length in range(0, len(whole), 37):
        backup.write_bytes(whole[:length])
        refusal(backup)


def test_a_damaged_byte_is_refused_unless_it_has_no_effect(backup: Path) -> None:
    """Some bytes do not matter, such as the times of the ZIP members."""
    whole, sound = backup.read_bytes(), read(backup)
    refused = 0
    for at in range(len(whole)):
        backup.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        try:
            assert read(backup) == sound
        except Invalid:
            refused += 1
    assert refused > len(whole) * 0.6


@pytest.mark.parametrize(
    "content", [b"", b"PK\x05\x06" + bytes(18), b"SQLite format 3\x00", random.Random(1).randbytes(4096)]
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert "not a backup of Gleanery" in refusal(path)


def test_anything_but_a_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in refusal(tmp_path / "pipe")
    assert "is not a file" in refusal(tmp_path)
    assert "No such file" in refusal(tmp_path / "missing")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", ["../../evil.copy", "/evil.copy", "other.copy", "domain.copy"])
def test_a_member_missing_from_the_manifest_is_refused(backup: Path, name: str) -> None:
    with zipfile.ZipFile(backup, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, b"x")
    refusal(backup)


def repacked(path: Path, manifest: str | None = None, **texts: bytes) -> Path:
    """Write the same backup with other texts, as with a ZIP program."""
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    parts |= {f"{name}.copy": text for name, text in texts.items()}
    parts |= {"manifest.json": manifest.encode()} if manifest is not None else {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return path


def test_altered_rows_are_refused_even_with_the_same_length(backup: Path) -> None:
    evil = TEXTS["domain"].replace(b"example.org", b"example.com")
    assert "was altered" in refusal(repacked(backup, domain=evil))
    assert "another length" in refusal(repacked(backup, domain=evil + b"3\tmore\n"))


def test_a_member_is_not_read_beyond_its_declared_length(backup: Path) -> None:
    """A hundred megabytes of zeros with a wrong length in the list of contents."""
    repacked(backup, domain=bytes(100_000_000))
    declared, real = struct.pack("<L", len(TEXTS["domain"])), struct.pack("<L", 100_000_000)
    backup.write_bytes(backup.read_bytes().replace(real, declared))
    refusal(backup)


def test_an_endless_list_of_contents_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(3 << 30)
        file.seek(0, os.SEEK_END)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 60_000, 60_000, 3 << 30, 0, 0))
    assert "too long" in refusal(path)


@pytest.mark.parametrize("manifest", ["", "[]", "null", '{"format": 1}', "\x00", "[" * 100_000])
def test_an_invalid_manifest_is_refused(backup: Path, manifest: str) -> None:
    assert "manifest" in refusal(repacked(backup, manifest))


def test_a_later_format_is_reported_as_newer(backup: Path) -> None:
    assert "newer Gleanery" in refusal(repacked(backup, '{"format": 2, "soul": "unknown"}'))


def test_a_full_disk_is_reported_and_no_file_is_left_behind(tmp_path: Path) -> None:
    """Simulate the end of the disk by the process's file size limit."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with (
            pytest.raises(GleaneryError, match=r"could not be written .* the store is unchanged"),
            write_atomically(tmp_path / "b.backup") as file,
            Writer(file) as writer,
        ):
            writer.add("page", ["content"], [random.Random(1).randbytes(1_000_000)] * 3, no_progress)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    gc.collect()  # what is left half open would complain now
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_never_overwritten(backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(Conflict, match="already exists"):
        write(backup)
    assert backup.read_bytes() == before


def test_a_directory_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(GleaneryError, match="could not be written"):
        write(tmp_path / "missing" / "c.backup")

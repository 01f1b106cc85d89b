"""The backup file: a ZIP with the COPY output of each table and a manifest.

A backup is read as untrusted input: nothing is unpacked to disk or executed, no path in it is followed, and lengths
and checksums are verified.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from gleanery.errors import Invalid

FORMAT: Final = 1
MANIFEST = "manifest.json"
CHUNK = 1 << 20
LARGEST_MANIFEST = 1 << 20
# Saves half as much as the slowest level, in a third of its time.
COMPRESSION = 1
ENCRYPTED = 1
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, KeyError, RuntimeError, OSError)

Progress = Callable[[str, int], None]


class Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Table(Frozen):
    columns: list[str]
    rows: int = Field(ge=0)
    bytes: int = Field(ge=0)
    sha256: str


class Manifest(Frozen):
    format: Literal[1] = FORMAT
    gleanery: str
    postgresql: str
    made_at: AwareDatetime
    with_secrets: bool
    migrations: list[tuple[str, str]]
    sequences: dict[str, int | None]
    tables: dict[str, Table]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def bytes(self) -> int:
        return sum(table.bytes for table in self.tables.values())


class Writer:
    """Writes table after table, then the manifest."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *about: object) -> None:
        self._zip.close()

    def add(self, name: str, columns: list[str], pieces: Iterable[bytes | memoryview], progress: Progress) -> Table:
        digest, count, size = hashlib.sha256(), 0, 0
        with self._zip.open(_member(name), "w", force_zip64=True) as member:
            for chunk in _chunks(pieces):
                digest.update(chunk)
                count += chunk.count(b"\n")  # COPY escapes line breaks within values
                size += len(chunk)
                member.write(chunk)
                progress(name, len(chunk))
        return Table(columns=columns, rows=count, bytes=size, sha256=digest.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        self._zip.writestr(MANIFEST, manifest.model_dump_json(indent=1))


class Archive:
    """A backup open for reading; its tables are verified while they are read."""

    def __init__(self, path: Path, packed: zipfile.ZipFile, manifest: Manifest) -> None:
        self.path, self.manifest, self._zip = path, manifest, packed

    def rows_of(self, name: str) -> Iterator[bytes]:
        """Yield the text of a table in pieces; raise after the last one if it was altered."""
        table, digest, left = self.manifest.tables[name], hashlib.sha256(), self.manifest.tables[name].bytes
        with _refusing(self.path):
            member = self._zip.open(_member(name))
        with member:
            while True:
                with _refusing(self.path):
                    chunk = member.read(CHUNK)
                if not chunk:
                    break
                digest.update(chunk)
                left -= len(chunk)
                if left < 0:
                    break
                yield chunk
        if left or digest.hexdigest() != table.sha256:
            raise _damaged(self.path, f"the table {name} was altered")

    def verify(self, progress: Progress) -> None:
        """Read and verify every table."""
        for name in self.manifest.tables:
            for chunk in self.rows_of(name):
                progress(name, len(chunk))


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Open a backup; refuse other files. Only `verify` checks every byte."""
    with _readable(path) as file:
        with _refusing(path):
            packed = zipfile.ZipFile(file)
            manifest = _manifest(path, packed)
            _compare_members(packed, manifest)
        yield Archive(path, packed, manifest)


class _Bounded(io.FileIO):
    """A file with bounded reads, since zipfile reads the list of contents at once, however long."""

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = CHUNK if size is None or size < 0 else size
        if wanted > CHUNK:
            raise zipfile.BadZipFile("its list of contents is too long")
        return super().read(wanted) or b""


def _readable(path: Path) -> _Bounded:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Invalid(f"{path} is not a file. Nothing was changed; name a file that `gleanery backup` has written.")
        return _Bounded(path)
    except OSError as problem:
        raise Invalid(f"{path} cannot be read ({problem.strerror}). Nothing was changed.") from None


def _manifest(path: Path, packed: zipfile.ZipFile) -> Manifest:
    info = packed.getinfo(MANIFEST)
    _must_be_plain(info)
    if info.file_size > LARGEST_MANIFEST:
        raise zipfile.BadZipFile("its manifest is too long")
    with packed.open(info) as member:
        text = member.read(LARGEST_MANIFEST)
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as problem:
        if _is_newer(problem):
            raise Invalid(
                f"{path} was made by a newer Gleanery, in a format that this one cannot read. Nothing was changed; "
                "install that version or a later one, and restore again."
            ) from None
        raise zipfile.BadZipFile("its manifest is not as Gleanery writes it") from None


def _is_newer(problem: ValidationError) -> bool:
    formats = [each["input"] for each in problem.errors() if each["loc"] == ("format",)]
    return any(isinstance(each, int) and each > FORMAT for each in formats)


def _compare_members(packed: zipfile.ZipFile, manifest: Manifest) -> None:
    """Check that the file holds every table of the manifest once, with its length, and nothing else."""
    if sorted(packed.namelist()) != sorted([MANIFEST, *map(_member, manifest.tables)]):
        raise zipfile.BadZipFile("its contents do not match its manifest")
    for name, table in manifest.tables.items():
        info = packed.getinfo(_member(name))
        _must_be_plain(info)
        if info.file_size != table.bytes:
            raise zipfile.BadZipFile(f"the table {name} has another length")


def _must_be_plain(info: zipfile.ZipInfo) -> None:
    if info.compress_type != zipfile.ZIP_DEFLATED or info.flag_bits & ENCRYPTED:
        raise zipfile.BadZipFile("it is compressed in another way")


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except BROKEN as problem:
        raise _damaged(path, str(problem).strip().rstrip(".") or type(problem).__name__) from None


def _damaged(path: Path, reason: str) -> Invalid:
    return Invalid(
        f"{path} is damaged or not a backup of Gleanery ({reason}). Nothing was changed; use another backup, or copy "
        "this one again."
    )


def _member(table: str) -> str:
    return f"{table}.copy"


def _chunks(pieces: Iterable[bytes | memoryview]) -> Iterator[bytes]:
    """Join rows, which the server sends one by one, into larger pieces."""
    gathered = bytearray()
    for piece in pieces:
        gathered += piece
        if len(gathered) >= CHUNK:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)

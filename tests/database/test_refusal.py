"""Unusable data directories are refused with the remedy, and stored data stays unchanged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from gleanery.database import launcher, liveness
from gleanery.database.paths import ServerPaths
from gleanery.errors import DatabaseProblem
from tests.database.conftest import Visit, end_servers_below, needs_root
from tests.small_disk import fill, mounted, unmount

Disk = Callable[[str], Path]


def refused(data_dir: Path) -> str:
    with pytest.raises(DatabaseProblem) as caught:
        launcher.acquire(data_dir)
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith(".")
    return said


def starts(data_dir: Path) -> bool:
    with launcher.running(data_dir):
        return True


@pytest.fixture
def disk(workshop: Path) -> Iterator[Disk]:
    """Mount a small disk with the given options."""
    where = workshop / "disk"
    where.mkdir()
    yield partial(mounted, where)
    end_servers_below(where)
    unmount(where)


def test_data_of_another_major_version(data_dir: Path) -> None:
    assert starts(data_dir)
    (ServerPaths.of(data_dir).data / "PG_VERSION").write_text("17\n")
    said = refused(data_dir)
    assert "was made by PostgreSQL 17 and this Gleanery brings 18. Nothing was changed" in said
    assert "`gleanery backup` with the Gleanery that made it, and `gleanery restore` here" in said


def test_a_directory_that_is_not_a_database(data_dir: Path) -> None:
    ServerPaths.of(data_dir).data.mkdir(parents=True)
    (ServerPaths.of(data_dir).data / "thesis.txt").write_text("precious")
    if os.geteuid() == 0:
        os.chown(ServerPaths.of(data_dir).data, 65534, 65534)
    assert "is not a PostgreSQL data directory. Nothing was changed; move it away" in refused(data_dir)
    assert (ServerPaths.of(data_dir).data / "thesis.txt").read_text() == "precious"


def test_a_data_directory_that_is_a_file(data_dir: Path) -> None:
    data_dir.write_text("precious")
    assert f"{data_dir} is in the way, since it is not a directory. Nothing was changed" in refused(data_dir)
    assert f"{data_dir} is in the way" in refused(data_dir / "below")
    assert data_dir.read_text() == "precious"


@pytest.mark.parametrize("megabytes", [16, 38, 40])
def test_a_disk_that_is_too_small_for_a_new_database(disk: Disk, megabytes: int) -> None:
    """The disk fills up while the files are created, the server starts, or the database is created."""
    data_dir = disk(f"size={megabytes}m") / "data"
    assert "is full. What is stored is kept; free some space there and start again" in refused(data_dir)
    assert not list(data_dir.glob("postgres/unfinished-*"))
    assert liveness.processes(ServerPaths.of(data_dir)) == []
    assert disk(f"remount,size={4 * megabytes}m")
    assert starts(data_dir)


def test_a_disk_that_became_full(disk: Disk) -> None:
    data_dir = disk("size=120m") / "data"
    assert starts(data_dir)
    ballast = data_dir / "ballast"
    fill(ballast)
    assert "is full. What is stored is kept; free some space there and start again" in refused(data_dir)
    ballast.unlink()
    assert starts(data_dir)


def test_a_disk_that_is_read_only(disk: Disk) -> None:
    said = refused(disk("size=1m,ro") / "data")
    assert "Read-only file system" in said
    assert "set GLEANERY_DATA_DIR to one it may write" in said


def test_a_directory_that_the_user_may_not_write(workshop: Path, visit: Visit, persons: list[int]) -> None:
    said = visit(workshop / "data", uid=persons[0]).says()
    assert said.startswith(f"refused: {workshop}/data cannot be written by user")
    assert "Permission denied" in said


def test_the_data_directory_of_another_user(workshop: Path, visit: Visit, persons: list[int]) -> None:
    owner, other = persons
    os.chown(workshop, owner, 0)
    first = visit(workshop / "data", uid=owner)
    assert first.says() == "in"
    assert "cannot be written by user" in visit(workshop / "data", uid=other).says()
    first.leave()


@needs_root
def test_files_copied_back_by_root(data_dir: Path) -> None:
    assert starts(data_dir)
    os.chown(ServerPaths.of(data_dir).data, 0, 0)
    assert "belongs to root, and the server runs as" in refused(data_dir)


def test_a_server_that_gives_up_is_quoted(data_dir: Path) -> None:
    assert starts(data_dir)
    with (ServerPaths.of(data_dir).data / "postgresql.conf").open("a") as file:
        file.write("shared_buffers = 'plenty'\n")
    said = refused(data_dir)
    assert "postgresql.conf" in said
    assert "What is stored was left unchanged; " in said

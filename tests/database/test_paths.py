"""Any data directory works: with spaces, very long, or closed to other users."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from gleanery.database import launcher
from gleanery.database.paths import ServerPaths
from gleanery.errors import DatabaseProblem
from tests.database.conftest import Visit


def starts_twice(data_dir: Path) -> bool:
    for _ in range(2):
        with launcher.running(data_dir) as where, psycopg.connect(**where) as connection:
            connection.execute("SELECT 1")
    return True


@pytest.fixture
def long_path(workshop: Path) -> Iterator[Path]:
    """A path of 180 characters."""
    path = workshop / "a long name" / ("x" * 100)
    path = path / ("y" * (180 - len(str(path)) - 1))
    yield path
    shutil.rmtree(ServerPaths.of(path).socket_dir, ignore_errors=True)


@pytest.mark.parametrize("name", ["-D with spaces", "кирилица \" ' $HOME;&", "a, comma"])
def test_a_name_may_hold_any_characters(workshop: Path, name: str) -> None:
    assert starts_twice(workshop / name)


def test_a_path_of_180_characters_gets_its_socket_in_a_short_private_directory(long_path: Path) -> None:
    assert len(str(long_path)) == 180
    assert starts_twice(long_path)
    socket_dir = Path(launcher.connection_of(long_path)["host"])
    assert len(str(socket_dir)) < 40
    with launcher.running(long_path):
        assert socket_dir.stat().st_mode & 0o777 == 0o700
    assert not socket_dir.exists()


@pytest.mark.parametrize("trap", ["symlink", "open to others", "file"])
def test_a_short_directory_prepared_by_another_user_is_refused(long_path: Path, workshop: Path, trap: str) -> None:
    socket_dir = Path(launcher.connection_of(long_path)["host"])
    match trap:
        case "symlink":
            socket_dir.symlink_to(workshop)
        case "open to others":
            socket_dir.mkdir()
            socket_dir.chmod(0o755)
        case "file":
            socket_dir.touch()
    try:
        with pytest.raises(DatabaseProblem, match="Nothing was started; remove it, or choose a shorter"):
            launcher.acquire(long_path)
    finally:
        if not socket_dir.is_dir() or socket_dir.is_symlink():
            socket_dir.unlink()


def test_another_users_server_in_the_short_directory_is_not_used(
    long_path: Path, workshop: Path, visit: Visit, persons: list[int]
) -> None:
    os.chown(workshop, persons[0], 0)
    squatter = visit(workshop / "squat", uid=persons[0])
    assert squatter.says() == "in"
    short, theirs = (Path(launcher.connection_of(path)["host"]) for path in (long_path, workshop / "squat"))
    os.chown(workshop, 0, 0)
    short.symlink_to(theirs)
    try:
        with pytest.raises(DatabaseProblem, match="Nothing was started; remove it"):
            launcher.acquire(long_path)
    finally:
        short.unlink()


def test_it_works_below_a_closed_directory_whose_mode_stays(workshop: Path) -> None:
    closed = workshop / "closed"
    closed.mkdir()
    closed.chmod(0o700)
    before = closed.stat()
    assert starts_twice(closed / "inside" / "data")
    after = closed.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_a_directory_known_by_two_names_has_one_server(workshop: Path) -> None:
    (workshop / "real").mkdir()
    (workshop / "other").symlink_to(workshop / "real")
    with launcher.running(workshop / "real") as where, launcher.running(workshop / "other") as same:
        assert where == same


def test_everything_it_creates_is_private(data_dir: Path) -> None:
    mask = os.umask(0)
    try:
        with launcher.running(data_dir):
            for path in (data_dir, *data_dir.glob("postgres"), *data_dir.glob("postgres/*")):
                assert path.stat().st_mode & 0o077 == 0, path
    finally:
        os.umask(mask)


def test_variables_meant_for_other_servers_change_nothing(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PGPORT": "1", "PGHOST": "nowhere", "PGDATA": "/nowhere", "LC_ALL": "C", "PGUSER": "x"}.items():
        monkeypatch.setenv(name, value)
    assert starts_twice(data_dir)

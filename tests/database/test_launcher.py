"""One shared server: the first user starts it, the last one stops it, and kills at any moment are survived."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from gleanery.database import launcher, liveness, server
from gleanery.database.paths import ServerPaths
from tests.database.conftest import Visit


def postmaster(data_dir: Path) -> int | None:
    return liveness.postmaster(ServerPaths.of(data_dir))


def ask(where: dict[str, str], question: str) -> object:
    with psycopg.connect(**where) as connection:
        row = connection.execute(question).fetchone()
    return row[0] if row else None


def test_the_first_start_makes_a_database_and_the_second_finds_what_was_stored(data_dir: Path) -> None:
    with launcher.running(data_dir) as where:
        assert where == launcher.connection_of(data_dir)
        with psycopg.connect(**where) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 'мляко' AS word")
    assert liveness.processes(ServerPaths.of(data_dir)) == []
    with launcher.running(data_dir) as where:
        assert ask(where, "SELECT word FROM kept") == "мляко"


def test_the_connection_parameters_are_known_before_anything_exists(data_dir: Path) -> None:
    assert launcher.connection_of(data_dir) == {
        "host": str(data_dir / "postgres" / "data"),
        "port": "5432",
        "user": "gleanery",
        "dbname": "gleanery",
    }
    assert not data_dir.exists()


def test_a_database_that_was_not_yet_made_when_the_first_start_was_killed_is_made_by_the_next(data_dir: Path) -> None:
    with (
        launcher.running(data_dir) as where,
        psycopg.connect(**{**where, "dbname": "postgres"}, autocommit=True) as link,
    ):
        link.execute("DROP DATABASE gleanery")
    with launcher.running(data_dir) as where:
        assert ask(where, "SELECT current_database()") == "gleanery"


def test_two_processes_share_one_server_and_the_last_one_out_stops_it(data_dir: Path, visit: Visit) -> None:
    first, second = visit(data_dir), visit(data_dir)
    assert [first.says(), second.says()] == ["in", "in"]
    pid = postmaster(data_dir)
    first.leave()
    assert postmaster(data_dir) == pid is not None
    second.leave()
    assert liveness.processes(ServerPaths.of(data_dir)) == []


def test_two_leases_of_one_process_count_as_two(data_dir: Path) -> None:
    first, second = launcher.acquire(data_dir), launcher.acquire(data_dir)
    first.release()
    first.release()
    assert ask(second.connection, "SELECT 1") == 1
    second.release()
    assert postmaster(data_dir) is None


def test_threads_of_one_process_may_acquire_at_once(data_dir: Path) -> None:
    leases: list[launcher.Lease] = []
    threads = [threading.Thread(target=lambda: leases.append(launcher.acquire(data_dir))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(leases) == 4
    for lease in leases:
        lease.release()
    assert postmaster(data_dir) is None


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_neither_ends_nor_prolongs_the_lease_of_its_parent(data_dir: Path) -> None:
    lease = launcher.acquire(data_dir)
    child = os.fork()
    if not child:
        lease.release()
        os._exit(0)
    os.waitpid(child, 0)
    assert ask(lease.connection, "SELECT 1") == 1
    child = os.fork()
    if not child:
        time.sleep(60)
        os._exit(0)
    lease.release()
    assert postmaster(data_dir) is None
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def roots(found: list[psutil.Process]) -> list[int]:
    """Return the processes that none of the others started; a backend may end meanwhile."""
    pids, first = {process.pid for process in found}, []
    for process in found:
        with suppress(psutil.NoSuchProcess):
            if process.ppid() not in pids:
                first.append(process.pid)
    return first


def test_eight_processes_that_start_at_the_same_moment_get_one_server(data_dir: Path, visit: Visit) -> None:
    visitors = [visit(data_dir) for _ in range(8)]
    assert [visitor.says() for visitor in visitors] == ["in"] * 8
    assert roots(liveness.processes(ServerPaths.of(data_dir))) == [postmaster(data_dir)]
    for visitor in visitors:
        visitor.go()
    assert [visitor.says() for visitor in visitors] == ["out"] * 8
    assert liveness.processes(ServerPaths.of(data_dir)) == []


def test_after_kill_9_of_its_owner_the_server_is_found_again_and_still_stopped(data_dir: Path, visit: Visit) -> None:
    owner = visit(data_dir)
    assert owner.says() == "in"
    pid = postmaster(data_dir)
    owner.kill()
    owner.wait()
    assert postmaster(data_dir) == pid
    with launcher.running(data_dir) as where:
        assert ask(where, "SELECT 1") == 1
        assert postmaster(data_dir) == pid
    assert liveness.processes(ServerPaths.of(data_dir)) == []


@pytest.mark.parametrize("signal_sent", [signal.SIGKILL, signal.SIGTERM])
def test_a_kill_in_the_middle_of_making_the_cluster_leaves_room_for_the_next_start(
    data_dir: Path, visit: Visit, signal_sent: signal.Signals
) -> None:
    visitor = visit(data_dir)
    while not list(data_dir.glob("postgres/unfinished-*/base")):
        time.sleep(0.001)
    visitor.send_signal(signal_sent)
    visitor.wait()
    assert not (data_dir / "postgres" / "data").exists()
    with launcher.running(data_dir) as where:
        assert ask(where, "SELECT 1") == 1
    assert not list(data_dir.glob("postgres/unfinished-*"))


def test_kills_at_any_moment_of_starting_leave_a_state_that_starts(data_dir: Path, visit: Visit) -> None:
    for hundredths in range(15, 95, 10):
        visitor = visit(data_dir)
        time.sleep(hundredths / 100)
        visitor.kill()
        visitor.wait()
    with launcher.running(data_dir) as where:
        assert ask(where, "SELECT 1") == 1
    assert liveness.processes(ServerPaths.of(data_dir)) == []


def test_ctrl_c_while_the_server_starts_leaves_no_server_behind(data_dir: Path, visit: Visit) -> None:
    visitor = visit(data_dir)
    while not (data_dir / "postgres" / "server.log").exists():
        time.sleep(0.001)
    visitor.send_signal(signal.SIGINT)
    visitor.wait()
    assert liveness.processes(ServerPaths.of(data_dir)) == []


def test_the_server_ignores_ctrl_c_in_the_terminal_and_outlives_its_starter(data_dir: Path, visit: Visit) -> None:
    starter = visit(data_dir)
    assert starter.says() == "in"
    pid = postmaster(data_dir)
    assert pid
    assert os.getsid(pid) != os.getsid(starter.pid)
    assert os.getpgid(pid) != os.getpgid(starter.pid)


def test_a_large_log_is_renamed_at_the_next_start(data_dir: Path) -> None:
    with launcher.running(data_dir):
        pass
    log = data_dir / "postgres" / "server.log"
    os.truncate(log, server.LARGEST_LOG + 1)
    with launcher.running(data_dir):
        assert log.stat().st_size < server.LARGEST_LOG
    assert (data_dir / "postgres" / "server.log.old").stat().st_size > server.LARGEST_LOG

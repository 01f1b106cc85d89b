"""A killed server comes back with all committed data, even if its pid was reused."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import psutil
import psycopg
import pytest

from gleanery.database import launcher, liveness
from gleanery.database.account import account_for
from gleanery.database.paths import SOCKET, ServerPaths
from tests.database.conftest import Visit


@pytest.fixture
def stopped(data_dir: Path) -> Path:
    """A data directory whose server was started and stopped."""
    with launcher.running(data_dir):
        return data_dir


def pretend_it_runs_as(pid: int, paths: ServerPaths) -> None:
    paths.pid_file.write_text(f"{pid}\n{paths.data}\n1700000000\n5432\n{paths.data}\n\n  1234567     89\nready   \n")
    (paths.socket_dir / f"{SOCKET}.lock").write_text(f"{pid}\n{paths.data}\n1700000000\n5432\n{paths.data}\n")


def starts(data_dir: Path) -> bool:
    with launcher.running(data_dir) as where, psycopg.connect(**where) as connection:
        return connection.execute("SELECT 1").fetchone() == (1,)


def test_after_kill_9_of_the_server_no_committed_row_is_lost(data_dir: Path, visit: Visit) -> None:
    writer = visit(data_dir, "write")
    while writer.says() != "500":
        assert writer.poll() is None
    pid = liveness.postmaster(ServerPaths.of(data_dir))
    assert pid
    os.kill(pid, signal.SIGKILL)
    said, _ = writer.communicate(timeout=30)
    last = int((said.split() or ["500"])[-1])
    with launcher.running(data_dir) as where, psycopg.connect(**where) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM kept WHERE n <= %s", [last]).fetchone() or (0,)
    assert kept == last + 1


def test_a_process_still_using_the_killed_server_does_not_block_the_next_start(data_dir: Path, visit: Visit) -> None:
    visitor = visit(data_dir)
    assert visitor.says() == "in"
    for process in liveness.processes(ServerPaths.of(data_dir)):
        process.kill()
    with launcher.running(data_dir) as where, psycopg.connect(**where):
        pass
    assert liveness.postmaster(ServerPaths.of(data_dir)) is not None
    visitor.leave()
    assert liveness.processes(ServerPaths.of(data_dir)) == []


def test_a_busy_backend_of_a_killed_server_is_terminated(data_dir: Path) -> None:
    lease = launcher.acquire(data_dir)
    with closing(psycopg.connect(**lease.connection, autocommit=True)) as busy:
        busy.pgconn.send_query(b"SELECT count(*) FROM generate_series(1, 1000000000000)")
        pid = liveness.postmaster(ServerPaths.of(data_dir))
        assert pid
        os.kill(pid, signal.SIGKILL)
        assert starts(data_dir)
    lease.release()


def test_a_stale_pid_of_another_process_is_ignored(stopped: Path) -> None:
    paths = ServerPaths.of(stopped)
    with subprocess.Popen(["sleep", "60"], **account_for(paths).identity) as stranger:
        pretend_it_runs_as(stranger.pid, paths)
        assert liveness.postmaster(paths) is None
        assert starts(stopped)
        assert stranger.poll() is None
        stranger.kill()


def test_a_stale_pid_of_a_zombie_is_ignored(stopped: Path) -> None:
    with subprocess.Popen(["true"], stdout=subprocess.PIPE) as zombie:
        assert zombie.stdout
        zombie.stdout.read()
        pretend_it_runs_as(zombie.pid, ServerPaths.of(stopped))
        assert starts(stopped)


def test_an_invalid_pid_file_is_ignored(stopped: Path) -> None:
    for content in ("", "no number\n", "999999999\n"):
        ServerPaths.of(stopped).pid_file.write_text(content)
        assert starts(stopped)


def test_a_server_started_by_hand_is_shared_and_keeps_its_pid_file(stopped: Path) -> None:
    paths = ServerPaths.of(stopped)
    with launcher.running(stopped):
        command = psutil.Process(liveness.postmaster(paths)).cmdline()
    with subprocess.Popen(command, cwd=paths.data, stderr=subprocess.DEVNULL, **account_for(paths).identity) as by_hand:
        try:
            with launcher.running(stopped):
                assert liveness.postmaster(paths) == by_hand.pid
            assert by_hand.wait(20) == 0
        finally:
            by_hand.kill()

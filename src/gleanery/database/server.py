"""The server process: whether it lives, how it is started, when it is ready, how it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from gleanery.database import binaries, cluster, locks, private, problems
from gleanery.database.account import Account
from gleanery.database.cluster import Toolbox
from gleanery.database.place import PORT, SOCKET, Place
from gleanery.errors import DatabaseProblem

DATABASE = "gleanery"
SECONDS_TO_RECOVER = 120
SECONDS_TO_STOP = 60
SECONDS_BETWEEN_LOOKS = 0.02
LARGEST_LOG = 8 * 1024 * 1024

# The shell leaves at once: the server is nobody's child, so no parent has to reap it and none is a zombie's keeper.
IN_THE_BACKGROUND = ("/bin/sh", "-c", '"$@" &', "sh")


def connection_of(place: Place) -> dict[str, str]:
    return {"host": str(place.socket_dir), "port": PORT, "user": cluster.SUPERUSER, "dbname": DATABASE}


def ensure_running(place: Place, account: Account) -> None:
    """Returns when the server answers; one that is recovering, or leftovers of a killed one, are waited for."""
    patience = time.monotonic() + SECONDS_TO_RECOVER
    log_begins: int | None = None
    while refusal := _refusal(place):
        with _silence(place) as life:
            if life is not None and log_begins is not None:
                raise problems.from_output(_tail(place.log, log_begins), place.data, place.log)
            if life is not None:
                log_begins = _start(place, Toolbox(account, binaries.programs_for(account), life))
        if time.monotonic() > patience:
            raise DatabaseProblem(
                f"PostgreSQL in {place.data} is not ready after {SECONDS_TO_RECOVER} seconds ({refusal}): what is "
                f"stored is kept and it may still be recovering; wait and start again, or read {place.log}."
            )
        time.sleep(SECONDS_BETWEEN_LOOKS)


def stop(place: Place) -> None:
    """A fast shutdown. One that takes longer goes on by itself, and the next start waits for it."""
    patience = time.monotonic() + SECONDS_TO_STOP
    asked: set[int] = set()
    while time.monotonic() < patience:
        with _silence(place) as life:
            if life is not None:
                return
        # A server that has only just begun has not written its pid yet.
        pid = postmaster(place)
        if pid is not None and pid not in asked:
            asked.add(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        time.sleep(SECONDS_BETWEEN_LOOKS)


def postmaster(place: Place) -> int | None:
    """The pid in the file counts only if that process is a server of these very files."""
    try:
        pid = int(place.pid_file.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pid if pid in {process.pid for process in processes(place)} else None


def processes(place: Place) -> list[psutil.Process]:
    """All that work in this data directory, by its identity on disk: names change, pids are used again."""
    try:
        files = place.data.stat()
    except OSError:
        return []
    named = (process for process in psutil.process_iter(["name"]) if process.info["name"] == "postgres")
    return [process for process in named if _works_in(process, files)]


def _works_in(process: psutil.Process, files: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(process.cwd()), files)
    except (OSError, psutil.Error):
        return False


@contextmanager
def _silence(place: Place) -> Iterator[int | None]:
    """The lock that says that nothing runs on these files, or None while anything does.

    The process table is asked as well, for a server that somebody started by hand has no part in our lock.
    """
    with locks.attempt(place.life) as life:
        yield None if life is None or processes(place) else life


def _start(place: Place, tools: Toolbox) -> int:
    """Where the log of this start begins."""
    cluster.make_ready(place, tools)
    if place.socket_dir != place.data:
        private.make_directory_among_strangers(place.socket_dir, tools.account)
    _remove_stale_pids(place)
    log = _open_log(place.log)
    try:
        begins = os.fstat(log).st_size
        _launch(place, tools, log)
    finally:
        os.close(log)
    return begins


def _remove_stale_pids(place: Place) -> None:
    """PostgreSQL would refuse to start if such a pid now belongs to anybody else. Nothing runs: we hold the lock."""
    place.pid_file.unlink(missing_ok=True)
    (place.socket_dir / f"{SOCKET}.lock").unlink(missing_ok=True)


def _launch(place: Place, tools: Toolbox, log: int) -> None:
    # Relative to the data, where the server works: so its own path to the socket is never too long.
    socket_dir = "." if place.socket_dir == place.data else str(place.socket_dir)
    server = [str(tools.programs / "postgres"), "-D", tools.path_of(place.data), "-p", PORT, "-k", socket_dir]
    subprocess.run(  # noqa: S603
        [*IN_THE_BACKGROUND, *server, "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700"],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        check=True,
        cwd=place.data,
        env=cluster.CLEAN_ENVIRONMENT,
        start_new_session=True,
        pass_fds=[tools.life],
        **tools.account.identity,
    )


def _open_log(path: Path) -> int:
    if path.exists() and path.stat().st_size > LARGEST_LOG:
        path.replace(path.with_suffix(".log.old"))
    return private.open_file(path, os.O_WRONLY | os.O_APPEND)


def _tail(log: Path, begins: int) -> str:
    return log.read_bytes()[begins:].decode(errors="replace")


def _refusal(place: Place) -> str | None:
    """Why the server cannot be used, or None if it can."""
    server = make_conninfo(**{**connection_of(place), "dbname": "postgres", "connect_timeout": "10"})
    try:
        with psycopg.connect(server, autocommit=True) as link:
            _ensure_database(link)
    except psycopg.OperationalError as problem:
        said = " ".join(str(problem).split())
        # A full house is open.
        return None if "too many clients" in said else said
    return None


def _ensure_database(link: psycopg.Connection) -> None:
    """Looked for at every start: a first start may be killed before this point."""
    if not link.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
        link.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

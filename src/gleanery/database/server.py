"""The server process: start, readiness, stop."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from gleanery.database import binaries, cluster, liveness, private, problems, sizing
from gleanery.database.account import Account
from gleanery.database.cluster import Toolbox
from gleanery.database.paths import PORT, SOCKET, ServerPaths
from gleanery.errors import DatabaseProblem

DATABASE = "gleanery"
SECONDS_TO_RECOVER = 120
SECONDS_TO_STOP = 30
SECONDS_TO_NOTICE_A_DEATH = 3
SECONDS_BETWEEN_LOOKS = 0.02
LARGEST_LOG = 8 * 1024 * 1024

# The shell exits at once, so the server is not our child and cannot become our zombie.
IN_THE_BACKGROUND = ("/bin/sh", "-c", '"$@" &', "sh")


class StillRecovering(DatabaseProblem):
    """The server is still recovering and keeps running; a later start finds it further along."""


def connection_of(paths: ServerPaths) -> dict[str, str]:
    return {"host": str(paths.socket_dir), "port": PORT, "user": cluster.SUPERUSER, "dbname": DATABASE}


def ensure_running(paths: ServerPaths, account: Account) -> None:
    """Return when the server responds; wait for recovery and for leftover processes of a killed server."""
    began = time.monotonic()
    log_begins: int | None = None
    while refusal := _refusal(paths, account):
        waited = time.monotonic() - began
        with liveness.nothing_running(paths) as lock:
            if lock is None:
                if log_begins is None and waited > SECONDS_TO_NOTICE_A_DEATH:
                    liveness.end_orphans(paths)
            elif log_begins is None:
                log_begins = _start(paths, Toolbox(account, binaries.programs_for(account), lock))
            else:
                raise problems.from_output(_tail(paths.log, log_begins), paths.data, paths.log)
        if waited > SECONDS_TO_RECOVER:
            raise StillRecovering(
                f"PostgreSQL in {paths.data} is not ready after {SECONDS_TO_RECOVER} seconds ({refusal}). What is "
                f"stored is kept and it may still be recovering; wait and start again, or read {paths.log}."
            )
        time.sleep(SECONDS_BETWEEN_LOOKS)


def stop(paths: ServerPaths) -> None:
    """Stop the server with a fast shutdown, then by force; stored data is safe either way."""
    if not _ended(paths, signal.SIGINT, SECONDS_TO_STOP):
        stop_at_once(paths)


def stop_at_once(paths: ServerPaths) -> None:
    """Stop the server without a checkpoint; the next start recovers."""
    _ended(paths, signal.SIGQUIT, SECONDS_TO_STOP)


def _ended(paths: ServerPaths, number: signal.Signals, seconds: float) -> bool:
    patience = time.monotonic() + seconds
    asked: int | None = None
    while time.monotonic() < patience:
        with liveness.nothing_running(paths) as lock:
            if lock is not None:
                if asked and paths.socket_dir != paths.data:
                    private.remove_if_empty(paths.socket_dir)
                return True
        # A server that has just started has not written its pid yet.
        if asked is None and (asked := liveness.postmaster(paths)):
            with suppress(ProcessLookupError):
                os.kill(asked, number)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return False


def _start(paths: ServerPaths, tools: Toolbox) -> int:
    """Start the server and return where its log output begins."""
    cluster.make_ready(paths, tools)
    if paths.socket_dir != paths.data:
        private.make_private_directory(paths.socket_dir, tools.account)
    _remove_stale_pids(paths)
    log = _open_log(paths.log)
    try:
        begins = os.fstat(log).st_size
        _launch(paths, tools, log)
    finally:
        os.close(log)
    return begins


def _remove_stale_pids(paths: ServerPaths) -> None:
    """Remove pid files, since PostgreSQL refuses to start if the pid was reused; our lock proves none runs."""
    paths.pid_file.unlink(missing_ok=True)
    (paths.socket_dir / f"{SOCKET}.lock").unlink(missing_ok=True)


def _launch(paths: ServerPaths, tools: Toolbox, log: int) -> None:
    # Relative to the working directory of the server, so that its socket path is never too long.
    socket_dir = "." if paths.socket_dir == paths.data else str(paths.socket_dir)
    server = [str(tools.programs / "postgres"), "-D", tools.path_of(paths.data), "-p", PORT, "-k", socket_dir]
    settings = ("listen_addresses=", "unix_socket_permissions=0700", *sizing.settings())
    subprocess.run(  # noqa: S603
        [*IN_THE_BACKGROUND, *server, *(part for each in settings for part in ("-c", each))],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        check=True,
        cwd=paths.data,
        env=cluster.CLEAN_ENVIRONMENT,
        start_new_session=True,
        pass_fds=[tools.server_lock],
        **tools.account.identity,
    )


def _open_log(path: Path) -> int:
    if path.exists() and path.stat().st_size > LARGEST_LOG:
        path.replace(path.with_suffix(".log.old"))
    return private.open_file(path, os.O_WRONLY | os.O_APPEND)


def _tail(log: Path, begins: int) -> str:
    return log.read_bytes()[begins:].decode(errors="replace")


def _refusal(paths: ServerPaths, account: Account) -> str | None:
    """Return why the server cannot be used, or None; requirepeer proves that it runs as our account."""
    proof = {"dbname": "postgres", "requirepeer": account.name, "connect_timeout": "10"}
    server = make_conninfo(**{**connection_of(paths), **proof})
    try:
        with psycopg.connect(server, autocommit=True) as link:
            _ensure_database(link)
    except psycopg.Error as problem:
        # This may also be the CREATE DATABASE of a killed start, still running.
        said = " ".join(str(problem).split())
        if problems.is_disk_full(said):
            raise problems.from_output(said, paths.data) from None
        # A server with no free connection is running.
        return None if "too many clients" in said else said
    return None


def _ensure_database(link: psycopg.Connection) -> None:
    """Create the database if it is missing, as after a first start that was killed."""
    if not link.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
        link.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

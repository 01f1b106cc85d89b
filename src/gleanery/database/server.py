"""The server process: how it is started, when it is ready, how it is stopped."""

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
from gleanery.database.place import PORT, SOCKET, Place
from gleanery.errors import DatabaseProblem

DATABASE = "gleanery"
SECONDS_TO_RECOVER = 120
SECONDS_TO_STOP = 30
SECONDS_TO_NOTICE_A_DEATH = 3
SECONDS_BETWEEN_LOOKS = 0.02
LARGEST_LOG = 8 * 1024 * 1024

# The shell leaves at once: the server is nobody's child, so no parent has to reap it and none is a zombie's keeper.
IN_THE_BACKGROUND = ("/bin/sh", "-c", '"$@" &', "sh")


class StillRecovering(DatabaseProblem):
    """The server needs more time and is left to it, so the next start finds it further on its way."""


def connection_of(place: Place) -> dict[str, str]:
    return {"host": str(place.socket_dir), "port": PORT, "user": cluster.SUPERUSER, "dbname": DATABASE}


def ensure_running(place: Place, account: Account) -> None:
    """Returns when the server answers; one that is recovering, or leftovers of a killed one, are waited for."""
    began = time.monotonic()
    log_begins: int | None = None
    while refusal := _refusal(place, account):
        waited = time.monotonic() - began
        with liveness.silence(place) as life:
            if life is None:
                if log_begins is None and waited > SECONDS_TO_NOTICE_A_DEATH:
                    liveness.dismiss_orphans(place)
            elif log_begins is None:
                log_begins = _start(place, Toolbox(account, binaries.programs_for(account), life))
            else:
                raise problems.from_output(_tail(place.log, log_begins), place.data, place.log)
        if waited > SECONDS_TO_RECOVER:
            raise StillRecovering(
                f"PostgreSQL in {place.data} is not ready after {SECONDS_TO_RECOVER} seconds ({refusal}): what is "
                f"stored is kept and it may still be recovering; wait and start again, or read {place.log}."
            )
        time.sleep(SECONDS_BETWEEN_LOOKS)


def stop(place: Place) -> None:
    """A fast shutdown; one that does not end is cut short, for what is stored is safe either way."""
    if not _ended(place, signal.SIGINT, SECONDS_TO_STOP):
        stop_at_once(place)


def stop_at_once(place: Place) -> None:
    """No last checkpoint is written: the next start recovers instead."""
    _ended(place, signal.SIGQUIT, SECONDS_TO_STOP)


def _ended(place: Place, number: signal.Signals, seconds: float) -> bool:
    patience = time.monotonic() + seconds
    asked: int | None = None
    while time.monotonic() < patience:
        with liveness.silence(place) as life:
            if life is not None:
                if asked and place.socket_dir != place.data:
                    private.remove_if_empty(place.socket_dir)
                return True
        # One that has only just begun has not written its pid yet.
        if asked is None and (asked := liveness.postmaster(place)):
            with suppress(ProcessLookupError):
                os.kill(asked, number)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return False


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
    settings = ("listen_addresses=", "unix_socket_permissions=0700", *sizing.settings())
    subprocess.run(  # noqa: S603
        [*IN_THE_BACKGROUND, *server, *(part for each in settings for part in ("-c", each))],
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


def _refusal(place: Place, account: Account) -> str | None:
    """Why the server cannot be used, or None if it can. It proves by its user that it is ours and no squatter's."""
    proof = {"dbname": "postgres", "requirepeer": account.name, "connect_timeout": "10"}
    server = make_conninfo(**{**connection_of(place), **proof})
    try:
        with psycopg.connect(server, autocommit=True) as link:
            _ensure_database(link)
    except psycopg.Error as problem:
        # Also what a killed start left unfinished: its CREATE DATABASE may still run, and ours then fails.
        said = " ".join(str(problem).split())
        if problems.tells_of_a_full_disk(said):
            raise problems.from_output(said, place.data) from None
        # A full house is open.
        return None if "too many clients" in said else said
    return None


def _ensure_database(link: psycopg.Connection) -> None:
    """Looked for at every start: a first start may be killed before this point."""
    if not link.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
        link.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

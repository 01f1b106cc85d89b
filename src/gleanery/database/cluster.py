"""The server's files: made once and whole, and looked at before every start."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gleanery.database import binaries, private, problems
from gleanery.database.account import ROOT, Account, name_of
from gleanery.database.place import Place
from gleanery.errors import DatabaseProblem

SUPERUSER = "gleanery"
UNFINISHED = "unfinished-"

# With ctype C the trigrams of any Cyrillic text are empty, whatever the provider of the locale is.
LOCALE = (
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--lc-ctype=C.UTF-8",
    "--encoding=UTF8",
)

# Nothing of ours leaks in: PGPORT, PGDATA, LC_ALL and the like would change what the programs do.
CLEAN_ENVIRONMENT = {"PATH": os.defpath, "TZ": "UTC"}


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Who runs which programs, and the lock that they inherit for as long as any of them lives."""

    account: Account
    programs: Path
    life: int

    def path_of(self, directory: Path) -> str:
        """Root may keep its data where the server's user cannot pass; a process always reaches its own directory."""
        own = Path("/proc/self/cwd")
        return str(own if os.geteuid() == ROOT and own.exists() else directory)


def make_ready(place: Place, tools: Toolbox) -> None:
    """Made beside its place and renamed into it, so a kill leaves either nothing or a whole cluster."""
    for leftover in place.home.glob(f"{UNFINISHED}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    if place.data.exists():
        _refuse_unusable(place, tools)
        return
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=place.home))
    try:
        os.chown(unfinished, tools.account.uid, tools.account.gid)
        _initdb(unfinished, tools, place)
        _admit(unfinished, tools.account)
        unfinished.rename(place.data)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _initdb(directory: Path, tools: Toolbox, place: Place) -> None:
    command = [str(tools.programs / "initdb"), "-D", tools.path_of(directory), f"--username={SUPERUSER}", *LOCALE]
    done = subprocess.run(  # noqa: S603
        [*command, "--auth-local=peer", "--auth-host=reject"],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        cwd=directory,
        env=CLEAN_ENVIRONMENT,
        pass_fds=[tools.life],
        **tools.account.identity,
    )
    if done.returncode:
        raise problems.from_output(done.stderr, place.data)


def _admit(directory: Path, account: Account) -> None:
    """Only through the socket, only as the one user, only who owns the installation."""
    private.replace_file(directory / "pg_hba.conf", f"local all {SUPERUSER} peer map=owner\n", account)
    mapping = "".join(f'owner "{name}" {SUPERUSER}\n' for name in account.admitted)
    private.replace_file(directory / "pg_ident.conf", mapping, account)


def _refuse_unusable(place: Place, tools: Toolbox) -> None:
    owner = place.data.stat().st_uid
    if owner != tools.account.uid:
        raise DatabaseProblem(
            f"{place.data} belongs to {name_of(owner)}, and the server runs as {tools.account.name}: nothing was "
            f"changed; run `chown -R {tools.account.name} '{place.data}'`, or run Gleanery as its owner."
        )
    made_by, ours = _major_version(place), binaries.major(tools.programs)
    if made_by != ours:
        raise DatabaseProblem(
            f"{place.data} was made by PostgreSQL {made_by} and this Gleanery brings {ours}: nothing was changed; run "
            "`gleanery backup` with the Gleanery that made it, and `gleanery restore` here in a new GLEANERY_DATA_DIR."
        )


def _major_version(place: Place) -> str:
    try:
        return (place.data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise DatabaseProblem(
            f"{place.data} is not a PostgreSQL data directory: nothing was changed; "
            "move it away, or set GLEANERY_DATA_DIR to another directory."
        ) from None

"""The server's data files: created once, atomically, and checked before every start."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gleanery.database import binaries, private, problems
from gleanery.database.account import ROOT, Account, name_of
from gleanery.database.paths import ServerPaths
from gleanery.errors import DatabaseProblem

SUPERUSER = "gleanery"
UNFINISHED = "unfinished-"

# With ctype C the trigrams of Cyrillic text are empty, whatever the locale provider.
LOCALE = (
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--lc-ctype=C.UTF-8",
    "--encoding=UTF8",
)

# Our environment is not passed on: PGPORT, PGDATA, LC_ALL and the like would change what the programs do.
CLEAN_ENVIRONMENT = {"PATH": os.defpath, "TZ": "UTC"}


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The account and programs to run, and the lock that the server processes inherit."""

    account: Account
    programs: Path
    server_lock: int

    def path_of(self, directory: Path) -> str:
        """Return a path the server's user can open, even below directories closed to it: its working directory."""
        own = Path("/proc/self/cwd")
        return str(own if os.geteuid() == ROOT and own.exists() else directory)


def make_ready(paths: ServerPaths, tools: Toolbox) -> None:
    """Create the cluster in a temporary directory and rename it, so that a kill leaves no partial cluster."""
    for leftover in paths.home.glob(f"{UNFINISHED}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    if paths.data.exists():
        _refuse_unusable(paths, tools)
        return
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=paths.home))
    try:
        os.chown(unfinished, tools.account.uid, tools.account.gid)
        _initdb(unfinished, tools, paths)
        _admit(unfinished, tools.account)
        unfinished.rename(paths.data)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _initdb(directory: Path, tools: Toolbox, paths: ServerPaths) -> None:
    command = [str(tools.programs / "initdb"), "-D", tools.path_of(directory), f"--username={SUPERUSER}", *LOCALE]
    done = subprocess.run(  # noqa: S603
        [*command, "--auth-local=peer", "--auth-host=reject"],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        cwd=directory,
        env=CLEAN_ENVIRONMENT,
        pass_fds=[tools.server_lock],
        **tools.account.identity,
    )
    if done.returncode:
        raise problems.from_output(done.stderr, paths.data)


def _admit(directory: Path, account: Account) -> None:
    """Allow connections only through the socket, as one database user, by the owner's accounts."""
    private.replace_file(directory / "pg_hba.conf", f"local all {SUPERUSER} peer map=owner\n", account)
    mapping = "".join(f'owner "{name}" {SUPERUSER}\n' for name in account.admitted)
    private.replace_file(directory / "pg_ident.conf", mapping, account)


def _refuse_unusable(paths: ServerPaths, tools: Toolbox) -> None:
    owner = paths.data.stat().st_uid
    if owner != tools.account.uid:
        raise DatabaseProblem(
            f"{paths.data} belongs to {name_of(owner)}, and the server runs as {tools.account.name}. Nothing was "
            f"changed; run `chown -R {tools.account.name} '{paths.data}'`, or run Gleanery as its owner."
        )
    made_by, ours = _major_version(paths), binaries.major(tools.programs)
    if made_by != ours:
        raise DatabaseProblem(
            f"{paths.data} was made by PostgreSQL {made_by} and this Gleanery brings {ours}. Nothing was changed; run "
            "`gleanery backup` with the Gleanery that made it, and `gleanery restore` here in a new GLEANERY_DATA_DIR."
        )


def _major_version(paths: ServerPaths) -> str:
    try:
        return (paths.data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise DatabaseProblem(
            f"{paths.data} is not a PostgreSQL data directory. Nothing was changed; "
            "move it away, or set GLEANERY_DATA_DIR to another directory."
        ) from None

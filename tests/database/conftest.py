"""Fixtures for database tests: new data directories, and processes that use their servers; all end with the test."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil
import pytest

from gleanery.database import account, launcher

SCRIPT = Path(__file__).with_name("visitor.py")
SOURCE = Path(launcher.__file__).parents[2]
PACKAGES = Path(psutil.__file__).parents[1]

needs_root = pytest.mark.skipif(os.geteuid() != account.ROOT, reason="only root can act as somebody else")

Visit = Callable[..., "Visitor"]


class Visitor(subprocess.Popen[str]):
    """A process that uses a server, and its output."""

    def __init__(self, verb: str, path: Path, uid: int) -> None:
        super().__init__(
            [interpreter_for(uid), str(SCRIPT), verb, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            **as_user(uid),
        )

    def says(self) -> str:
        assert self.stdout
        return self.stdout.readline().strip()

    def go(self) -> None:
        assert self.stdin
        self.stdin.write("\n")
        self.stdin.flush()

    def leave(self) -> None:
        self.go()
        assert self.says() == "out"
        assert self.wait(30) == 0


def as_user(uid: int) -> dict[str, object]:
    """Return arguments that make subprocess run Python as this user, with only this project."""
    environment = {"PATH": os.defpath, "PYTHONPATH": f"{SOURCE}:{PACKAGES}", "PYTHONDONTWRITEBYTECODE": "1"}
    if uid == os.geteuid():
        return {"env": environment}
    return {"env": environment, "user": uid, "group": pwd.getpwuid(uid).pw_gid, "extra_groups": []}


@cache
def interpreter_for(uid: int) -> str:
    """Return a Python interpreter that this user can run; ours may be in a directory closed to them."""
    same_version = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, same_version):
        try:
            subprocess.run([candidate, "-c", "import gleanery.database.launcher"], check=True, cwd="/", **as_user(uid))
        except (OSError, subprocess.CalledProcessError):
            continue
        return candidate
    pytest.skip(f"user {uid} can run no Python of this version with this project")


@pytest.fixture
def workshop() -> Iterator[Path]:
    """A directory open to all, in memory if possible; servers below it are ended after the test."""
    memory = Path("/dev/shm")  # noqa: S108  # mkdtemp makes the name and the mode
    made = Path(tempfile.mkdtemp(prefix="gleanery-", dir=memory if os.access(memory, os.W_OK) else None))
    made.chmod(0o755)
    yield made
    end_servers_below(made)
    shutil.rmtree(made)


def end_servers_below(directory: Path) -> None:
    patience = time.monotonic() + 20
    while found := [process for process in psutil.process_iter() if works_below(process, directory)]:
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        assert time.monotonic() < patience
        time.sleep(0.01)


def works_below(process: psutil.Process, directory: Path) -> bool:
    try:
        return process.name() in {"postgres", "initdb"} and Path(process.cwd()).is_relative_to(directory)
    except psutil.Error:
        # Gone, or a zombie: neither works.
        return False


@pytest.fixture
def data_dir(workshop: Path) -> Path:
    return workshop / "data"


@pytest.fixture
def visit() -> Iterator[Visit]:
    """Start visitors, and end those still running after the test."""
    visitors: list[Visitor] = []

    def start(path: Path, verb: str = "stay", *, uid: int | None = None) -> Visitor:
        visitors.append(Visitor(verb, path, os.geteuid() if uid is None else uid))
        return visitors[-1]

    yield start
    for visitor in visitors:
        visitor.kill()
        visitor.communicate()


@pytest.fixture
def persons() -> list[int]:
    """Two ordinary users of this machine, other than ourselves and the server's user."""
    spare = [each.pw_uid for each in pwd.getpwall() if 0 < each.pw_uid < 1000 and each.pw_name not in account.STAND_INS]
    if os.geteuid() != account.ROOT or len(spare) < 2:
        pytest.skip("only root can act as two other users")
    return spare[:2]

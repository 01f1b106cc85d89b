"""Runs a command on a temporary cluster of the system's PostgreSQL: `on_system_postgres.py CMD...`."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

OLDEST = 15
USER = "gleanery"


def programs() -> Path | None:
    """Return the directory of the newest supported version, or None."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    if pg_config := shutil.which("pg_config"):
        said = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, check=True)  # noqa: S603
        found.append(Path(said.stdout.strip()))
    return max((path for path in found if version(path) >= OLDEST), key=version, default=None)


def version(directory: Path) -> int:
    """Return the major version: 15 for `postgres (PostgreSQL) 15.18 (...)`, 0 without a server."""
    if not (directory / "postgres").exists():
        return 0
    said = subprocess.run([directory / "postgres", "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    return int(said.stdout.split()[2].partition(".")[0])


def unprivileged() -> dict[str, Any]:
    """Return arguments that run a process as an unprivileged user, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def quietly(command: list[str | Path], identity: dict[str, Any]) -> None:
    """Run a command without output, in `/`, because the other user may not be able to read the current directory."""
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, cwd="/", **identity)  # noqa: S603


@contextmanager
def cluster(directory: Path) -> Iterator[str]:
    """Start a temporary server and yield its address."""
    home = Path(tempfile.mkdtemp(prefix="gleanery-system-"))
    identity = unprivileged()
    try:
        os.chown(home, identity.get("user", -1), -1)
        # Only the owner and root can enter the 0700 directory, so `trust` is safe.
        initdb: list[str | Path] = [directory / "initdb", "-D", home / "data", "-U", USER, "--auth=trust", "--no-sync"]
        quietly([*initdb, "--locale=C.UTF-8", "--encoding=UTF8"], identity)
        control: list[str | Path] = [directory / "pg_ctl", "-D", home / "data", "-w"]
        options = f"-k {home} -c listen_addresses= -c fsync=off -c unix_socket_permissions=0700"
        start: list[str | Path] = [*control, "-l", home / "log", "-o", options, "start"]
        quietly(start, identity)
        try:
            quietly([directory / "createdb", "-h", home, "-U", USER, USER], identity)
            yield f"postgresql://{USER}@/{USER}?host={quote(str(home))}"
        finally:
            quietly([*control, "-m", "immediate", "stop"], identity)
    finally:
        shutil.rmtree(home)


def main(command: list[str]) -> int:
    directory = programs()
    if directory is None:
        sys.stderr.write(f"No system PostgreSQL {OLDEST} or newer was found, so nothing was run.\n")
        return 0
    with cluster(directory) as url:
        sys.stderr.write(f"On PostgreSQL {version(directory)} of {directory}\n")
        environment = {**os.environ, "GLEANERY_TEST_DATABASE_URL": url}
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))

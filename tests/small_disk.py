"""Small disks that tests can fill."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest


def mounted(where: Path, options: str) -> Path:
    """A disk in memory with these options of mount; with `remount` they change."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", where], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mounting a small disk is not permitted here: run as root")
    return where


def unmount(where: Path) -> None:
    subprocess.run(["umount", "--lazy", where], capture_output=True, check=False)


def fill(ballast: Path) -> None:
    """Until nothing more can be written to the disk of this file."""
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass

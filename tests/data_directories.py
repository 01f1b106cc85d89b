"""Data directories for tests that run the command: created once by the command, then copied."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gleanery.database import locks


def environment_of(data: Path, **settings: str) -> dict[str, str]:
    """What a command on this directory gets to know: nothing of the settings of whoever runs the suite."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GLEANERY_", "DJANGO_"))}
    return kept | {"GLEANERY_DATA_DIR": str(data), "COLUMNS": "200"} | settings


def furnished(factory: pytest.TempPathFactory, name: str) -> Path:
    """A directory in which a command has run before: its tables are there, and they are empty."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    first, copy = shared / "furnished", factory.mktemp(name)
    with locks.held(shared / "furnished.lock"):
        if not first.exists():
            _furnish(shared / "unfurnished").rename(first)
    # Unlike shutil it keeps the owner, who is somebody else where root runs the suite.
    subprocess.run(["cp", "-a", f"{first}/.", copy], check=True)
    return copy


def _furnish(data: Path) -> Path:
    subprocess.run([sys.executable, "-m", "gleanery", "user", "list"], env=environment_of(data), check=True)
    return data

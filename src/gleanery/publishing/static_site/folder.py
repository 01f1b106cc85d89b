"""The folder of a static copy: only what changed is written, and what is gone is deleted."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gleanery.errors import Invalid

MANIFEST: Final = ".gleanery-site.json"
READABLE: Final = 0o644


@dataclass(slots=True)
class Folder:
    """Knows which of its files are ours: others are never touched."""

    root: Path
    now: set[str] = field(default_factory=set)
    written: int = 0

    def write(self, name: str, data: bytes) -> None:
        path = self._inside(name)
        self.now.add(name)
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
        self.written += 1

    def finish(self, before: set[str]) -> int:
        """Delete what was ours before and is there no more; return how many files that were."""
        gone = before - self.now
        for name in gone:
            path = self._inside(name)
            path.unlink(missing_ok=True)
            _prune(path.parent, self.root)
        _replace(self.root / MANIFEST, json.dumps(sorted(self.now)).encode())
        return len(gone)

    def _inside(self, name: str) -> Path:
        if name.startswith("/") or ".." in name.split("/"):
            raise Invalid(f"The address {name} leads out of the folder, so the copy was not finished.")
        return self.root / name


def files_of(root: Path) -> set[str]:
    """Return the files of the copy that is there, or make the folder. One with other files is refused."""
    if not root.exists() or not any(root.iterdir()):
        root.mkdir(parents=True, exist_ok=True)
        return set()
    try:
        return set(json.loads((root / MANIFEST).read_text()))
    except (OSError, ValueError):
        raise Invalid(
            f"{root} holds other files than a copy of the site, so nothing was written. Name an empty folder."
        ) from None


def _replace(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with open(descriptor, "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), READABLE)
    Path(name).replace(path)


def _prune(folder: Path, root: Path) -> None:
    while folder != root and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent

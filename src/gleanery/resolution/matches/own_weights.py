"""Weights of the operator's own: a file in the data directory goes before the one that comes with Gleanery."""

from __future__ import annotations

import os
from pathlib import Path

from gleanery import environment
from gleanery.errors import BadSetting
from gleanery.resolution.matches.weights import read

FOLDER = "weights"


def own_path(kind: str) -> Path:
    """The directory may be missing, and no other setting matters here: files are compared without any of them."""
    return environment.directory(os.environ.get("GLEANERY_DATA_DIR", "")) / FOLDER / f"{kind}.toml"


def own_text(kind: str) -> str | None:
    """None if there is no such file; one that cannot be used stops the start."""
    path = own_path(kind)
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except (OSError, UnicodeError) as problem:
        raise _unusable(path, str(problem)) from None
    try:
        read(kind, text)
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise _unusable(path, str(problem)) from None
    return text


def _unusable(path: Path, reason: str) -> BadSetting:
    return BadSetting(f"{path} is no file of weights ({reason}): mend it, or take it away.")

"""Secret key that signs sessions: set by the operator, or generated once and kept in the data directory."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from gleanery.database import problems
from gleanery.environment import Environment
from gleanery.errors import BadSetting


def secret_key(environment: Environment) -> str:
    if environment.secret_key:
        return environment.secret_key
    path = environment.data_dir / "secret_key"
    try:
        return _read(path) or _made(path)
    except OSError as problem:
        if problem.errno in problems.FULL:
            raise problems.full(path) from None
        raise BadSetting(
            f"{path} cannot be used ({problem.strerror}). Set GLEANERY_DATA_DIR to a writable directory, "
            "or GLEANERY_SECRET_KEY to a long random text."
        ) from None


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""


def _made(path: Path) -> str:
    """Create the key atomically, so that two processes agree and neither reads a partial key.

    The file gets the owner of its directory, in case root is the first to use it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
    try:
        with open(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.fsync(handle)
        owner = path.parent.stat()
        if os.geteuid() == 0:
            os.chown(draft, owner.st_uid, owner.st_gid)
        if not _read(path):
            path.unlink(missing_ok=True)
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        os.unlink(draft)
    return path.read_text().strip()

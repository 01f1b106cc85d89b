"""The key that signs sessions: the operator's, or one made once and kept in the data directory."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from gleanery.environment import Environment
from gleanery.errors import BadSetting


def secret_key(environment: Environment) -> str:
    if environment.secret_key:
        return environment.secret_key
    path = environment.data_dir / "secret_key"
    try:
        if not path.exists():
            _make(path)
        return path.read_text().strip()
    except OSError as problem:
        raise BadSetting(
            f"{path} cannot be used ({problem.strerror}): set GLEANERY_DATA_DIR to a directory that you may write, "
            "or GLEANERY_SECRET_KEY to a long random text."
        ) from None


def _make(path: Path) -> None:
    """Of two processes that start at once, the first link wins; nobody ever reads a half-written key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(50))
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()

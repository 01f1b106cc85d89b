"""The operating-system user that the database server runs as."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from gleanery.database.paths import ServerPaths
from gleanery.errors import DatabaseProblem

ROOT = 0

# PostgreSQL refuses to run as root. The first of these users that exists is used instead.
STAND_INS = ("gleanery", "nobody")
SHARED_BY_MANY = "nobody"


class Identity(TypedDict, total=False):
    """Arguments that make subprocess run as another user."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the operating system."""

    name: str
    uid: int
    gid: int

    @property
    def identity(self) -> Identity:
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    @property
    def admitted(self) -> list[str]:
        """Users who may connect: the owner and root, but never a user shared by other services."""
        root = pwd.getpwuid(ROOT).pw_name
        return [root] if self.name == SHARED_BY_MANY else [root, self.name]


def account_for(paths: ServerPaths) -> Account:
    """Return the current user; for root, the owner of existing files or an unprivileged user."""
    if os.geteuid() != ROOT:
        return _known(os.geteuid())
    for path in (paths.data, paths.home, paths.root):
        if owner := _owner(path):
            return _known(owner)
    return _stand_in()


def name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _known(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise DatabaseProblem(
            f"PostgreSQL needs a user with a name, and user id {uid} has none. "
            "Add it to /etc/passwd, or run Gleanery as another user."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _stand_in() -> Account:
    for name in STAND_INS:
        try:
            return _known(pwd.getpwnam(name).pw_uid)
        except KeyError:
            continue
    raise DatabaseProblem(
        "PostgreSQL does not run as root. Add a user with `useradd --system gleanery` and start again."
    )

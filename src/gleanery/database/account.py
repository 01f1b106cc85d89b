"""The operating system's user that the server runs as."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from gleanery.database.place import Place
from gleanery.errors import DatabaseProblem

ROOT = 0

# PostgreSQL refuses to run as root. Whoever makes a user `gleanery` gets it, everybody else gets the one that is there.
STAND_INS = ("gleanery", "nobody")
SHARED_BY_MANY = "nobody"


class Identity(TypedDict, total=False):
    """How subprocess is told to become somebody else."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
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
        """Who may connect: the owner, and root, who could become the owner anyhow; not a user that others share."""
        root = pwd.getpwuid(ROOT).pw_name
        return [root] if self.name == SHARED_BY_MANY else [root, self.name]


def account_for(place: Place) -> Account:
    """Ourselves; for root the owner of what is there already, or an unprivileged stand-in."""
    if os.geteuid() != ROOT:
        return _known(os.geteuid())
    for path in (place.data, place.home, place.root):
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
            f"PostgreSQL needs a user with a name, and user id {uid} has none: "
            "add it to /etc/passwd, or run Gleanery as another user."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _stand_in() -> Account:
    for name in STAND_INS:
        try:
            return _known(pwd.getpwnam(name).pw_uid)
        except KeyError:
            continue
    raise DatabaseProblem(
        "PostgreSQL does not run as root: add a user with `useradd --system gleanery` and start again."
    )

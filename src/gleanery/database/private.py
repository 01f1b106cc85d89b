"""Files and directories that only their owner can access."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from gleanery.database.account import ROOT, Account, name_of
from gleanery.errors import DatabaseProblem

OWNER_ONLY_DIRECTORY = 0o700
OWNER_ONLY_FILE = 0o600


def make_directories(path: Path) -> None:
    """Create the missing directories of a path; existing ones keep their mode."""
    for each in reversed([path, *path.parents]):
        if not each.is_dir():
            each.mkdir(OWNER_ONLY_DIRECTORY, exist_ok=True)
            _leave_to_owner_of_parent(each)


def open_file(path: Path, flags: int = os.O_RDWR) -> int:
    """Open a file, creating it if needed (close-on-exec, as always in Python)."""
    descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, OWNER_ONLY_FILE)
    above = path.parent.stat()
    if os.geteuid() == ROOT and os.fstat(descriptor).st_uid != above.st_uid:
        os.fchown(descriptor, above.st_uid, above.st_gid)
    return descriptor


def replace_file(path: Path, text: str, account: Account) -> None:
    """Replace a file, without following a symbolic link that the account may have put there."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, OWNER_ONLY_FILE)
    with open(descriptor, "w", encoding="utf-8") as file:
        os.fchown(descriptor, account.uid, account.gid)
        file.write(text)


def make_private_directory(path: Path, account: Account) -> None:
    """Create a private directory in a shared one such as /tmp; refuse a link or another user's directory."""
    try:
        path.mkdir(OWNER_ONLY_DIRECTORY)
        os.chown(path, account.uid, account.gid, follow_symlinks=False)
    except FileExistsError:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {account.uid, ROOT} or found.st_mode & 0o077:
            raise DatabaseProblem(
                f"{path}, where the database should listen, belongs to {name_of(found.st_uid)} or is not a private "
                "directory. Nothing was started; remove it, or choose a shorter GLEANERY_DATA_DIR."
            ) from None
        # In case an earlier start was killed between the two calls above.
        os.chown(path, account.uid, account.gid, follow_symlinks=False)


def remove_if_empty(directory: Path) -> None:
    with suppress(OSError):
        directory.rmdir()


def _leave_to_owner_of_parent(path: Path) -> None:
    """As root, give a new directory to the owner of its parent, who could not use it otherwise."""
    above = path.parent.stat()
    # Not in directories writable by all, such as /tmp.
    if os.geteuid() == ROOT and above.st_uid != ROOT and not above.st_mode & stat.S_IWOTH:
        os.chown(path, above.st_uid, above.st_gid, follow_symlinks=False)

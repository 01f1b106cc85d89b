"""Password hashing with a limit on concurrent hashes, so that logins do not block other requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection

from gleanery.errors import ComeAgain

# First number of the advisory locks, arbitrary but unique on the server; the second number is the slot.
LOCK = 720_315_542
AT_ONCE = 2  # each hash takes 100 MiB and one core
SOON = 2  # seconds
_serving: ContextVar[bool] = ContextVar("serving", default=False)


@contextmanager
def limited_concurrency() -> Iterator[None]:
    """Refuse hashes beyond the limit within this context; commands, outside of it, have no limit."""
    before = _serving.set(True)
    try:
        yield
    finally:
        _serving.reset(before)


class LimitedArgon2Hasher(Argon2PasswordHasher):
    """Argon2 in one thread, so that it does not take all cores, with a limit on concurrent hashes."""

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turn():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _turn():
            return bool(super().verify(password, encoded))


@contextmanager
def _turn() -> Iterator[None]:
    """Hold one of the slots: advisory locks, which count for all machines and end with their holder."""
    if not _serving.get():
        yield
        return
    turn = next((each for each in range(AT_ONCE) if _ask("pg_try_advisory_lock", each)), None)
    if turn is None:
        raise ComeAgain("Several people are logging in at this moment. Nothing was changed; try again.", 503, SOON)
    try:
        yield
    finally:
        _ask("pg_advisory_unlock", turn)


def _ask(function: str, turn: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [LOCK, turn])
        return bool(cursor.fetchone()[0])

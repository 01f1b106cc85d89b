"""Password hashing that leaves room for everybody else: only a few hashes run at once for requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection

from gleanery.errors import ComeAgain

# Any number, so long as no other program that shares the server takes the same; the second number is the turn.
LOCK = 720_315_542
AT_ONCE = 2  # each takes 100 MiB and a core for a moment
SOON = 2  # seconds
_serving: ContextVar[bool] = ContextVar("serving", default=False)


@contextmanager
def for_a_request() -> Iterator[None]:
    """Within it, a hash that would have to wait for its turn is refused. Commands hash one password and just do it."""
    before = _serving.set(True)
    try:
        yield
    finally:
        _serving.reset(before)


class TurnTakingHasher(Argon2PasswordHasher):
    """Argon2 in one thread: eight would take the processor from all other requests."""

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turn():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _turn():
            return bool(super().verify(password, encoded))


@contextmanager
def _turn() -> Iterator[None]:
    """A lock in the database holds for all processes on all machines, and is gone with whoever held it."""
    if not _serving.get():
        yield
        return
    turn = next((each for each in range(AT_ONCE) if _ask("pg_try_advisory_lock", each)), None)
    if turn is None:
        raise ComeAgain("Several people are logging in at this moment. Nothing was changed: try again.", 503, SOON)
    try:
        yield
    finally:
        _ask("pg_advisory_unlock", turn)


def _ask(function: str, turn: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [LOCK, turn])
        return bool(cursor.fetchone()[0])

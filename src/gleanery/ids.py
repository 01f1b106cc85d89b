"""Row ids: UUID version 7, generated here because PostgreSQL has them only from 18 and Python from 3.14."""

from __future__ import annotations

import os
import time
from collections import deque
from uuid import UUID

VERSION_AND_VARIANT = 0x7 << 76 | 0x2 << 62
RANDOM = ((1 << 80) - 1) & ~(0xF << 76 | 0x3 << 62)
SIZE, AT_ONCE = 10, 256  # bytes per id, and ids per call of os.urandom, which is slow

_randoms: deque[int] = deque()
os.register_at_fork(after_in_child=_randoms.clear)  # otherwise parent and child would generate the same ids


def uuid7() -> UUID:
    """Return a UUID of 48 bits of milliseconds and random bits, so that later ids sort later (RFC 9562)."""
    return UUID(int=_number())


def hex7() -> str:
    """Return the hexadecimal digits of a new id, for statements with thousands of ids."""
    return f"{_number():032x}"


def text7() -> str:
    """Return a new id as text with hyphens, as PostgreSQL writes it."""
    digits = hex7()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _number() -> int:
    milliseconds = time.time_ns() // 1_000_000
    return milliseconds << 80 | _random() & RANDOM | VERSION_AND_VARIANT


def _random() -> int:
    while True:
        try:
            return _randoms.popleft()
        except IndexError:  # several threads may refill it at the same time, which does no harm
            data = os.urandom(SIZE * AT_ONCE)
            _randoms.extend(int.from_bytes(data[at : at + SIZE], "big") for at in range(0, len(data), SIZE))

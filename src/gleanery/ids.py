"""Row ids: UUID version 7, made here because PostgreSQL has them only from 18 and Python from 3.14."""

from __future__ import annotations

import os
import time
from uuid import UUID

VERSION_AND_VARIANT = 0x7 << 76 | 0x2 << 62
RANDOM = ((1 << 80) - 1) & ~(0xF << 76 | 0x3 << 62)


def uuid7() -> UUID:
    """48 bits of milliseconds, then randomness: ids made later sort later, to the millisecond (RFC 9562)."""
    return UUID(int=_number())


def hex7() -> str:
    """The same as text, for statements that take thousands at once."""
    return f"{_number():032x}"


def _number() -> int:
    milliseconds = time.time_ns() // 1_000_000
    return milliseconds << 80 | int.from_bytes(os.urandom(10), "big") & RANDOM | VERSION_AND_VARIANT

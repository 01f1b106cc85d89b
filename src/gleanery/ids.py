"""Row ids: UUID version 7, made here because PostgreSQL has them only from 18 and Python from 3.14."""

from __future__ import annotations

import os
import time
from uuid import UUID


def uuid7() -> UUID:
    """48 bits of milliseconds, then randomness: ids made later sort later, to the millisecond (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    value = milliseconds << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76  # the version
    value = value & ~(0x3 << 62) | 0x2 << 62  # the variant
    return UUID(int=value)

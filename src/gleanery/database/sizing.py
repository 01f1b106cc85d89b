"""How much memory the server keeps pages in: a part of what this machine, or its container, has."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MEGABYTE = 2**20
LEAST, MOST = 128 * MEGABYTE, 4096 * MEGABYTE  # PostgreSQL's own default, and what a million records want
PART = 4
CONTAINER = Path("/sys/fs/cgroup/memory.max")


def shared_buffers(limit: Path = CONTAINER) -> str:
    """Keys of near duplicates are spread over a whole index: read from elsewhere, a look-up costs three times more."""
    return f"{max(LEAST, min(MOST, _memory(limit) // PART)) // MEGABYTE}MB"


def _memory(limit: Path) -> int:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # no container, or one without a limit
        memory = min(memory, int(limit.read_text("ascii")))
    return memory

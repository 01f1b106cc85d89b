"""How the embedded server is set up for this machine: room for its pages, and short statements."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MEGABYTE = 2**20
LEAST, MOST = 128, 4096  # megabytes: PostgreSQL's own default, and what a million records want
LEAST_LOG = 1024  # its own default too
PART = 4
CONTAINER = Path("/sys/fs/cgroup/memory.max")


def settings(limit: Path = CONTAINER) -> tuple[str, ...]:
    """Keys of near duplicates are spread over a whole index: read from elsewhere, a look-up costs three times more.

    The first change of a page after a checkpoint logs all of it. A log as long as all pages that are kept spares a
    large intake most of that, and is on disk only while there is one. Compiling a statement of milliseconds takes a
    hundred times as long as running it.
    """
    pages = max(LEAST, min(MOST, _memory(limit) // MEGABYTE // PART))
    return f"shared_buffers={pages}MB", f"max_wal_size={max(LEAST_LOG, pages)}MB", "jit=off"


def _memory(limit: Path) -> int:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # no container, or one without a limit
        memory = min(memory, int(limit.read_text("ascii")))
    return memory

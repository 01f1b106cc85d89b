"""Settings of the embedded server for this machine: memory, log size, no JIT."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MEGABYTE = 2**20
LEAST, MOST = 128, 4096  # megabytes: PostgreSQL's default, and enough for a million records
LEAST_LOG = 1024  # PostgreSQL's default
PART = 4
CONTAINER = Path("/sys/fs/cgroup/memory.max")


def settings(limit: Path = CONTAINER) -> tuple[str, ...]:
    """Return command-line settings that depend on the memory of the machine or container.

    shared_buffers: keys of near duplicates are spread over whole indexes, and a look-up outside the buffers takes three
    times as long. max_wal_size: the first change of a page after a checkpoint logs the whole page, so fewer checkpoints
    speed up large imports. jit: compiling a short statement takes a hundred times as long as running it.
    """
    pages = max(LEAST, min(MOST, _memory(limit) // MEGABYTE // PART))
    return f"shared_buffers={pages}MB", f"max_wal_size={max(LEAST_LOG, pages)}MB", "jit=off"


def _memory(limit: Path) -> int:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # not a container, or no limit
        memory = min(memory, int(limit.read_text("ascii")))
    return memory

"""Return memory of large pages to the system, so that the process does not keep it."""

from __future__ import annotations

import ctypes

LARGE = 1024 * 1024  # bytes of a response from which trimming pays off
M_MMAP_THRESHOLD = -3
LARGE_BUFFER = 256 * 1024

# glibc has both functions; other C libraries do not need them.
_C = ctypes.CDLL(None)
_mallopt = getattr(_C, "mallopt", None)
_malloc_trim = getattr(_C, "malloc_trim", None)


def keep_small() -> None:
    """Allocate large buffers separately from now on, so that they are returned as soon as they are freed."""
    if _mallopt is not None:
        _mallopt(M_MMAP_THRESHOLD, LARGE_BUFFER)


def give_back() -> None:
    """Return free memory between small allocations."""
    if _malloc_trim is not None:
        _malloc_trim(0)

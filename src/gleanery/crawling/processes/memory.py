"""Memory that large pages took goes back to the system, instead of staying with the process for ever."""

from __future__ import annotations

import ctypes

LARGE = 1024 * 1024  # bytes of an answer from which on it is worth the while
M_MMAP_THRESHOLD = -3
LARGE_BUFFER = 256 * 1024

# glibc has both; others need neither.
_C = ctypes.CDLL(None)
_mallopt = getattr(_C, "mallopt", None)
_malloc_trim = getattr(_C, "malloc_trim", None)


def keep_small() -> None:
    """From now on a large buffer is a piece of memory of its own, which goes back as soon as it is free."""
    if _mallopt is not None:
        _mallopt(M_MMAP_THRESHOLD, LARGE_BUFFER)


def give_back() -> None:
    """What has gathered between the small pieces."""
    if _malloc_trim is not None:
        _malloc_trim(0)

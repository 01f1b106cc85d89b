"""Work without the garbage collector: what makes very many small objects, and hardly a circle of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """To look for circles would take a fifth of the time, and touch memory that other processes share.

    Best around a whole function: what it holds is gone before the collector looks again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

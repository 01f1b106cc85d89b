"""Pool of processes that returns results in order."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
AHEAD = 4


@contextmanager
def pool(processes: int, begin: Callable[..., None] | None = None, *given: Any) -> Iterator[ProcessPoolExecutor | None]:
    """Start worker processes, or yield None if one process is enough.

    `begin` is called in each process with `given`. Forking is safe because no threads are running.
    """
    if processes <= 1:
        if begin:
            begin(*given)
        yield None
        return
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    workers = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(begin, *given))
    try:
        yield workers
    finally:
        workers.shutdown(cancel_futures=True)


def _begin(begin: Callable[..., None] | None, *given: Any) -> None:
    """Leave signals to the parent process, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if begin:
        begin(*given)


def in_order(
    workers: ProcessPoolExecutor | None, work: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[T]:
    """Yield results in order; only a few tasks run at a time, so that memory does not grow with the file."""
    if workers is None:
        yield from (work(*task) for task in tasks)
        return
    under_way: deque[Future[T]] = deque()
    for task in tasks:
        under_way.append(workers.submit(work, *task))
        if len(under_way) > AHEAD:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()

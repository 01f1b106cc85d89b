"""Several processes that do the same kind of work in parallel, like workers and web processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
MANY = 3  # on two cores, so that both are busy while one process waits for the write lock


class Done(NamedTuple):
    results: list[Any]
    wall: float  # seconds from the first start to the last end


def side_by_side(work: Callable[[int, Callable[[], object]], Any], many: int = MANY) -> Done:
    """Run `work` in several processes; it gets its number and a function that waits until all are ready."""
    from django.db import connections

    connections.close_all()  # each process opens its own
    context = get_context("fork")
    ready, queue = context.Barrier(many), context.SimpleQueue()

    def run(number: int) -> None:
        begun = [0.0]

        def begin() -> None:
            ready.wait()
            begun[0] = time.monotonic()

        result = work(number, begin)
        queue.put((number, begun[0], time.monotonic(), result))
        connections.close_all()

    processes = [context.Process(target=run, args=(number,)) for number in range(many)]
    for each in processes:
        each.start()
    found = sorted(_answers(queue.get, processes), key=lambda each: each[0])
    for each in processes:
        each.join()
    return Done([each[3] for each in found], max(each[2] for each in found) - min(each[1] for each in found))


def _answers(get: Callable[[], Any], processes: Iterable[Any]) -> Iterator[Any]:
    for _ in processes:
        yield get()


def share(items: Iterable[T], number: int, many: int = MANY) -> Iterator[T]:
    """Yield the items of one process."""
    return (each for at, each in enumerate(items) if at % many == number)

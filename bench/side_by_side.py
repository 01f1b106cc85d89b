"""Several processes that do the same kind of work at once, as the workers and the web processes of Gleanery do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
MANY = 3  # on two cores: while one of them waits for its turn, the cores have work


class Done(NamedTuple):
    results: list[Any]
    wall: float  # from when the first began to when the last ended, in seconds


def side_by_side(work: Callable[[int, Callable[[], object]], Any], many: int = MANY) -> Done:
    """`work` gets its number, and what it calls when it is ready: then it waits until all are."""
    from django.db import connections

    connections.close_all()  # each has its own
    context = get_context("fork")
    ready, told = context.Barrier(many), context.SimpleQueue()

    def run(number: int) -> None:
        begun = [0.0]

        def begin() -> None:
            ready.wait()
            begun[0] = time.monotonic()

        result = work(number, begin)
        told.put((number, begun[0], time.monotonic(), result))
        connections.close_all()

    processes = [context.Process(target=run, args=(number,)) for number in range(many)]
    for each in processes:
        each.start()
    found = sorted(_answers(told.get, processes), key=lambda each: each[0])
    for each in processes:
        each.join()
    return Done([each[3] for each in found], max(each[2] for each in found) - min(each[1] for each in found))


def _answers(get: Callable[[], Any], processes: Iterable[Any]) -> Iterator[Any]:
    for _ in processes:
        yield get()


def share(items: Iterable[T], number: int, many: int = MANY) -> Iterator[T]:
    """Of these every so-manieth."""
    return (each for at, each in enumerate(items) if at % many == number)

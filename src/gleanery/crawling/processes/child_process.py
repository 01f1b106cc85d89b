"""The loop inside a child process: read a question, answer it, and exit when the input ends."""

from __future__ import annotations

import contextlib
import marshal
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, BinaryIO

from selectolax.lexbor import SelectolaxError

from gleanery.errors import Unreadable

# In both directions a message is its length and marshal data: faster than pickle, and it cannot call code.
SIZE = struct.Struct(">I")
READY = SIZE.pack(0)

HEADROOM = 128 * 1024 * 1024  # address space beyond that of the start; a page that needs more is hostile
SWOLLEN = 24 * 1024 * 1024  # resident memory beyond that of the start at which the process is replaced

TOO_MUCH_MEMORY = "Reading it took more memory than a page may use."

Work = Callable[[tuple[Any, ...]], tuple[Any, ...]]

_PAGE = resource.getpagesize()
_STATM = "/proc/self/statm"


def packed(message: tuple[Any, ...]) -> bytes:
    data = marshal.dumps(message)
    return SIZE.pack(len(data)) + data


def serve(work: Work) -> None:
    """Answer questions with `work` until the input ends; import what it needs first, since memory is limited here."""
    patience = int(sys.argv[1])
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # the process exits when its input ends
    source = os.fdopen(0, "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # stray prints must not mix with the answers
    _limit_memory()
    with contextlib.suppress(BrokenPipeError):
        _serve(work, source, answers, patience)


def _serve(work: Work, source: BinaryIO, answers: BinaryIO, patience: int) -> None:
    born_with = _memory()[1]
    _send(answers, READY)
    while head := source.read(SIZE.size):
        # In case the parent is no longer there to kill it.
        signal.alarm(patience)
        values, problem = _answer(work, source.read(SIZE.unpack(head)[0]))
        spent = bool(problem) or _memory()[1] - born_with > SWOLLEN
        _send(answers, packed((values, problem, spent)))
        signal.alarm(0)


def _answer(work: Work, question: bytes) -> tuple[tuple[Any, ...] | None, str]:
    try:
        return work(marshal.loads(question)), ""  # noqa: S302 - from our own parent
    except Unreadable as problem:
        return None, str(problem)
    except (MemoryError, SelectolaxError):
        return None, TOO_MUCH_MEMORY
    except Exception as problem:  # no page may end the loop
        return None, f"Reading it failed: {type(problem).__name__}."


def _send(answers: BinaryIO, message: bytes) -> None:
    answers.write(message)
    answers.flush()


def _memory() -> tuple[int, int]:
    """Return address space and resident memory in bytes; zeros where the system does not report them."""
    try:
        size, resident, *_ = os.pread(_statm(), 100, 0).split()
    except OSError:
        return 0, 0
    return int(size) * _PAGE, int(resident) * _PAGE


@cache
def _statm() -> int:
    """Open the file once and keep it open, since it is read after every page."""
    return os.open(_STATM, os.O_RDONLY)


def _limit_memory() -> None:
    size = _memory()[0]
    if size:
        resource.setrlimit(resource.RLIMIT_AS, (size + HEADROOM, size + HEADROOM))

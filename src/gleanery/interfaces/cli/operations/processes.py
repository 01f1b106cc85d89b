"""Processes: children that start together and end together."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import TracebackType

import psutil

from gleanery.errors import GleaneryError

PATIENCE_SECONDS = 15
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def _end_with(parent: int) -> None:
    """On Linux the kernel ends a child whose parent was killed without a chance to do it."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # killed before the kernel was told
            os._exit(1)


class Processes:
    """Ends all its children, whatever ends it: Ctrl-C, a closed terminal, SIGTERM, or the death of one of them."""

    def __init__(self) -> None:
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Processes:
        for number in SIGNALS:
            signal.signal(number, signal.default_int_handler)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # an impatient second Ctrl-C must not leave a child behind
        for child in self._children.values():
            child.terminate()
        for child in self._children.values():
            with suppress(subprocess.TimeoutExpired):
                child.wait(PATIENCE_SECONDS)
            # Each child leads a group: whatever it started and left behind ends with it.
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def start(self, name: str, *command: str) -> None:
        """In a session of its own: a Ctrl-C in the terminal reaches us alone, and we end the children in order."""
        self._children[name] = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            start_new_session=True,
            preexec_fn=partial(_end_with, os.getpid()),  # noqa: PLW1509  # this process has no threads when it starts others
        )

    def wait_until(self, ready: Callable[[], bool], name: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS * 2
        while not ready():
            self._check()
            if time.monotonic() > deadline:
                raise GleaneryError(f"The {name} did not start in time; its last lines above say why.")
            time.sleep(0.05)

    def family(self, name: str) -> list[psutil.Process]:
        """The child and all that it has started."""
        child = psutil.Process(self._children[name].pid)
        return [child, *child.children(recursive=True)]

    def wait(self, tell: Callable[[], None], look: Callable[[], None] = lambda: None) -> None:
        """Tells that all runs, and goes on until somebody asks us to stop; a child that ends by itself is a failure.

        `look` is called again and again meanwhile.

        Whoever reads what is told may ask at once, before it is told to the end.
        """
        with suppress(KeyboardInterrupt):
            tell()
            while True:
                self._check()
                look()
                time.sleep(0.2)

    def _check(self) -> None:
        for name, child in self._children.items():
            if child.poll() is not None:
                raise GleaneryError(
                    f"The {name} ended by itself (code {child.returncode}), so everything was stopped; "
                    "its last lines above say why. Nothing that was stored is lost."
                )

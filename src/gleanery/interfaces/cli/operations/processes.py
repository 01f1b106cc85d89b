"""Child processes that start together and end together."""

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
    """Ask the Linux kernel to end this child if its parent is killed."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # the parent was killed before the kernel was asked
            os._exit(1)


class Processes:
    """Child processes that all end with this one, on Ctrl-C, a closed terminal, SIGTERM or the death of a child."""

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
            signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave a child behind
        for child in self._children.values():
            child.terminate()
        for child in self._children.values():
            with suppress(subprocess.TimeoutExpired):
                child.wait(PATIENCE_SECONDS)
            # Each child leads a process group: processes that it left behind end with it.
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def start(self, name: str, *command: str) -> None:
        """Start a child in its own session, so that Ctrl-C reaches only this process, which ends its children."""
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
                raise GleaneryError(f"The {name} did not start in time. Its last lines above show why.")
            time.sleep(0.05)

    def family(self, name: str) -> list[psutil.Process]:
        """Return the child and all processes it has started."""
        child = psutil.Process(self._children[name].pid)
        return [child, *child.children(recursive=True)]

    def wait(self, announce: Callable[[], None], check: Callable[[], None] = lambda: None) -> None:
        """Call `announce` once, then `check` repeatedly until Ctrl-C; a child that ends by itself is an error.

        Ctrl-C may come while `announce` is still printing.
        """
        with suppress(KeyboardInterrupt):
            announce()
            while True:
                self._check()
                check()
                time.sleep(0.2)

    def _check(self) -> None:
        for name, child in self._children.items():
            if child.poll() is not None:
                raise GleaneryError(
                    f"The {name} ended by itself (code {child.returncode}), so everything was stopped. "
                    "Its last lines above show why; no stored data is lost."
                )

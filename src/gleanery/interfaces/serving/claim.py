"""The claim on the port: one living start has it, what a killed one left behind is ended, strangers are named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
import structlog

from gleanery.database import locks, private
from gleanery.errors import GleaneryError
from gleanery.net import ports

log = structlog.get_logger(__name__)

PATIENCE_SECONDS = 5
CLOCK_SECONDS = 1.0  # start times are reckoned from a clock that may be set meanwhile
MOST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Identity:
    """Pids are used again, so the time of its start and its command line tell a process too."""

    pid: int
    started: float
    command: list[str]

    @classmethod
    def of(cls, process: psutil.Process) -> Identity:
        return cls(process.pid, process.create_time(), process.cmdline())

    def living(self) -> psutil.Process | None:
        with suppress(psutil.Error):
            found = psutil.Process(self.pid)
            if abs(found.create_time() - self.started) < CLOCK_SECONDS and found.cmdline() == self.command:
                return found
        return None


class Claim:
    """Held by a lock, which the kernel drops with its holder, and kept in its file for whoever starts next.

    None instead of a file: the directory cannot be written, which is no reason not to serve.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def note(self, processes: list[psutil.Process]) -> None:
        """Writes down who serves. Where that cannot be done, all runs on; at worst somebody must end it by hand."""
        if self._descriptor is None:
            return
        with suppress(OSError, psutil.Error):
            told = json.dumps([asdict(Identity.of(each)) for each in processes])
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, told.encode(), 0)

    def end_left_behind(self) -> list[int]:
        """The pids of a web server whose start was killed; none of it runs any more."""
        found = [process for each in self._read() if (process := each.living())]
        for process in found:
            with suppress(psutil.Error):
                process.terminate()
        for process in psutil.wait_procs(found, PATIENCE_SECONDS)[1]:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, PATIENCE_SECONDS)
        return [process.pid for process in found]

    def _read(self) -> list[Identity]:
        if self._descriptor is None:
            return []
        try:
            return [Identity(**each) for each in json.loads(os.pread(self._descriptor, 1 << 16, 0))]
        except (ValueError, TypeError):  # empty, or cut off by a full disk
            return []


@contextmanager
def claimed(port: int, data_dir: Path) -> Iterator[Claim]:
    """Raises GleaneryError that names whoever has the port."""
    with ExitStack() as stack:
        try:
            private.make_directories(data_dir)
            descriptor = stack.enter_context(locks.attempt(data_dir / f"web-{port}.lock"))
            if descriptor is None:
                raise GleaneryError(_taken(port))
        except OSError:
            descriptor = None
        claim = Claim(descriptor)
        if ended := claim.end_left_behind():
            log.warning("a web server that a killed start had left behind was ended", pids=ended)
        if not ports.is_free(port):
            raise GleaneryError(_taken(port))
        yield claim


def _taken(port: int) -> str:
    whose = "is in use"
    if holder := ports.holder(port):
        with suppress(psutil.Error):
            shown = " ".join(holder.cmdline())[:MOST_SHOWN] or holder.name()
            whose = f"is held by process {holder.pid} ({shown})"
    return f"Port {port} {whose}: nothing was started; set GLEANERY_PORT to another, or stop the program that has it."

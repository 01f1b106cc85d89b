"""Claim on the port of the web server: ends leftovers of a killed start, and names other programs that hold it."""

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
CLOCK_SECONDS = 1.0  # tolerance, because the clock may be adjusted
MOST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Identity:
    """Identity of a process by pid, start time and command line, because pids are reused."""

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
    """Claim held by a file lock, with the serving processes listed in the file for the next start.

    Without a descriptor the directory is not writable, and the server runs without the claim.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def record(self, processes: list[psutil.Process]) -> None:
        """Write down the serving processes; if that fails, they may have to be ended by hand after a crash."""
        if self._descriptor is None:
            return
        with suppress(OSError, psutil.Error):
            listed = json.dumps([asdict(Identity.of(each)) for each in processes])
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, listed.encode(), 0)

    def end_left_behind(self) -> list[int]:
        """End the processes that a killed start left behind, and return their pids."""
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
        except (ValueError, TypeError):  # empty, or truncated by a full disk
            return []


@contextmanager
def claimed(port: int, data_dir: Path) -> Iterator[Claim]:
    """Hold the claim on a port, or raise GleaneryError that names the program that holds it."""
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
            log.warning("ended a web server left behind by a killed start", pids=ended)
        if not ports.is_free(port):
            raise GleaneryError(_taken(port))
        yield claim


def _taken(port: int) -> str:
    whose = "is in use"
    if holder := ports.holder(port):
        with suppress(psutil.Error):
            shown = " ".join(holder.cmdline())[:MOST_SHOWN] or holder.name()
            whose = f"is held by process {holder.pid} ({shown})"
    return f"Port {port} {whose}, so nothing was started. Set GLEANERY_PORT to another port, or stop that program."

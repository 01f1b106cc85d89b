"""Real worker processes that a test may kill, pause and resume."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Self

import psutil
from django.db import connection

from tests.crawling.serving import ROOT, ServerProcess

COMMAND = [sys.executable, "-m", "tests.crawling.worker_process"]


@cache
def _nursery() -> subprocess.Popen[str]:
    """Return the process that forks workers, for as long as this process lives."""
    process = subprocess.Popen(COMMAND, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(process.communicate)
    return process


class Worker:
    """`with Worker(sites, "a") as worker` crawls after `go()`; its name is in its user agent."""

    def __init__(self, sites: ServerProcess, name: str = "a", deadline: float = 30.0, **constants: float) -> None:
        """Constants are given by their module within crawling: `frontier__leases__LEASE_SECONDS=3`."""
        told = {
            "database": connection.settings_dict["NAME"],
            "resolve": sites.resolve,
            "contact": name,
            "deadline": deadline,
            "constants": {f"gleanery.crawling.{key.replace('__', '.')}": value for key, value in constants.items()},
        }
        self._told = json.dumps(told)
        self._process: psutil.Process | None = None
        self.agent = f"(+{name})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def go(self) -> Self:
        nursery = _nursery()
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        nursery.stdin.write(f"{self._told}\n")
        nursery.stdin.flush()
        self._process = psutil.Process(int(nursery.stdout.readline()))
        return self

    def tree(self) -> list[psutil.Process]:
        if self._process is None:
            return []
        try:
            return [self._process, *self._process.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def memory(self) -> list[int]:
        """Return the memory of the worker and each child (proportional set size)."""
        found = []
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):
                found.append(process.memory_full_info().pss)
        return found

    def stop(self) -> None:
        assert self._process is not None
        self._process.suspend()

    def wake(self) -> None:
        assert self._process is not None
        self._process.resume()

    def kill(self) -> None:
        """Kill the worker; its children must end by themselves."""
        below = self.tree()
        if self._process is not None and self._process.is_running():
            self._process.kill()
        wait_for(lambda: not any(is_alive(each) for each in below), 10)


class WorkerAlone(Worker):
    """A worker that is not forked, so that its own memory can be measured."""

    def go(self) -> Self:
        self._process = psutil.Popen([*COMMAND, self._told], cwd=ROOT)
        return self

    def kill(self) -> None:
        super().kill()
        if self._process is not None:
            self._process.wait(10)


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(happened: Callable[[], bool], seconds: float = 60, every: float = 0.02) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(every)

"""Real worker processes that a test may kill, stop and wake."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import psutil
from django.db import connection

from tests.crawling.serving import ROOT, ServerProcess


class Worker:
    """`with Worker(sites, "a") as worker`: it is ready, and crawls from `go()` on. Its name is in its user agent."""

    def __init__(self, sites: ServerProcess, name: str = "a", deadline: float = 30.0, **constants: float) -> None:
        """A constant is given by its module within crawling: `lease__LEASE_SECONDS=3`."""
        told = {
            "database": connection.settings_dict["NAME"],
            "resolve": sites.resolve,
            "contact": name,
            "deadline": deadline,
            "constants": {f"gleanery.crawling.{key.replace('__', '.')}": value for key, value in constants.items()},
        }
        command = [sys.executable, "-m", "tests.crawling.worker_process", json.dumps(told)]
        self._process = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self._process.pid
        self.agent = f"(+{name})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def go(self) -> Self:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return self

    def tree(self) -> list[psutil.Process]:
        try:
            top = psutil.Process(self.pid)
            return [top, *top.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def memory(self) -> list[int]:
        """Of the worker and of each of its children; pages that they share are shared out among them."""
        found = []
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):
                found.append(process.memory_full_info().pss)
        return found

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """As by the kernel, without a word; whatever it had started must end by itself."""
        below = self.tree()[1:]
        self._process.kill()
        self._process.communicate()
        wait_for(lambda: not any(is_alive(each) for each in below), 10)


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

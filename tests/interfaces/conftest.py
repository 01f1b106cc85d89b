"""Fixtures that run the real command."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from gleanery.database import launcher
from tests.data_directories import environment_of, furnished

ROOT = Path(__file__).parents[2]
FORKED = [sys.executable, "-m", "tests.interfaces.command_process"]


class Run:
    """Runs the command: `run("user", "list")`, with settings of its own as keywords."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._forked: dict[frozenset[tuple[str, str]], subprocess.Popen[str]] = {}

    def __call__(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        forked = self._forked_for(settings)
        assert forked.stdin is not None
        assert forked.stdout is not None
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            told = {"arguments": arguments, "out": out.name, "err": err.name}
            with suppress(BrokenPipeError):
                forked.stdin.write(json.dumps(told) + "\n")
                forked.stdin.flush()
            if not (ended := forked.stdout.readline()):  # it read a setting that no process can start with
                return self.anew(*arguments, **settings)
            code = int(ended)
            return subprocess.CompletedProcess(arguments, code, out.read().decode(), err.read().decode())

    def _forked_for(self, settings: dict[str, str]) -> subprocess.Popen[str]:
        """Settings are read once in a process, so each set of them has a process to fork from."""
        key = frozenset(settings.items())
        if key not in self._forked:
            environment = self._environment | settings
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self._forked[key] = subprocess.Popen(FORKED, cwd=ROOT, env=environment, text=True, **pipes)
        return self._forked[key]

    def close(self) -> None:
        for forked in self._forked.values():
            with forked, suppress(BrokenPipeError):
                assert forked.stdin is not None
                forked.stdin.close()

    @property
    def environment(self) -> dict[str, str]:
        return dict(self._environment)

    def anew(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """From its very beginning, as a shell does it."""
        command = [sys.executable, "-m", "gleanery", *arguments]
        environment = self._environment | settings
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@contextmanager
def command_with(environment: dict[str, str]) -> Iterator[Run]:
    run = Run(environment)
    try:
        yield run
    finally:
        run.close()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Return a data directory whose server keeps running for one test module."""
    data = furnished(tmp_path_factory, "command")
    with launcher.running(data), command_with(environment_of(data)) as run:
        yield run


def told(answer: subprocess.CompletedProcess[str]) -> Any:
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)

"""The real command, for tests of what it says."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gleanery.database import launcher
from tests.data_directories import environment_of, furnished

ROOT = Path(__file__).parents[2]
FORKED = [sys.executable, "-m", "tests.interfaces.command_process"]


class Run:
    """Runs the command: `run("user", "list")`. With settings beyond its own it is started anew for them."""

    def __init__(self, environment: dict[str, str], forked: subprocess.Popen[str]) -> None:
        self._environment = environment
        self._forked = forked

    def __call__(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        if settings:
            return self.anew(*arguments, **settings)
        assert self._forked.stdin is not None
        assert self._forked.stdout is not None
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            told = {"arguments": arguments, "out": out.name, "err": err.name}
            self._forked.stdin.write(json.dumps(told) + "\n")
            self._forked.stdin.flush()
            code = int(self._forked.stdout.readline())
            return subprocess.CompletedProcess(arguments, code, out.read().decode(), err.read().decode())

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
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(FORKED, cwd=ROOT, env=environment, text=True, **pipes) as forked:
        yield Run(environment, forked)
        assert forked.stdin is not None
        forked.stdin.close()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A data directory for one file of tests, whose server stays up between the calls."""
    data = furnished(tmp_path_factory, "command")
    with launcher.running(data), command_with(environment_of(data)) as run:
        yield run


def told(answer: subprocess.CompletedProcess[str]) -> Any:
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)

"""The real command, for tests of what it says."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gleanery.database import launcher
from tests.data_directories import environment_of, furnished

ROOT = Path(__file__).parents[2]
FORKED = [sys.executable, "-m", "tests.interfaces.command_process"]


class Run:
    """Runs the command on a data directory: `run("user", "list")`. With other settings it is started anew for them."""

    def __init__(self, data: Path, forked: subprocess.Popen[str]) -> None:
        self._data = data
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

    def anew(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """From its very beginning, as a shell does it."""
        command = [sys.executable, "-m", "gleanery", *arguments]
        environment = environment_of(self._data, **settings)
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A data directory for one file of tests, whose server stays up between the calls."""
    data = furnished(tmp_path_factory, "command")
    with (
        launcher.running(data),
        subprocess.Popen(
            FORKED, cwd=ROOT, env=environment_of(data), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as forked,
    ):
        yield Run(data, forked)
        assert forked.stdin is not None
        forked.stdin.close()


def told(answer: subprocess.CompletedProcess[str]) -> Any:
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)

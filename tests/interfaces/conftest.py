"""The real command, for tests of what it says."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gleanery.database import launcher

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs the command on a data directory of its own, whose server stays up between the calls of one file."""
    data = tmp_path_factory.mktemp("command")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GLEANERY_", "DJANGO_"))}

    def call(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        environment = kept | {"GLEANERY_DATA_DIR": str(data), "COLUMNS": "200"} | settings
        command = [sys.executable, "-m", "gleanery", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    with launcher.running(data):
        yield call


def told(answer: subprocess.CompletedProcess[str]) -> Any:
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)

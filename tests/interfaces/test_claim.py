"""Claim on the port: leftovers of a killed start are ended, other programs are left alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from gleanery.errors import GleaneryError
from gleanery.interfaces.serving.claim import Claim, claimed
from gleanery.net import ports

HOLDER = """
import socket, sys
held = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("here", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def port() -> int:
    return ports.free_port()


@contextmanager
def somebody_on(port: int) -> Iterator[psutil.Process]:
    command = [sys.executable, "-c", HOLDER, str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield psutil.Process(process.pid)
        process.kill()


def refusal(port: int, data: Path) -> str:
    with pytest.raises(GleaneryError) as caught, claimed(port, data):
        pass
    return str(caught.value)


def leave_behind(process: psutil.Process, port: int, data: Path, **changes: object) -> None:
    """Leave a process behind like a killed start."""
    with claimed(ports.free_port(), data):
        pass
    identity = {"pid": process.pid, "started": process.create_time(), "command": process.cmdline()}
    (data / f"web-{port}.lock").write_text(json.dumps([identity | changes]))


def test_leftovers_of_a_killed_start_are_ended(port: int, tmp_path: Path) -> None:
    with somebody_on(port) as stale:
        leave_behind(stale, port, tmp_path)
        with claimed(port, tmp_path):
            assert not stale.is_running()
            assert ports.is_free(port)


@pytest.mark.parametrize("changes", [{"started": 1.0}, {"command": ["postgres"]}, {"surplus": "of a later version"}])
def test_another_process_with_a_reused_pid_is_left_alone_and_named(
    port: int, tmp_path: Path, changes: dict[str, object]
) -> None:
    with somebody_on(port) as stranger:
        leave_behind(stranger, port, tmp_path, **changes)
        said = refusal(port, tmp_path)
        assert stranger.is_running()
    assert said.startswith(f"Port {port} is held by process {stranger.pid} ({sys.executable} -c")
    assert said.endswith("so nothing was started. Set GLEANERY_PORT to another port, or stop that program.")


def test_a_second_start_on_the_port_is_refused_even_before_the_first_listens(port: int, tmp_path: Path) -> None:
    with claimed(port, tmp_path):
        assert refusal(port, tmp_path).startswith(f"Port {port} is in use, so nothing was started")
    with claimed(port, tmp_path):
        pass


def test_the_server_runs_without_a_writable_claim(port: int) -> None:
    with claimed(port, Path("/proc/nowhere")) as claim:
        claim.record([psutil.Process()])
        assert claim.end_left_behind() == []


def test_a_truncated_process_list_is_ignored(tmp_path: Path) -> None:
    file = os.open(tmp_path / "cut", os.O_RDWR | os.O_CREAT)
    os.write(file, b'[{"pid": 1, "star')
    assert Claim(file).end_left_behind() == []
    os.close(file)

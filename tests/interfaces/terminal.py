"""The command as somebody sees it: in a window of 80 columns, or all of it in one pipe."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable

from tests.interfaces.conftest import ROOT, Run

# What moves the cursor, wipes a line or colours it.
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(
    run: Run, *arguments: str, watch: Callable[[str], None] = lambda text: None, **settings: str
) -> list[str]:
    """The lines, each as often as it was drawn. `watch` gets, whenever there is more, all that was seen so far."""
    ours, theirs = pty.openpty()
    environment = run.environment | {"COLUMNS": "80", "TERM": "dumb"} | settings
    command = [sys.executable, "-m", "gleanery", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=theirs, stderr=theirs, stdin=theirs) as process:
        os.close(theirs)
        seen = b""
        while some := _read(ours):
            seen += some
            watch(_plain(seen))
    os.close(ours)
    assert process.returncode == 0, seen
    return _plain(seen).splitlines()


def in_one_pipe(run: Run, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    """As `gleanery ... 2>&1 | cat` has it."""
    command = [sys.executable, "-m", "gleanery", *arguments]
    environment = run.environment | settings
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )


def _plain(seen: bytes) -> str:
    """A character or a control sequence of which only a part has come yet is left out."""
    return CONTROL.sub("", seen.decode(errors="ignore"))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody is at the other end any more
        return b""

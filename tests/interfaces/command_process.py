"""`python -m tests.interfaces.command_process`: the command, run again and again, each time in a process of its own.

Each line that it reads tells what to run and where its output goes; it answers with the exit code. What each command
loads whatever it was told, itself, Django and the migrations, is loaded once; from there on each is forked.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import sys
import threading

import django
from django.db.migrations.loader import MigrationLoader

# The last two are what Typer loads to read the first option.
EVERYBODY_LOADS = ("gleanery.interfaces.cli.main", "pydantic.fields", "pydantic.functional_validators")


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "gleanery.settings"
    for name in EVERYBODY_LOADS:
        importlib.import_module(name)
    django.setup()
    MigrationLoader(None)
    gc.freeze()
    assert threading.active_count() == 1, "a thread would not be there in the child"
    for line in sys.stdin:
        told = json.loads(line)
        child = os.fork()
        if not child:
            _become_the_command(**told)
            return
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201 - whoever started it reads this


def _become_the_command(arguments: list[str], out: str, err: str) -> None:
    """From here on all is as `python -m gleanery` has it, its end too."""
    for descriptor, path, mode in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        opened = os.open(path, mode)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.argv[1:] = arguments
    runpy.run_module("gleanery", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

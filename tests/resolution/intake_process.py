"""`python -m tests.resolution.intake_process`: starts real processes, each of which takes in a file, a batch at a time.

Each line that it reads names files, which are taken in at once, by one process each. It answers with their process ids,
and with their exit codes when all have ended. After each batch a process writes beside its file how far it has come.
"""

import json
import os
import sys
import traceback
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def main() -> None:
    """Django is set up once; a process that is forked then has no connection yet, and makes its own."""
    django.setup()
    from gleanery.resolution import services  # noqa: F401, PLC0415 - so that none of them has to do it

    for line in sys.stdin:
        children = [fork(Path(path)) for path in json.loads(line)]
        print(json.dumps(children), flush=True)  # noqa: T201 - whoever started it reads this
        print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]), flush=True)  # noqa: T201


def fork(path: Path) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        take_in(path)
        code = 0
    except Exception:  # whatever it is: nothing of the parent must run here
        traceback.print_exc()
    finally:
        os._exit(code)


def take_in(path: Path) -> None:
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    from gleanery.resolution.intake.observation_draft import Given  # noqa: PLC0415
    from gleanery.resolution.services import intake, source_named  # noqa: PLC0415

    told = json.loads(path.read_text())
    connection.settings_dict["NAME"] = told["database"]
    source = source_named(told["source"], trust=told["trust"])
    drafts = [Given(kind=kind, external_id=key, payload=payload) for kind, key, payload in told["things"]]
    for begin in range(0, len(drafts), told["batch"]):
        answers = intake(source, drafts[begin : begin + told["batch"]])
        assert all(each.record for each in answers), answers
        path.with_suffix(".done").write_text(str(begin + len(answers)))


if __name__ == "__main__":
    main()

"""`python -m tests.resolution.intake_process TOLD`: a real process that takes in a file of things, a batch at a time.

It says "ready", waits for a line, and says after each batch how many things it has sent.
"""

import json
import os
import sys
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def main(path: Path) -> None:
    told = json.loads(path.read_text())
    django.setup()
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    from gleanery.resolution.services import intake, source_named  # noqa: PLC0415
    from gleanery.resolution.told import Given  # noqa: PLC0415

    connection.settings_dict["NAME"] = told["database"]
    source = source_named(told["source"], trust=told["trust"])
    drafts = [Given(kind=kind, external_id=key, payload=payload) for kind, key, payload in told["things"]]
    print("ready", flush=True)  # noqa: T201 - whoever started it reads this
    sys.stdin.readline()
    for begin in range(0, len(drafts), told["batch"]):
        answers = intake(source, drafts[begin : begin + told["batch"]])
        assert all(each.record for each in answers), answers
        print(begin + len(answers), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))

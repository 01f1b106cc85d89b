"""`python -m tests.database.backup.former FILE` turns this store into one of an earlier version and backs it up."""

from __future__ import annotations

import sys
from pathlib import Path

from gleanery.interfaces.cli.runtime import application

EARLIER = (("review", "0002"), ("resolution", "0004"), ("discovery", "0002"), ("accounts", "0002"))


def main() -> None:
    with application():
        from django.core.management import call_command  # noqa: PLC0415  # Django has to be set up first

        from gleanery.database.backup import services  # noqa: PLC0415

        for app, name in EARLIER:
            call_command("migrate", app, name, verbosity=0)
        services.save(Path(sys.argv[1]), lambda table, count: None)


if __name__ == "__main__":
    main()

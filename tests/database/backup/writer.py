"""`python -m tests.database.backup.writer` writes without a pause until standard input is closed."""

from __future__ import annotations

import select
import sys

from gleanery.interfaces.cli.runtime import application


def main() -> None:
    with application():
        from gleanery.accounts.actor import system  # noqa: PLC0415  # Django has to be set up first
        from gleanery.accounts.services import create_user  # noqa: PLC0415
        from gleanery.roles import Role  # noqa: PLC0415

        count = 0
        while not select.select([sys.stdin], [], [], 0)[0]:
            create_user(system(), f"busy-{count}", Role.VIEWER)
            count += 1
            if count % 50 == 0:
                print(count, flush=True)  # noqa: T201  # whoever started it reads this


if __name__ == "__main__":
    main()

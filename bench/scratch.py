"""Temporary database for a benchmark."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import django

from gleanery.database import launcher


def on_scratch_database(main: Callable[[], int | None]) -> int | None:
    """Run `main` on a temporary database and return its result, for the exit code."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "gleanery.settings"
    os.environ.pop("GLEANERY_DATABASE_URL", None)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["GLEANERY_DATA_DIR"] = scratch
        with launcher.running(Path(scratch)):
            django.setup()
            from django.core.management import call_command
            from django.db import connections

            call_command("migrate", verbosity=0)
            code = main()
            connections.close_all()
            return code

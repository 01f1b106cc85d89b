"""Settings of the test suite: the real ones, with a PostgreSQL server for tests."""

import atexit
import os
from pathlib import Path

from gleanery.database import launcher

for name in list(os.environ):
    if name.startswith(("GLEANERY_", "DEDUP_")) and name != "GLEANERY_TEST_DATABASE_URL":
        del os.environ[name]
os.environ["GLEANERY_DATA_DIR"] = str(Path(__file__).parents[1] / ".cache" / "test-data")
os.environ["GLEANERY_SECRET_KEY"] = "a key for tests only"

if given := os.environ.get("GLEANERY_TEST_DATABASE_URL"):
    os.environ["GLEANERY_DATABASE_URL"] = given
else:
    # Each process of the suite takes its own share of one server; the last one out stops it.
    atexit.register(launcher.acquire(Path(os.environ["GLEANERY_DATA_DIR"])).release)

from gleanery.settings import *  # noqa: E402, F403  # the environment had to come first

# A power cut may cost the suite its last moments: nobody waits for the disk.
DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"  # noqa: F405
FRONT_SECONDS = 0
PROCRASTINATE_IMPORT_PATHS = ["gleanery.jobs", "tests.jobs_for_tests"]
INSTALLED_APPS = [*INSTALLED_APPS, "tests.emptying"]  # noqa: F405

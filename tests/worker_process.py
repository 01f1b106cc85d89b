"""`python -m tests.worker_process NAME`: a real worker on the test database of this name."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

if __name__ == "__main__":
    from django.db import connection

    from gleanery.worker import run_worker

    connection.settings_dict["NAME"] = sys.argv[1]
    run_worker()

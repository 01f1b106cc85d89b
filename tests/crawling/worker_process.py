"""`python -m tests.crawling.worker_process TOLD`: a real worker on a test database, for sites on loopback.

TOLD is JSON: database, resolve, contact, deadline and constants. It says "ready" when it could begin, and begins when
it hears a line: so a test has workers at hand without waiting for Python to start.
"""

import json
import os
import sys
from dataclasses import replace
from importlib import import_module
from typing import Any

import django
from django.conf import settings
from django.db import connection

from gleanery.environment import addresses
from gleanery.net.exchange import Request

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()


def prepare(told: dict[str, Any]) -> None:
    connection.settings_dict["NAME"] = told["database"]
    resolve = addresses(told["resolve"])
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, net_resolve=resolve, contact=told["contact"])
    for name, value in told["constants"].items():
        module, _, constant = name.rpartition(".")
        assert hasattr(import_module(module), constant), f"{name} is no more: the test must learn the new one"
        setattr(import_module(module), constant, value)
    Request.__init__.__kwdefaults__["deadline"] = told["deadline"]  # type: ignore[index]


if __name__ == "__main__":
    from gleanery.crawling.crawler import crawl_for_ever
    from gleanery.jobs import run_worker

    prepare(json.loads(sys.argv[1]))
    print("ready", flush=True)  # noqa: T201 - how the test learns it
    sys.stdin.readline()
    run_worker(crawl_for_ever)

"""`python -m tests.crawling.worker_process [SETUP]`: a real worker on a test database, for sites on loopback.

SETUP is JSON: database, resolve, contact, deadline and constants. Without it each line that is read
is one; a worker is forked for it and its process id said: so a test has workers without waiting for Python to start.
"""

import json
import os
import signal
import sys
import threading
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


def work(told: str) -> None:
    from gleanery.crawling.visiting.crawler import crawl_for_ever  # noqa: PLC0415 - once Django is set up
    from gleanery.worker import run_worker  # noqa: PLC0415

    prepare(json.loads(told))
    run_worker(crawl_for_ever)


def fork_for_each_line() -> None:
    import gleanery.crawling.visiting.crawler  # noqa: F401, PLC0415 - so that none of them has to do it

    assert threading.active_count() == 1, "a thread would not be there in the child"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever ends is gone at once
    for line in sys.stdin:
        child = os.fork()
        if not child:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 0)
            os.dup2(nowhere, 1)
            work(line)
            return
        print(child, flush=True)  # noqa: T201 - whoever started it reads this


if __name__ == "__main__":
    if sys.argv[1:]:
        work(sys.argv[1])
    else:
        fork_for_each_line()

"""A child that hangs on some pages and dies of others, as no honest page would make the real one do."""

import os
import time
import zlib
from typing import Any

from gleanery.crawling.processes.child_process import serve
from gleanery.extraction.running.extractor_process import work


def stubborn(given: tuple[Any, ...]) -> tuple[Any, ...]:
    body = zlib.decompress(given[0])
    if b"HANG" in body:
        time.sleep(60)
    if b"DIE" in body:
        os._exit(3)
    return work(given)


if __name__ == "__main__":
    serve(stubborn)

"""An extractor process that hangs on some pages and dies on others."""

import os
import time
import zlib
from typing import Any

from gleanery.crawling.processes.child_process import serve
from gleanery.extraction.running.extractor_process import handle_request


def handle_request_or_hang(given: tuple[Any, ...]) -> tuple[Any, ...]:
    body = zlib.decompress(given[0])
    if b"HANG" in body:
        time.sleep(60)
    if b"DIE" in body:
        os._exit(3)
    return handle_request(given)


if __name__ == "__main__":
    serve(handle_request_or_hang)

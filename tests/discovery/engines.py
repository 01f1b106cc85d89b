"""Two loopback search engines, in threads, whose behaviour is set by the test."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

ProviderResponse = Callable[[str, int], tuple[int, Any]]


def sites(*names: str) -> list[dict[str, str]]:
    text = "The foundation opens its yearly call for school projects; teachers may apply until March."
    return [{"url": f"https://{name}/page", "title": f"Grants of {name}", "text": text} for name in names]


def searxng(hits: list[dict[str, str]]) -> dict[str, Any]:
    return {"results": [{"url": h["url"], "title": h["title"], "content": h["text"]} for h in hits]}


def brave(hits: list[dict[str, str]]) -> dict[str, Any]:
    return {"web": {"results": [{"url": h["url"], "title": h["title"], "description": h["text"]} for h in hits]}}


@contextmanager
def engine(answer: ProviderResponse) -> Iterator[str]:
    """`answer` gets the query and the number of earlier ones; status 0 means no response for a long time."""
    asked: list[str] = []
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that http.server calls
            query = parse_qs(urlsplit(self.path).query)["q"][0]
            asked.append(query)
            status, body = answer(query, len(asked) - 1)
            if status == 0:
                stopping.wait(60)
                return
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        stopping.set()
        time.sleep(0.05)
        server.shutdown()
        thread.join()
        server.server_close()

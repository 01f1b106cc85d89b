"""A receiver of webhooks: a real server on loopback that keeps what it is sent and answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

from standardwebhooks import Webhook


class Message(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def verified(self, secret: str) -> Any:
        """As a receiver checks it, with the library that the standard publishes."""
        return Webhook(secret).verify(self.body, self.headers)

    @property
    def changes(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.body)["data"]["changes"]
        return found


@contextmanager
def receiving(settings: Any) -> Iterator[Receiver]:
    """A receiver that this process finds by its names."""
    with Receiver() as receiver:
        names = dict.fromkeys(("hooks.example", "other.example"), ("127.0.0.1", receiver.port))
        settings.ENVIRONMENT = replace(settings.ENVIRONMENT, net_resolve=names)
        yield receiver


class Receiver:
    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.status = 204
        self.location = ""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.messages.append(Message(self.path, headers, body))
                self.send_response(receiver.status)
                if receiver.location:
                    self.send_header("Location", receiver.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def take(self) -> list[Message]:
        """What came since this was asked last."""
        taken, self.messages = self.messages, []
        return taken

"""A mail server on loopback, and settings that use it; it keeps what it takes, and can refuse or hang."""

from __future__ import annotations

import email
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the server writes down all that it is sent


class Postbox:
    """Takes mail as a server does. `answers` says something else to a recipient, `holds` keeps back the last word."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, EmailMessage]] = []
        self.answers: dict[str, str] = {}
        self.at_data: Callable[[], str] = lambda: "250 OK"
        self.has_one = threading.Event()

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = email.message_from_bytes(envelope.content, policy=default)
        self.taken.append((envelope.rcpt_tos[0], message))
        self.has_one.set()
        return self.at_data()


@contextmanager
def mail_server(host: str = "127.0.0.1", scheme: str = "smtp", **options: Any) -> Iterator[tuple[Postbox, str]]:
    """`options` are those of aiosmtpd: what it asks for before it takes anything."""
    box = Postbox()
    with socket.socket() as free:
        free.bind((host, 0))
        port = free.getsockname()[1]
    controller = Controller(box, hostname=host, port=port, **options)
    controller.start()
    try:
        yield box, f"{scheme}://{host}:{port}"
    finally:
        controller.stop()

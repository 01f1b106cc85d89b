"""Loopback listeners that must not be contacted, and a socket opener that keeps other traffic on this machine."""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import threading
from ipaddress import ip_address
from typing import Any

# 80 and 443 are where most vectors point; they can be bound only with the right to do so.
WHERE = (
    ("127.0.0.1", 0),
    ("127.0.0.1", 0),
    ("::1", 0),
    ("127.0.0.1", 80),
    ("127.0.0.1", 443),
    ("::1", 80),
    ("::1", 443),
)


class Canary:
    def __init__(self) -> None:
        self.visits = 0
        self._selector = selectors.DefaultSelector()
        self.ports = [port for address, port in map(self._listen, WHERE) if port]
        self._stop, waker = socket.socketpair()
        self._selector.register(waker, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self.ports[0]

    def _listen(self, where: tuple[str, int]) -> tuple[str, int]:
        listener = socket.socket(socket.AF_INET6 if ":" in where[0] else socket.AF_INET)
        # Test workers run side by side, each with a canary.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listener.bind(where)
        except OSError:
            listener.close()
            return where[0], 0
        listener.listen()
        self._selector.register(listener, selectors.EVENT_READ, data="canary")
        return where[0], listener.getsockname()[1]

    def _watch(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data != "canary":
                    return
                visitor, _ = key.fileobj.accept()  # type: ignore[union-attr]
                visitor.close()
                self.visits += 1

    def close(self) -> None:
        self._stop.close()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()


class Dials:
    """Records every address that passed the guard; only loopback is really contacted."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    def __call__(self, where: Any) -> socket.socket:
        family, kind, protocol, _, sockaddr = where
        self.addresses.append(sockaddr[0])
        with contextlib.suppress(ValueError):
            if ip_address(sockaddr[0]).is_loopback:
                return socket.socket(family, kind, protocol)
        raise OSError(errno.ENETUNREACH, "stays on this machine")

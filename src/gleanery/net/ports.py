"""Ports of this machine: whether one is free, accepts connections, and which process listens."""

from __future__ import annotations

import socket
from contextlib import suppress

import psutil

LOOPBACK = "127.0.0.1"


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def answers(port: int) -> bool:
    try:
        socket.create_connection((LOOPBACK, port), timeout=1).close()
    except OSError:
        return False
    return True


def holder(port: int) -> psutil.Process | None:
    """Return the process that listens on a port; None if there is none or it may not be inspected."""
    with suppress(psutil.Error):
        for each in psutil.net_connections("tcp"):
            if each.status == psutil.CONN_LISTEN and each.laddr[1:] == (port,) and each.pid:
                return psutil.Process(each.pid)
    return None


def free_port() -> int:
    """Return a port that is free now; use it soon."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port

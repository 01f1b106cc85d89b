"""Nothing outside `net/` opens a connection: no import of HTTP clients or sockets in any form."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import gleanery

SOURCE = Path(gleanery.__file__).parent

CLIENTS = (
    "aiohttp",
    "ftplib",
    "http.client",
    "httpcore",
    "httpcore2",
    "httplib2",
    "httpx",
    "httpx2",
    "imaplib",
    "poplib",
    "pycurl",
    "requests",
    "smtplib",
    "socket",
    "socketserver",
    "telnetlib",
    "urllib.request",
    "urllib3",
    "websockets",
    "xmlrpc.client",
)
CALLS = ("open_connection", "create_connection", "create_datagram_endpoint", "sock_connect", "open_unix_connection")

# file within the package -> (what it uses, why it may)
EXCEPTIONS: dict[str, tuple[str, str]] = {}


def doors(code: str) -> Iterator[str]:
    """Return the names in this code that could open connections."""
    for node in ast.walk(ast.parse(code)):
        for name in names(node):
            if any(name == client or name.startswith(f"{client}.") for client in CLIENTS):
                yield name
        if isinstance(node, ast.Attribute) and node.attr in CALLS:
            yield node.attr


def names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names), *called(node)]
    if isinstance(node, ast.Call) and is_import(node.func):
        return [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return []


def called(node: ast.ImportFrom) -> list[str]:
    """Yield names used; `from asyncio import open_connection` counts as a call."""
    return ["socket" for alias in node.names if node.module == "asyncio" and alias.name in CALLS]


def is_import(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in {"import_module", "__import__", "import_string"}


@pytest.mark.parametrize(
    "code",
    [
        "import aiohttp",
        "import aiohttp.web as web",
        "from aiohttp import ClientSession",
        "import urllib.request",
        "from urllib import request",
        "from urllib.request import urlopen",
        "from http import client",
        "import socket as s",
        "def f():\n    import httpx",
        "import importlib\nimportlib.import_module('requests')",
        "__import__('socket')",
        "import asyncio\nasyncio.open_connection('a', 1)",
        "from asyncio import open_connection",
        "loop.create_connection(x)",
    ],
)
def test_every_form_of_import_is_noticed(code: str):
    assert list(doors(code))


@pytest.mark.parametrize(
    "code",
    ["from urllib.parse import quote", "from http import HTTPStatus", "import socketless", "from . import socket"],
)
def test_harmless_code_is_accepted(code: str):
    assert not list(doors(code))


def test_only_net_opens_connections():
    found = {
        (path, door)
        for file in SOURCE.rglob("*.py")
        if (path := file.relative_to(SOURCE).as_posix()) and not path.startswith("net/")
        for door in doors(file.read_text())
        if EXCEPTIONS.get(path, ("", ""))[0] != door
    }
    assert not found


def test_every_exception_is_still_needed_and_has_its_reason():
    for path, (door, reason) in EXCEPTIONS.items():
        assert door in doors((SOURCE / path).read_text())
        assert reason.endswith(".")

"""Parsers of settings: each turns text into a value, or raises ValueError with what to write instead. Pure."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs


def text(value: str) -> str:
    return value.strip()


def words(value: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in value.split(",") if word.strip())


def hosts(value: str) -> tuple[str, ...]:
    if any(re.search(r"[\s/@]|(?<!\[):(?!.*\])", word) for word in words(value)):
        raise ValueError("host names without scheme, port or path, such as gleanery.example.org")
    return words(value)


def suffixes(value: str) -> tuple[str, ...]:
    found = tuple(word.lower().removeprefix("*").strip(".") for word in words(value))
    if not all(re.fullmatch(r"[\w-]+(\.[\w-]+)*", suffix) for suffix in found):
        raise ValueError("a list of endings such as gov,gov.bg")
    return found


def whole(low: int, high: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not (value.strip().isascii() and value.strip().isdigit() and low <= int(value) <= high):
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return parse


def fraction(value: str) -> Decimal:
    try:
        number = Decimal(value.strip())
    except InvalidOperation:
        number = Decimal(-1)
    if not (number.is_finite() and 0 <= number <= 1):
        raise ValueError("a number from 0 to 1, such as 0.60")
    return number


def database_url(value: str) -> str:
    value = value.strip()
    try:
        parts = urlsplit(value)
        port_is_sane = parts.port is None or parts.port > 0
    except ValueError:
        port_is_sane = False
    if value and not (port_is_sane and parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1):
        raise ValueError("an address such as postgresql://user:password@host:5432/gleanery")
    return value


def web_url(value: str) -> str:
    value = value.strip().rstrip("/")
    try:
        parts = urlsplit(value)
        fine = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fine = False
    if value and not fine:
        raise ValueError("an address that begins with http:// or https://")
    return value


def page(value: str) -> str:
    """As it was written: some addresses end in a slash that counts."""
    return value.strip() if web_url(value) else ""


def browser(value: str) -> str:
    value = value.strip()
    if value not in ("", "on", "off") and not Path(value).is_absolute():
        raise ValueError("on, off, or the whole path of a Chromium")
    return "" if value == "off" else value


def directory(value: str) -> Path:
    """Return the given directory, or the platform's data directory; for root /var/lib/gleanery."""
    if value.strip():
        try:
            return Path(value).expanduser().absolute()
        except RuntimeError:
            raise ValueError("a directory of an existing user") from None
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/gleanery")
    return Path(platformdirs.user_data_dir("gleanery", appauthor=False))


def some_directory(value: str) -> Path | None:
    """Return a directory, or None if the value is empty."""
    return directory(value) if value.strip() else None


def addresses(value: str) -> dict[str, tuple[str, int]]:
    """Parse `name=ip:port,...`, with IPv6 addresses in brackets."""
    table = {}
    for entry in words(value):
        name, _, target = entry.partition("=")
        host, _, port = target.rpartition(":")
        try:
            address = str(ip_address(host.strip("[]") if name.strip() else ""))
            table[name.strip().lower()] = (address, whole(1, 65535)(port))
        except ValueError:
            raise ValueError("a list such as example.org=127.0.0.1:8080,example.com=[::1]:8081") from None
    return table


def provider_urls(value: str) -> dict[str, str]:
    """Parse `name=url,...`."""
    table = {}
    for entry in words(value):
        name, _, url = entry.partition("=")
        try:
            table[name.strip()] = web_url(url)
        except ValueError:
            url = ""
        if not (name.strip() and url):
            raise ValueError("a list such as brave_search=http://127.0.0.1:9000,serper=http://127.0.0.1:9001")
    return table


def mail_server(value: str) -> str:
    value = value.strip()
    try:
        parts = urlsplit(value)
        fine = parts.scheme in {"smtp", "smtps"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fine = False
    if value and not (fine and parts.path in ("", "/")):
        raise ValueError("an address such as smtp://user:password@mail.example.org:587, or smtps://...")
    return value


def mailbox(value: str) -> str:
    _, address = parseaddr(value.strip())
    if value.strip() and not re.fullmatch(r"[^@\s<>\"]+@[^@\s<>\"]+", address):
        raise ValueError("an e-mail address such as Gleanery <news@example.org>")
    return value.strip()

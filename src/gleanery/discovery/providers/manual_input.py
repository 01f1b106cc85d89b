"""Reads results from JSON Lines with query, url, title, description and position; bad lines are reported."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from gleanery.discovery.hit import Hit
from gleanery.discovery.providers.hit_parsing import text_of
from gleanery.discovery.providers.response import parsed

NAME = "manual_input"
LONGEST_LINE = 1024 * 1024
LAST_POSITION = 2**31 - 1  # of a PostgreSQL integer
TEXTS = ("query", "url", "title", "description")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class BadLine(NamedTuple):
    """A line that cannot be read, and why."""

    number: int
    reason: str


def read_hits(file: BinaryIO, query: str = "") -> Iterator[Hit | BadLine]:
    """Yield a hit or a problem for each line that is not empty; `query` is the default query."""
    for number, line in enumerate(bounded_lines(file), 1):
        if number == 1 and line.startswith(UTF_16):
            yield BadLine(1, "The file is in UTF-16. Save it as UTF-8.")
            return
        if line.strip():
            yield read_line(number, line.rstrip(b"\r\n"), query)


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield lines; only the start of an overlong line is kept in memory."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE + 1)


def read_line(number: int, line: bytes, query: str) -> Hit | BadLine:
    if len(line) > LONGEST_LINE:
        return BadLine(number, "The line is longer than 1 MiB.")
    try:
        fields = parsed(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return BadLine(number, "The line is not in UTF-8.")
    if not isinstance(fields, dict):
        return BadLine(number, "The line is not a JSON object.")
    if reason := objection(fields):
        return BadLine(number, reason)
    asked, url, title, description = (text_of(fields.get(name)) for name in TEXTS)
    return Hit(asked or query, url, title, description, fields.get("position") or number, line=number)


def objection(fields: dict[str, Any]) -> str:
    for name in TEXTS:
        if isinstance(fields.get(name), bool | list | dict):
            return f"`{name}` is not text."
    if not text_of(fields.get("url")).strip():
        return "`url` is missing."
    position = fields.get("position")
    if position is None or (type(position) is int and 0 < position <= LAST_POSITION):
        return ""
    return f"`position` is not a whole number from 1 to {LAST_POSITION}."

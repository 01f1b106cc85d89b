"""SQL statements on Django's connection, bulk copies, and an advisory lock."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor
from psycopg import adapters
from psycopg.postgres import types
from psycopg.pq import Format
from psycopg.sql import Composable

TIMES = types["timestamptz"].oid
NULL = "\\N"
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
_SPECIAL = re.compile(r"[\\\t\n\r]")
_IN_A_CELL = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def rows(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def execute(statement: str, **values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def run(statement: Composable) -> None:
    """Execute a composed statement, for names that cannot be parameters."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def rows_of_many(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Return rows like `rows`, with large values bound on the server instead of quoted.

    PostgreSQL must be able to infer the type of each value from the statement; numbers need a cast.
    """
    with _binding() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def execute_with_many(statement: str, **values: Any) -> None:
    with _binding() as cursor:
        cursor.execute(statement, values)


def _binding() -> Any:
    with connection.cursor():  # connects if necessary
        cursor: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]  # as psycopg's own
    if loader := adapters.get_loader(
        TIMES, Format.TEXT
    ):  # psycopg's C loader is faster than Django's and gives the same times
        cursor.adapters.register_loader(TIMES, loader)
    return connection.make_debug_cursor(cursor) if connection.queries_logged else connection.make_cursor(cursor)


def array(values: Iterable[object]) -> str:
    """Return an array literal, so that thousands of ids or numbers are one parameter."""
    return "{" + ",".join(map(str, values)) + "}"


def copy(table: str, columns: Sequence[str], lines: Iterable[str]) -> None:
    """Insert many rows, formatted by `line`, with COPY: a third of the cost of INSERT."""
    statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as stream:
        stream.write("".join(lines))


def line(cells: Iterable[object]) -> str:
    """Return one row for `copy`; None is NULL, and arbitrary text must be escaped with `cell` first."""
    return "\t".join([NULL if each is None else str(each) for each in cells]) + "\n"


def cell(text: str) -> str:
    return text.translate(_IN_A_CELL) if _SPECIAL.search(text) else text


def json_cell(value: Any) -> str:
    """JSON has no line breaks of its own: of all that COPY reads in its own way only the backslash is in it."""
    return _encode(value).replace("\\", "\\\\")


@contextmanager
def exclusive(work: str, about: object) -> Iterator[None]:
    """Hold an advisory lock, so that only one process at a time does this work; others wait."""
    name = f"{work} {about}"
    execute("SELECT pg_advisory_lock(hashtextextended(%(name)s, 0))", name=name)
    try:
        yield
    finally:
        execute("SELECT pg_advisory_unlock(hashtextextended(%(name)s, 0))", name=name)


@contextmanager
def one_at_most(work: str, about: object) -> Iterator[bool]:
    """True for one at a time, in whatever process: whoever comes second is not kept waiting, and goes without."""
    name = f"{work} {about}"
    ((is_ours,),) = rows("SELECT pg_try_advisory_lock(hashtextextended(%(name)s, 0))", name=name)
    try:
        yield is_ours
    finally:
        if is_ours:
            execute("SELECT pg_advisory_unlock(hashtextextended(%(name)s, 0))", name=name)

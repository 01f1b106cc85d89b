"""Statements on Django's connection, for what is better said in SQL; and a lock that the server lets go if we die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


def rows(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def execute(statement: str, **values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def array(values: Iterable[object]) -> str:
    """As PostgreSQL writes it: thousands of ids or numbers are one parameter, not thousands to be quoted."""
    return "{" + ",".join(map(str, values)) + "}"


@contextmanager
def alone(work: str, about: object) -> Iterator[None]:
    """One at a time, in whatever process: whoever comes second waits."""
    name = f"{work} {about}"
    execute("SELECT pg_advisory_lock(hashtextextended(%(name)s, 0))", name=name)
    try:
        yield
    finally:
        execute("SELECT pg_advisory_unlock(hashtextextended(%(name)s, 0))", name=name)

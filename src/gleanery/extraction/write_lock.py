"""Write lock for observations and records: one writer at a time, which rules out races and deadlocks."""

from __future__ import annotations

from gleanery.sql import execute

LOCK = "records are written"


def take_write_lock() -> None:
    """Wait for the write lock and hold it until the transaction ends. Take it before any other lock."""
    execute("SELECT pg_advisory_xact_lock(hashtextextended(%(name)s, 0))", name=LOCK)

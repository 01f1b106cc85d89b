"""One writer of records at a time, so that none of them can race or wait in a circle; each turn is short."""

from __future__ import annotations

from django.db import connection

NAME = "records are written"


def take_turn() -> None:
    """Until the transaction ends. Everybody who writes records does this before anything else that locks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [NAME])

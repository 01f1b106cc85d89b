"""One writer of observations and records at a time, so that none can race or wait in a circle; each turn is short."""

from __future__ import annotations

from gleanery.sql import execute

NAME = "records are written"


def take_turn() -> None:
    """Until the transaction ends. Everybody who writes either does this before anything else that locks."""
    execute("SELECT pg_advisory_xact_lock(hashtextextended(%(name)s, 0))", name=NAME)

"""Stores set aside: each in its own schema of the same database, from which it can be brought back.

This needs no right to create databases, and PostgreSQL moves all tables in one transaction. While a store is being
replaced, the old one is in the schema ASIDE; after an interruption `take_back` restores it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import Error, connection, transaction
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from gleanery.database.backup import contents
from gleanery.errors import Conflict, NotFound
from gleanery.sql import execute, rows, run
from gleanery.text import counted

ASIDE = "gleanery_aside"
TRASH = "gleanery_trash"
SECONDS_TO_LEAVE = 2
NAME = re.compile(r"gleanery_kept_\d{8}_\d{6}")

SCHEMAS = """
    SELECT n.nspname::text, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
    FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'S')
    WHERE n.nspname LIKE 'gleanery\\_kept\\_%%'
    GROUP BY n.nspname ORDER BY n.nspname DESC
"""

# Indexes, constraints, triggers and owned sequences move with their tables; objects of extensions stay. Routines move
# before the types of their arguments, which are part of their names.
MOVES = """
    SELECT statement FROM (
        SELECT 1, format('ALTER TABLE %%I.%%I SET SCHEMA %%I', n.nspname, c.relname, %(target)s)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = %(source)s AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('e', 'a', 'i'))
        UNION ALL
        SELECT 2, format('ALTER ROUTINE %%s SET SCHEMA %%I', p.oid::regprocedure, %(target)s)
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = %(source)s AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
        UNION ALL
        SELECT 3, format('ALTER TYPE %%s SET SCHEMA %%I', t.oid::regtype, %(target)s)
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
        WHERE n.nspname = %(source)s AND (t.typtype IN ('d', 'e') OR c.relkind = 'c')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
    ) AS moves (turn, statement) ORDER BY turn
"""

# Other connections of the same user: workers, web servers, commands.
OTHER_CONNECTIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'
"""


@dataclass(frozen=True, slots=True)
class StoreAside:
    """A store kept in its own schema."""

    name: str
    since: datetime
    bytes: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def stores() -> list[StoreAside]:
    """Return the stores set aside, latest first."""
    return [StoreAside(name, _since(name), size) for name, size in rows(SCHEMAS) if NAME.fullmatch(name)]


@contextmanager
def exchanging() -> Iterator[None]:
    """Hold the lock for replacing the store; the database releases it if the process is killed."""
    if not rows("SELECT pg_try_advisory_lock(hashtextextended('exchange the store', 0))")[0][0]:
        raise Conflict("This store is already being restored. Nothing was changed; wait until that has ended.")
    try:
        yield
    finally:
        with suppress(Error):  # a lost connection has released the lock
            execute("SELECT pg_advisory_unlock(hashtextextended('exchange the store', 0))")


def refuse_other_connections() -> None:
    """Refuse while others are connected, after a short wait for those closing; not within a transaction,
    where the statistics would not change."""
    patience = time.monotonic() + SECONDS_TO_LEAVE
    while others := rows(OTHER_CONNECTIONS)[0][0]:
        if time.monotonic() > patience:
            raise Conflict(
                f"This store is in use by {counted(others, 'other connection')}. Nothing was changed; stop "
                "`gleanery up`, all workers and commands that use it, and try again."
            )
        time.sleep(0.1)


def refuse_foreign_tables() -> None:
    """Refuse a database with tables that are not Gleanery's; only checked if its migrations match this version."""
    loader = MigrationLoader(connection)
    strangers = set(contents.columns()) - contents.own_tables()
    if strangers and set(loader.applied_migrations) == set(loader.disk_migrations):
        raise Conflict(
            f"The database also holds the table {min(strangers)}, which is not Gleanery's. Nothing was changed; give "
            "Gleanery a database of its own."
        )


def set_aside(name: str = ASIDE) -> None:
    """Move the whole store into another schema."""
    execute("SET LOCAL lock_timeout = '10s'")
    run(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    _move(_in_use(), name)


def new_name() -> str:
    return f"gleanery_kept_{datetime.now(UTC):%Y%m%d_%H%M%S}"


def keep() -> str:
    """Keep the store that was set aside until somebody deletes it; return its name."""
    name = new_name()
    run(sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(sql.Identifier(ASIDE), sql.Identifier(name)))
    return name


def bring_back(name: str) -> None:
    """Move a store into the current schema, which must be empty, and drop its own schema."""
    _move(name, _in_use())
    run(sql.SQL("DROP SCHEMA {}").format(sql.Identifier(name)))


def drop(name: str) -> None:
    run(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(name)))


@transaction.atomic(durable=True)
def take_back() -> None:
    """Delete an unfinished replacement and bring back the old store."""
    set_aside(TRASH)
    drop(TRASH)
    bring_back(ASIDE)


def end_unfinished() -> bool:
    """Undo an interrupted restore; return True if there was one."""
    if not rows("SELECT 1 FROM pg_namespace WHERE nspname = %(aside)s", aside=ASIDE):
        return False
    with exchanging():
        take_back()
    return True


def must_be_there(name: str) -> None:
    if name not in (names := [each.name for each in stores()]):
        found = f"there are {', '.join(names)}" if names else "there are none"
        raise NotFound(f"No store is kept aside as {name!r}. Nothing was changed; {found}.")


def _in_use() -> str:
    return str(rows("SELECT current_schema()")[0][0])


def _move(source: str, target: str) -> None:
    for (statement,) in rows(MOVES, source=source, target=target):
        run(sql.SQL(statement))


def _since(name: str) -> datetime:
    return datetime.strptime(name, "gleanery_kept_%Y%m%d_%H%M%S").replace(tzinfo=UTC)

"""Use cases of backup and restore; after an interruption the store is unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from django.core.management import call_command
from django.db import DataError, Error, IntegrityError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from gleanery import __version__
from gleanery.database.backup import contents, loading, stores_aside
from gleanery.database.backup.archive import Archive, Manifest, Progress, Writer
from gleanery.database.backup.atomic_file import write_atomically
from gleanery.errors import Conflict, DatabaseProblem, Invalid
from gleanery.sql import execute, run

SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

Record = Callable[[], object]


def save(target: Path, progress: Progress, *, with_secrets: bool = False) -> Manifest:
    """Write a consistent backup of all tables, while the store stays in use."""
    tables = sorted(contents.own_tables() & set(contents.columns()))
    with write_atomically(target) as file, Writer(file) as writer, transaction.atomic(durable=True):
        execute(SNAPSHOT)
        # First, since the first query fixes the snapshot; the lock keeps the tables' columns until the end.
        run(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.SQL(", ").join(map(sql.Identifier, tables))))
        execute(contents.SAME_EVERYWHERE)
        made_at, columns, facts = datetime.now(UTC), contents.columns(), {}
        for name in tables:
            reading = contents.reading(name, columns[name], with_secrets=with_secrets)
            with connection.cursor() as cursor, cursor.copy(reading) as stream:
                facts[name] = writer.add(name, columns[name], stream, progress)
        manifest = Manifest(
            gleanery=__version__,
            postgresql=connection.connection.info.parameter_status("server_version"),
            made_at=made_at,
            with_secrets=with_secrets,
            migrations=sorted(MigrationRecorder(connection).applied_migrations()),
            sequences=contents.sequences(),
            tables=facts,
        )
        writer.finish(manifest)
    return manifest


def restore(archive: Archive, progress: Progress, record: Record, *, replace: bool) -> str:
    """Replace the store with a backup; return the name under which the old one is kept, if it was not empty."""
    loading.refuse_newer(archive.manifest)
    with _explained(), stores_aside.exchanging():
        stores_aside.refuse_other_connections()
        there = _set_aside(replace)
        try:
            _fill(archive, progress)
            with transaction.atomic(durable=True):
                record()
                name = stores_aside.keep()
                if not there:
                    stores_aside.drop(name)
        except BaseException:
            with suppress(Error):  # if the connection is lost, the next command does it
                stores_aside.take_back()
            raise
    return name if there else ""


def bring_back(name: str, record: Record) -> str:
    """Replace the store with one kept aside; return the name under which the current one is kept."""
    with _explained(), stores_aside.exchanging():
        stores_aside.must_be_there(name)
        stores_aside.refuse_other_connections()
        now = stores_aside.new_name()
        _swap(name, now)
        try:
            _bring_up_to_date()
            record()
        except BaseException:
            with suppress(Error):
                _swap(now, name)
            raise
    return now


@transaction.atomic(durable=True)
def _swap(wanted: str, now: str) -> None:
    stores_aside.set_aside(now)
    stores_aside.bring_back(wanted)


def drop(name: str, record: Record) -> None:
    with transaction.atomic(durable=True):
        stores_aside.must_be_there(name)
        stores_aside.drop(name)
        record()


@transaction.atomic(durable=True)
def _set_aside(replace: bool) -> list[str]:
    """Set the store aside; return its tables with rows, beyond those of every new store."""
    stores_aside.refuse_foreign_tables()
    there = contents.with_rows(set(contents.columns()) - contents.ALWAYS_THERE)
    if there and not replace:
        raise Conflict(
            f"The store is not empty (there are rows in {', '.join(sorted(there)[:3])}). Nothing was changed; "
            "with `--replace` it is kept aside and replaced by the backup."
        )
    stores_aside.set_aside()
    return there


def _fill(archive: Archive, progress: Progress) -> None:
    """Create and load the tables; not in one transaction, since some migrations of libraries cannot run in one."""
    loading.make_tables(archive.manifest)
    with transaction.atomic(durable=True):
        execute(contents.SAME_EVERYWHERE)
        loading.load(archive, progress)
    _bring_up_to_date()


def _bring_up_to_date() -> None:
    call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (DataError, IntegrityError) as problem:
        raise Invalid(
            f"The rows of the backup do not fit its tables ({_reason(problem)}). The store is unchanged."
        ) from None
    except Error as problem:
        raise DatabaseProblem(
            f"The store could not be replaced ({_reason(problem)}). It is unchanged; fix the cause and try again."
        ) from None


def _reason(problem: Exception) -> str:
    return str(problem).strip().splitlines()[0].rstrip(".")

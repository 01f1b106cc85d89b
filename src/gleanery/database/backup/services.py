"""Use cases of backup and restore: whatever interrupts one, the store is as it was before."""

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
from gleanery.database.backup import contents, kept, loading
from gleanery.database.backup.archive import Archive, Manifest, Tell, Writer
from gleanery.database.backup.whole import written_whole
from gleanery.errors import Conflict, DatabaseProblem, Invalid
from gleanery.sql import execute, run

SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

Note = Callable[[], object]


def save(target: Path, tell: Tell, *, with_secrets: bool = False) -> Manifest:
    """All tables as they are at one moment, while everything goes on."""
    tables = sorted(contents.own_tables() & set(contents.columns()))
    with written_whole(target) as file, Writer(file) as writer, transaction.atomic(durable=True):
        execute(SNAPSHOT)
        # First of all: the moment is that of the first query, and until the end nobody may change the tables' columns.
        run(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.SQL(", ").join(map(sql.Identifier, tables))))
        execute(contents.SAME_EVERYWHERE)
        made_at, columns, facts = datetime.now(UTC), contents.columns(), {}
        for name in tables:
            reading = contents.reading(name, columns[name], with_secrets=with_secrets)
            with connection.cursor() as cursor, cursor.copy(reading) as stream:
                facts[name] = writer.add(name, columns[name], stream, tell)
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


def restore(archive: Archive, tell: Tell, note: Note, *, replace: bool) -> str:
    """Exchanges the store; returns the name of what is kept of the one before, if it was not empty."""
    loading.refuse_newer(archive.manifest)
    with _explained(), kept.exchanging():
        kept.refuse_company()
        there = _set_aside(replace)
        try:
            _fill(archive, tell)
            with transaction.atomic(durable=True):
                note()
                name = kept.keep()
                if not there:
                    kept.drop(name)
        except BaseException:
            with suppress(Error):  # of a lost connection; then the next command does it
                kept.take_back()
            raise
    return name if there else ""


def bring_back(name: str, note: Note) -> str:
    """Exchanges the store for one that is kept aside; returns the name of what was there."""
    with _explained(), kept.exchanging():
        kept.must_be_there(name)
        kept.refuse_company()
        now = kept.new_name()
        _swap(name, now)
        try:
            _bring_up_to_date()
            note()
        except BaseException:
            with suppress(Error):
                _swap(now, name)
            raise
    return now


@transaction.atomic(durable=True)
def _swap(wanted: str, now: str) -> None:
    kept.set_aside(now)
    kept.bring_back(wanted)


def drop(name: str, note: Note) -> None:
    with transaction.atomic(durable=True):
        kept.must_be_there(name)
        kept.drop(name)
        note()


@transaction.atomic(durable=True)
def _set_aside(replace: bool) -> list[str]:
    """The tables of the store that have rows, beside those that each new one has."""
    kept.refuse_strangers()
    there = contents.with_rows(set(contents.columns()) - contents.ALWAYS_THERE)
    if there and not replace:
        raise Conflict(
            f"The store is not empty (there are rows in {', '.join(sorted(there)[:3])}): nothing was changed; "
            "`--replace` keeps it aside and puts the backup in its place."
        )
    kept.set_aside()
    return there


def _fill(archive: Archive, tell: Tell) -> None:
    """Migrations commit one by one, for some of the libraries' want it so."""
    loading.make_tables(archive.manifest)
    with transaction.atomic(durable=True):
        execute(contents.SAME_EVERYWHERE)
        loading.load(archive, tell)
    _bring_up_to_date()


def _bring_up_to_date() -> None:
    call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (DataError, IntegrityError) as problem:
        raise Invalid(
            f"The rows of the backup do not fit its tables ({_said(problem)}): the store is as it was."
        ) from None
    except Error as problem:
        raise DatabaseProblem(
            f"The store could not be exchanged ({_said(problem)}): it is as it was; mend that and try again."
        ) from None


def _said(problem: Exception) -> str:
    return str(problem).strip().splitlines()[0].rstrip(".")

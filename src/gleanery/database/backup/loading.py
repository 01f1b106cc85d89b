"""Loads the rows of a backup into newly created tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.graph import Node
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from gleanery.database.backup import contents
from gleanery.database.backup.archive import Archive, Manifest, Progress, Table
from gleanery.errors import Invalid
from gleanery.sql import rows, run

# Created again after loading: faster than row by row, and tables need no order. Primary keys and UNIQUE constraints
# stay.
FOREIGN_KEYS = """
    SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', k.conrelid::regclass, k.conname),
           format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', k.conrelid::regclass, k.conname,
                  pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
    WHERE n.nspname = current_schema() AND k.contype = 'f'
"""
INDEXES = """
    SELECT format('DROP INDEX %%s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
"""
SET_SEQUENCE = """
    SELECT setval(format('%%I', sequencename)::regclass, coalesce(%(last)s::bigint, start_value),
                  %(last)s::bigint IS NOT NULL)
    FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = %(name)s
"""


def refuse_newer(manifest: Manifest) -> None:
    known = MigrationLoader(None).disk_migrations
    if unknown := [each for each in manifest.migrations if each not in known]:
        app, name = unknown[0]
        raise Invalid(
            f"The backup was made by Gleanery {manifest.gleanery}, whose tables are newer than those of this one "
            f"(it has {app}.{name}). Nothing was changed; install that version or a later one, and restore again."
        )


def make_tables(manifest: Manifest) -> None:
    """Create the tables of the backup's version in an empty schema."""
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.node_map
    wanted = {each for each in manifest.migrations if each in nodes}
    last_of_apps = [each for each in wanted if not wanted & _next_of_app(nodes[each])]
    made = {(each.app_label, each.name) for each, _ in executor.migration_plan(last_of_apps)}
    if made != wanted:
        raise Invalid("The backup does not say which version its tables have. Nothing was changed.")
    executor.migrate(last_of_apps)
    _compare(manifest)


def _next_of_app(node: Node) -> set[tuple[str, str]]:
    return {child.key for child in node.children if child.key[0] == node.key[0]}


def load(archive: Archive, progress: Progress) -> None:
    with _bare_tables(archive.manifest):
        for name, table in archive.manifest.tables.items():
            _load(archive, name, table, progress)
    for name, last in archive.manifest.sequences.items():
        rows(SET_SEQUENCE, name=name, last=last)


def _compare(manifest: Manifest) -> None:
    """Check that names in the file are exactly those of our tables, columns and sequences."""
    named = {name: sorted(table.columns) for name, table in manifest.tables.items()}
    if named != {name: sorted(columns) for name, columns in contents.columns().items()}:
        raise Invalid("The tables of the backup are not those of its version of Gleanery. Nothing was changed.")
    if set(manifest.sequences) != set(contents.sequences()):
        raise Invalid("The sequences of the backup are not those of its version of Gleanery. Nothing was changed.")


@contextmanager
def _bare_tables(manifest: Manifest) -> Iterator[None]:
    """Empty the tables, and drop foreign keys and indexes and disable triggers while loading."""
    removed = rows(FOREIGN_KEYS) + rows(INDEXES)
    tables = [sql.Identifier(name) for name in manifest.tables]
    for drop, _ in removed:
        run(sql.SQL(drop))
    for table in tables:
        run(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
    run(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(tables)))
    yield
    for table in tables:
        run(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(table))
    for _, make in reversed(removed):
        run(sql.SQL(make))
    run(sql.SQL("ANALYZE {}").format(sql.SQL(", ").join(tables)))


def _load(archive: Archive, name: str, table: Table, progress: Progress) -> None:
    columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(name), columns)
    with connection.cursor() as cursor:
        with connection.wrap_database_errors, cursor.copy(statement) as stream:
            for chunk in archive.rows_of(name):
                stream.write(chunk)
                progress(name, len(chunk))
        if cursor.rowcount != table.rows:
            raise Invalid(
                f"The table {name} of the backup has not the number of rows in its manifest. Nothing was changed."
            )

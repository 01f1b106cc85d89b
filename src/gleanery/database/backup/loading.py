"""Takes the rows of a backup into tables that were made for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.graph import Node
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from gleanery.database.backup import contents
from gleanery.database.backup.archive import Archive, Manifest, Table, Tell
from gleanery.errors import Invalid
from gleanery.sql import rows, run

# Made again when the rows are there: faster than row by row, and no order of tables is needed. Those of primary keys
# and UNIQUE stay.
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
            f"The backup was made by Gleanery {manifest.gleanery}, whose tables are newer than those that this one "
            f"knows (it has {app}.{name}): nothing was changed; install that version or a later one, and restore."
        )


def make_tables(manifest: Manifest) -> None:
    """As they were when the backup was made, in a schema without any."""
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.node_map
    wanted = {each for each in manifest.migrations if each in nodes}
    last_of_apps = [each for each in wanted if not wanted & _next_of_app(nodes[each])]
    made = {(each.app_label, each.name) for each, _ in executor.migration_plan(last_of_apps)}
    if made != wanted:
        raise Invalid("The backup does not tell which version of the tables it is of: nothing was changed.")
    executor.migrate(last_of_apps)
    _compare(manifest)


def _next_of_app(node: Node) -> set[tuple[str, str]]:
    return {child.key for child in node.children if child.key[0] == node.key[0]}


def load(archive: Archive, tell: Tell) -> None:
    with _bare_tables(archive.manifest):
        for name, table in archive.manifest.tables.items():
            _load(archive, name, table, tell)
    for name, last in archive.manifest.sequences.items():
        rows(SET_SEQUENCE, name=name, last=last)


def _compare(manifest: Manifest) -> None:
    """Names in the file are believed only if they are the names of our own tables, columns and sequences."""
    told = {name: sorted(table.columns) for name, table in manifest.tables.items()}
    if told != {name: sorted(columns) for name, columns in contents.columns().items()}:
        raise Invalid("The tables of the backup are not those of its version of Gleanery: nothing was changed.")
    if set(manifest.sequences) != set(contents.sequences()):
        raise Invalid("The sequences of the backup are not those of its version of Gleanery: nothing was changed.")


@contextmanager
def _bare_tables(manifest: Manifest) -> Iterator[None]:
    """Empty, and without what looks at each row. Triggers tell of what is done, and here nothing is done anew."""
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


def _load(archive: Archive, name: str, table: Table, tell: Tell) -> None:
    columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(name), columns)
    with connection.cursor() as cursor:
        with connection.wrap_database_errors, cursor.copy(statement) as stream:
            for chunk in archive.rows_of(name):
                stream.write(chunk)
                tell(name, len(chunk))
        if cursor.rowcount != table.rows:
            raise Invalid(f"The table {name} of the backup has not as many rows as it tells: nothing was changed.")

"""Contents of a backup: tables, columns and sequences, and which of them are secret."""

from __future__ import annotations

from collections.abc import Collection

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from gleanery.sql import rows

# Rows that let somebody in; names that were typed where nobody could log in are passwords at times. Mailboxes of
# visitors are nobody's business.
SECRET_TABLES = frozenset(
    {
        "axes_accessattempt",
        "axes_accessattemptexpiration",
        "axes_accessfailurelog",
        "axes_accesslog",
        "django_session",
        "kept_answer",
        "letter",
        "login_link",
        "subscription",
    }
)
# Secrets in rows that others refer to, and what stands in their place: it lets nobody in.
SECRET_COLUMNS = {
    ("account", "password"): "!",
    ("api_key", "digest"): "",
    ("api_key", "status"): "revoked",
    ("webhook", "secret"): "",
}

# Tables that have rows in every new store. Later changes to accounts are in the journal.
ALWAYS_THERE = frozenset(
    {
        "account",
        "account_groups",
        "auth_group",
        "auth_group_permissions",
        "auth_permission",
        "django_content_type",
        "django_migrations",
    }
)

# Without generated columns, which are computed again on restore.
COLUMNS = """
    SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    GROUP BY c.relname ORDER BY c.relname
"""
SEQUENCES = "SELECT sequencename::text, last_value FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1"

# As in pg_dump: output that every version and configuration reads alike, and no time limits. The join skips settings
# that older servers do not have.
SAME_EVERYWHERE = """
    SELECT set_config(name, wanted, true)
    FROM (VALUES ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'),
                 ('extra_float_digits', '3'), ('bytea_output', 'hex'), ('synchronize_seqscans', 'off'),
                 ('max_parallel_workers_per_gather', '0'), ('statement_timeout', '0'), ('transaction_timeout', '0'),
                 ('idle_in_transaction_session_timeout', '0')) AS settings (name, wanted)
    JOIN pg_settings USING (name)
"""


def columns() -> dict[str, list[str]]:
    """Return the tables of the current schema with their columns."""
    return dict(rows(COLUMNS))


def sequences() -> dict[str, int | None]:
    """Return the last value of each sequence, None if unused; values used since the snapshot do no harm."""
    return dict(rows(SEQUENCES))


def own_tables() -> set[str]:
    """Return the tables of Gleanery and its libraries."""
    models = apps.get_models(include_auto_created=True)
    return {MigrationRecorder.Migration._meta.db_table} | {model._meta.db_table for model in models}


def with_rows(tables: Collection[str]) -> list[str]:
    """Return the tables that are not empty."""
    if not tables:
        return []
    asked = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(sql.Literal(each), sql.Identifier(each))
        for each in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return [name for (name,) in cursor.fetchall()]


def reading(table: str, names: Collection[str], *, with_secrets: bool) -> sql.Composed:
    """Return the COPY statement for a table."""
    cells = [
        sql.Identifier(name)
        if with_secrets or (table, name) not in SECRET_COLUMNS
        else sql.Literal(SECRET_COLUMNS[table, name])
        for name in names
    ]
    stores_aside = sql.SQL("true") if with_secrets or table not in SECRET_TABLES else sql.SQL("false")
    query = sql.SQL("SELECT {} FROM {} WHERE {}").format(sql.SQL(", ").join(cells), sql.Identifier(table), stores_aside)
    return sql.SQL("COPY ({}) TO STDOUT").format(query)

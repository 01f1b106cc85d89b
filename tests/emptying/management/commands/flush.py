"""The command with which Django empties all tables after a test; to truncate fifty takes longer than most tests."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import connection, transaction

from gleanery.accounts.apps import make_roles_and_system_user

# What migrations write and no test changes.
KEPT = {"auth_permission", "django_content_type", "django_migrations"}
HAS_ROWS = "SELECT '{0}' WHERE EXISTS (SELECT FROM {0})"
DELETE = "DELETE FROM {}"


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        # All that there are: Django knows only those of its own models, and jobs that are left disturb others.
        tables = sorted(map(connection.ops.quote_name, set(connection.introspection.table_names()) - KEPT))
        with transaction.atomic(), connection.cursor() as cursor:
            # Whoever still writes, a process that was killed a moment ago, is waited for, as TRUNCATE does.
            cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
            # Neither references nor the journal, which is append-only, have a say for the length of this transaction.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(" UNION ALL ".join(HAS_ROWS.format(each) for each in tables))
            for (table,) in cursor.fetchall():
                cursor.execute(DELETE.format(table))
        make_roles_and_system_user()

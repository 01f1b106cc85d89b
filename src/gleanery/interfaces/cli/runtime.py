"""Runtime of commands that use the database: starts the server, sets up Django and migrates the tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import django

from gleanery import environment
from gleanery.database import launcher, readiness
from gleanery.environment import Environment
from gleanery.errors import DatabaseProblem
from gleanery.interfaces.cli.terminal.output import warn

# An arbitrary number that no other program on the same server should use.
MIGRATION_LOCK = 7_203_155_418


@contextmanager
def application(*, migrates: bool = True) -> Iterator[Environment]:
    """Run the body with a working database; `migrates=False` is for commands that replace the store."""
    settings = environment.read(os.environ)
    with nullcontext() if settings.database_url else launcher.running(settings.data_dir):
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gleanery.settings")
        django.setup()
        readiness.check(_connection_parameters())
        _end_unfinished_restore()
        if migrates:
            _migrate()
        yield settings
        _close_connections()


def base_of(settings: Environment) -> str:
    """Return the address of the web server: the public one if it is set, else the one on this machine."""
    return settings.public_url or f"http://127.0.0.1:{settings.port}"


def store_of(settings: Environment) -> str:
    """Return the name of the store for messages; never the database URL, which may contain a password."""
    return "the database of GLEANERY_DATABASE_URL" if settings.database_url else str(settings.data_dir)


def _connection_parameters() -> dict[str, str]:
    from django.db import connection

    return {name: str(value) for name, value in connection.get_connection_params().items() if isinstance(value, str)}


def _end_unfinished_restore() -> None:
    from gleanery.database.backup import stores_aside

    if stores_aside.end_unfinished():
        warn("The last restore was interrupted, so the store is as it was before. Run `gleanery restore` again.")


def _migrate() -> None:
    """Migrate once if several processes start on a new version at the same time; the others wait."""
    from django.core.management import call_command
    from django.db import OperationalError, connection
    from django.db.migrations.executor import MigrationExecutor

    with connection.cursor() as cursor:
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        # A migration that waits behind a long query would block everybody else behind itself.
        cursor.execute("SET lock_timeout = '20s'")
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except OperationalError as problem:
            raise DatabaseProblem(
                f"The database could not be migrated, and nothing was changed: {problem}. Try again later."
            ) from None
        finally:
            cursor.execute("RESET lock_timeout")
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def _close_connections() -> None:
    from django.db import connections

    connections.close_all()

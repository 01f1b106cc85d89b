"""What every command that needs the database stands on: the server runs, Django is set up, the tables are there."""

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

# Any number, so long as no other program that shares the server takes the same.
MIGRATION_LOCK = 7_203_155_418


@contextmanager
def application(*, migrates: bool = True) -> Iterator[Environment]:
    """Commands that exchange the store take it in whatever version it is."""
    settings = environment.read(os.environ)
    with nullcontext() if settings.database_url else launcher.running(settings.data_dir):
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gleanery.settings")
        django.setup()
        readiness.check(_connection_parameters())
        _end_unfinished_restore()
        if migrates:
            _migrate()
        yield settings
        _hang_up()


def base_of(settings: Environment) -> str:
    """Where people reach the web server: through the operator's own, or on this machine."""
    return settings.public_url or f"http://127.0.0.1:{settings.port}"


def store_of(settings: Environment) -> str:
    """What a command looks into; a URL may have a password in it."""
    return "the database of GLEANERY_DATABASE_URL" if settings.database_url else str(settings.data_dir)


def _connection_parameters() -> dict[str, str]:
    from django.db import connection

    return {name: str(value) for name, value in connection.get_connection_params().items() if isinstance(value, str)}


def _end_unfinished_restore() -> None:
    from gleanery.database.backup import stores_aside

    if stores_aside.end_unfinished():
        warn("A restore was cut off: the store is as it was before. Run `gleanery restore` again.")


def _migrate() -> None:
    """Several processes may start at once on a new version: one migrates, the others wait for it."""
    from django.core.management import call_command
    from django.db import OperationalError, connection
    from django.db.migrations.executor import MigrationExecutor

    with connection.cursor() as cursor:
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        # A migration must not queue up behind a long query and make everybody else wait behind itself.
        cursor.execute("SET lock_timeout = '20s'")
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except OperationalError as problem:
            raise DatabaseProblem(
                f"The tables could not be changed, nothing was: {problem}. Try again later."
            ) from None
        finally:
            cursor.execute("RESET lock_timeout")
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def _hang_up() -> None:
    from django.db import connections

    connections.close_all()

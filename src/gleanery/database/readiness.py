"""Checks that a PostgreSQL server, embedded or the operator's, is suitable for Gleanery."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from gleanery.errors import DatabaseProblem

OLDEST = 15
TRIGRAMS_OF_ONE_WORD = "SELECT similarity('Фондация', 'фондация')"


def check(conninfo: str | Mapping[str, str]) -> None:
    """Raise DatabaseProblem, with the remedy, unless the database is suitable."""
    try:
        with _connect(conninfo) as link:
            refuse_old(link.info.server_version)
            _ensure_trigrams(link)
            _require_unicode_trigrams(link)
    except psycopg.Error as problem:
        raise DatabaseProblem(
            f"The database failed while it was checked ({_one_line(problem)}). Repair it and start again."
        ) from None


def refuse_old(server_version: int) -> None:
    """Refuse PostgreSQL older than 15; the number is that of the server: 150004 is 15.4."""
    if server_version < OLDEST * 10_000:
        raise DatabaseProblem(
            f"The server is PostgreSQL {server_version // 10_000} and Gleanery needs {OLDEST} or newer. Upgrade it, or "
            "unset GLEANERY_DATABASE_URL to use the embedded one."
        )


def _connect(conninfo: str | Mapping[str, str]) -> psycopg.Connection:
    try:
        given = conninfo_to_dict(conninfo) if isinstance(conninfo, str) else dict(conninfo)
        _ = [int(port) for port in str(given.get("port") or 0).split(",")]
    except (psycopg.Error, ValueError):
        # Not quoted: the parser's message repeats its input, and it may take part of a password for the port.
        raise DatabaseProblem(
            "GLEANERY_DATABASE_URL cannot be read. Write it as postgresql://user:password@host:5432/gleanery, with "
            "special characters in the password percent-encoded."
        ) from None
    try:
        return psycopg.connect(
            make_conninfo("", **{"connect_timeout": 10, **given, "client_encoding": "UTF8"}), autocommit=True
        )
    except psycopg.Error as problem:
        raise DatabaseProblem(
            f"The database {_address(given)} cannot be reached ({_one_line(problem, given)}). Start that server, or "
            "correct GLEANERY_DATABASE_URL."
        ) from None


def _address(given: Mapping[str, object]) -> str:
    return f"{given.get('dbname', '')} at {given.get('host', 'localhost')}:{given.get('port', 5432)}"


def _one_line(problem: psycopg.Error, given: Mapping[str, object] | None = None) -> str:
    said = " ".join(str(problem).split()).rstrip(".") or type(problem).__name__
    password = str((given or {}).get("password") or "")
    return said.replace(password, "***") if password else said


def _ensure_trigrams(link: psycopg.Connection) -> None:
    name = link.info.dbname
    try:
        # When several processes start at once, all but the first get this error.
        with suppress(errors.UniqueViolation):
            link.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except errors.InsufficientPrivilege:
        raise DatabaseProblem(
            f"Database {name} lacks pg_trgm and this user may not add it. Have an administrator run "
            f'`CREATE EXTENSION pg_trgm` in it, or `GRANT CREATE ON DATABASE "{name}"` to this user.'
        ) from None
    except (errors.FeatureNotSupported, errors.UndefinedFile):
        raise DatabaseProblem(
            "The server does not have the extension pg_trgm. Install PostgreSQL's contrib package (postgresql-contrib) "
            "on its machine and start again."
        ) from None


def _require_unicode_trigrams(link: psycopg.Connection) -> None:
    try:
        found = link.execute(TRIGRAMS_OF_ONE_WORD).fetchone()
    except errors.UndefinedFunction:
        raise DatabaseProblem(
            "pg_trgm is in a schema outside this user's search path. Run "
            "`ALTER EXTENSION pg_trgm SET SCHEMA public` and start again."
        ) from None
    except errors.DataError:
        # The encoding has no Cyrillic letters.
        found = None
    if found != (1.0,):
        name = link.info.dbname
        raise DatabaseProblem(
            f"Database {name} cannot compare words that are not English. Create one that can with `CREATE DATABASE "
            "gleanery TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C'` and name it in "
            "GLEANERY_DATABASE_URL."
        )

"""Replaces the database with an empty one, for the demo."""

from __future__ import annotations

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo


def recreate_database(connection: dict[str, str]) -> None:
    name = sql.Identifier(connection["dbname"])
    with psycopg.connect(make_conninfo(**{**connection, "dbname": "postgres"}), autocommit=True) as link:
        link.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        link.execute(sql.SQL("CREATE DATABASE {}").format(name))

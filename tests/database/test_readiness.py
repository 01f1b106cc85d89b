"""Every server is checked before use, and each problem is reported with its remedy."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from gleanery.database import launcher, readiness
from gleanery.errors import DatabaseProblem


@pytest.fixture
def server(workshop: Path) -> Iterator[str]:
    """The server given to the suite, or an embedded one."""
    if given := os.environ.get("GLEANERY_TEST_DATABASE_URL"):
        yield given
    else:
        with launcher.running(workshop / "data") as where:
            yield make_conninfo("", **where)


@pytest.fixture
def administrator(server: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(server, autocommit=True) as connection:
        yield connection


@pytest.fixture
def spare(administrator: psycopg.Connection) -> Iterator[sql.Identifier]:
    """Names of a database and a role that are dropped after the test."""
    name = sql.Identifier(f"spare_{uuid.uuid4().hex[:12]}")
    yield name
    administrator.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
    administrator.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(name))


def made(administrator: psycopg.Connection, name: sql.Identifier, how: str) -> str:
    administrator.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 " + how).format(name))
    return make_conninfo(administrator.info.dsn, dbname=name.as_string().strip('"'))


def refusal(conninfo: str) -> str:
    with pytest.raises(DatabaseProblem) as caught:
        readiness.check(conninfo)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.database
def test_a_good_server_passes_as_text_and_as_parameters(server: str) -> None:
    readiness.check(server)
    readiness.check({name: str(value) for name, value in conninfo_to_dict(server).items()})


@pytest.mark.database
@pytest.mark.parametrize(
    "how",
    [
        "ENCODING 'UTF8' LOCALE_PROVIDER libc LC_CTYPE 'C' LC_COLLATE 'C'",
        "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_CTYPE 'C' LC_COLLATE 'C'",
        "ENCODING 'LATIN1' LOCALE_PROVIDER libc LC_CTYPE 'C' LC_COLLATE 'C'",
    ],
)
def test_a_database_without_cyrillic_support_is_refused_with_a_remedy_that_works(
    administrator: psycopg.Connection, spare: sql.Identifier, how: str
) -> None:
    said = refusal(made(administrator, spare, how))
    assert "cannot compare words that are not English" in said
    administrator.execute(sql.SQL("DROP DATABASE {}").format(spare))
    remedy = said.split("`CREATE DATABASE gleanery TEMPLATE template0 ")[1].split("`")[0]
    readiness.check(made(administrator, spare, remedy))


@pytest.mark.database
def test_a_user_who_may_not_add_the_extension_gets_the_command_for_an_administrator(
    administrator: psycopg.Connection, spare: sql.Identifier
) -> None:
    conninfo = made(administrator, spare, "")
    administrator.execute(sql.SQL("CREATE ROLE {}").format(spare))
    role = spare.as_string().strip('"')
    assert "Have an administrator run `CREATE EXTENSION pg_trgm`" in refusal(
        make_conninfo(conninfo, options=f"-c role={role}")
    )


@pytest.mark.database
def test_an_extension_outside_the_search_path_is_reported(
    administrator: psycopg.Connection, spare: sql.Identifier
) -> None:
    conninfo = made(administrator, spare, "")
    with psycopg.connect(conninfo) as connection:
        connection.execute("CREATE SCHEMA elsewhere")
        connection.execute("CREATE EXTENSION pg_trgm SCHEMA elsewhere")
    assert "`ALTER EXTENSION pg_trgm SET SCHEMA public`" in refusal(conninfo)


@pytest.mark.parametrize("version", [90624, 140012, 149999])
def test_a_server_older_than_15_is_refused(version: int) -> None:
    with pytest.raises(DatabaseProblem, match=r"is PostgreSQL \d+ and Gleanery needs 15 or newer\. Upgrade it"):
        readiness.refuse_old(version)


@pytest.mark.parametrize("version", [150000, 180006])
def test_version_15_and_newer_are_accepted(version: int) -> None:
    readiness.refuse_old(version)


@pytest.mark.parametrize(
    "conninfo",
    [
        "postgresql://somebody:hunter2@127.0.0.1:9/gleanery",
        "host=/nonexistent password=hunter2 user=hunter2x dbname=gleanery",
        "postgresql://somebody:hunter2/3@127.0.0.1:9/gleanery",
        "postgresql://somebody:%zzhunter2@127.0.0.1/gleanery",
        "hunter2",
    ],
)
def test_a_server_that_does_not_respond_is_named_without_its_password(conninfo: str) -> None:
    said = refusal(conninfo)
    assert "GLEANERY_DATABASE_URL" in said
    assert "hunter2" not in said

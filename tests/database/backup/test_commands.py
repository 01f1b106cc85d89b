"""`gleanery backup` and `restore` in real processes: a restore is complete, or it changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from gleanery.database import launcher
from gleanery.database.backup.archive import Manifest, opened
from tests.data_directories import environment_of, furnished
from tests.database.backup.test_archive import repacked
from tests.interfaces.conftest import Run, command_with

# Each makes data directories of its own by copying one that is made once.
pytestmark = [pytest.mark.xdist_group("backup"), pytest.mark.long]


class Store:
    """A data directory and the commands run on it."""

    def __init__(self, data: Path, run: Run) -> None:
        self.data, self._run = data, run

    def run(self, *arguments: str, code: int = 0, **settings: str) -> Any:
        done = self._run(*arguments, "--json", **settings)
        assert done.returncode == code, f"{done.stdout}{done.stderr}"
        return json.loads(done.stdout)

    def says(self, *arguments: str) -> str:
        return self._run(*arguments).stderr

    def start(self, module: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", module, *arguments], env=self._run.environment, text=True, **options
        )

    def sql(self, statement: str, **where: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(make_conninfo("", **launcher.connection_of(self.data) | where), autocommit=True) as link:
            found = link.execute(statement)
            return found.fetchall() if found.description else []

    def names(self) -> set[str]:
        return {each["username"] for each in self.run("user", "list")}


Open = Callable[[str], Store]


@pytest.fixture
def opened_store(workshop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Stores in memory if possible, whose servers keep running between the calls."""
    with ExitStack() as stack:

        def make(name: str) -> Store:
            subprocess.run(["cp", "-a", furnished(tmp_path_factory, name), workshop / name], check=True)
            stack.enter_context(launcher.running(workshop / name))
            return Store(workshop / name, stack.enter_context(command_with(environment_of(workshop / name))))

        yield make


@pytest.fixture
def store(opened_store: Open) -> Store:
    return opened_store("store")


@pytest.fixture
def other(opened_store: Open) -> Store:
    return opened_store("other")


def manifest_of(path: Path) -> Manifest:
    with opened(path) as archive:
        return archive.manifest


@contextmanager
def busy(store: Store) -> Iterator[None]:
    with store.start("tests.database.backup.writer", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        yield
        writer.communicate()


def test_a_backup_of_a_store_in_use_is_consistent_and_restores_it(store: Store, other: Store, tmp_path: Path) -> None:
    """Users are added before, during and after, each with a role and a journal entry in one transaction."""
    with busy(store):
        store.run("backup", str(tmp_path / "at-work"), "--with-secrets")
        refused = store.run("restore", str(tmp_path / "at-work"), "--replace", code=1)
    assert "in use" in refused["detail"]
    other.run("restore", str(tmp_path / "at-work"))
    (counts,) = other.sql(
        "SELECT (SELECT count(*) FROM account WHERE username LIKE 'busy-%'), (SELECT count(*) FROM account_groups g "
        "JOIN account a ON a.id = g.user_id WHERE username LIKE 'busy-%'), (SELECT count(*) FROM journal "
        "WHERE action = 'create')"
    )
    assert len(set(counts)) == 1, counts
    assert counts[0] >= 50
    other.run("backup", str(tmp_path / "again"), "--with-secrets")
    before, after = manifest_of(tmp_path / "at-work"), manifest_of(tmp_path / "again")
    changed = {name for name in before.tables if before.tables[name] != after.tables[name]}
    assert changed <= {"journal", "account", "account_groups"}, "the restore itself, and who did it"
    assert after.tables["journal"].rows == before.tables["journal"].rows + 1


def test_secrets_are_left_out_unless_requested(store: Store, other: Store, tmp_path: Path) -> None:
    store.run("user", "add", "anna", "--role", "admin")
    store.sql("UPDATE account SET password = 'argon2$secret' WHERE username = 'anna'")
    store.run("key", "add", "importer", "--scope", "read", "--owner", "anna")
    store.run("backup", str(tmp_path / "open"))
    store.run("backup", str(tmp_path / "secret"), "--with-secrets")
    assert manifest_of(tmp_path / "secret").tables["login_link"].rows == 1
    assert manifest_of(tmp_path / "open").tables["login_link"].rows == 0
    other.run("restore", str(tmp_path / "open"))
    assert other.sql("SELECT password FROM account WHERE username = 'anna'") == [("!",)]
    assert other.sql("SELECT digest, status FROM api_key") == [("", "revoked")]
    other.run("restore", str(tmp_path / "secret"), "--replace")
    assert other.sql("SELECT password FROM account WHERE username = 'anna'") == [("argon2$secret",)]
    assert other.sql("SELECT digest, status FROM api_key") == store.sql("SELECT digest, status FROM api_key")


def test_the_old_store_is_kept_aside_and_can_be_brought_back(store: Store, tmp_path: Path) -> None:
    store.run("user", "add", "anna", "--role", "viewer")
    store.run("backup", str(tmp_path / "one"))
    store.run("user", "add", "boris", "--role", "viewer")
    refused = store.run("restore", str(tmp_path / "one"), code=1)
    assert "--replace" in refused["detail"]
    assert store.names() == {"anna", "boris"}
    stores_aside = store.run("restore", str(tmp_path / "one"), "--replace")["kept"]
    assert store.names() == {"anna"}
    assert [each["name"] for each in store.run("store", "list")] == [stores_aside]
    time.sleep(1)  # its name is its second
    later = store.run("store", "back", stores_aside)["kept"]
    assert store.names() == {"anna", "boris"}
    assert later in store.run("store", "drop", "public", code=1)["detail"]
    store.run("store", "drop", later)
    assert store.run("store", "list") == []
    actions = [action for (action,) in store.sql("SELECT action FROM journal WHERE subject_kind = 'store' ORDER BY id")]
    assert actions == ["bring_back", "drop"]
    with pytest.raises(psycopg.errors.RestrictViolation):
        store.sql("DELETE FROM journal")


def test_a_killed_restore_leaves_the_store_unchanged(store: Store, tmp_path: Path) -> None:
    store.run("user", "add", "anna", "--role", "viewer")
    store.run("backup", str(tmp_path / "one"))
    store.run("user", "add", "boris", "--role", "viewer")
    with store.start("gleanery", "restore", str(tmp_path / "one"), "--replace", stderr=subprocess.DEVNULL) as restoring:
        while not store.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'gleanery_aside'"):
            assert restoring.poll() is None, "it ended before it could be killed"
            time.sleep(0.3)  # a store that is looked at all the time is in use
        restoring.kill()
    while store.sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'"):
        time.sleep(0.05)
    assert "The last restore was interrupted, so the store is as it was before." in store.says("user", "list")
    assert store.names() == {"anna", "boris"}
    store.run("restore", str(tmp_path / "one"), "--replace")
    assert store.names() == {"anna"}


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(store: Store, other: Store, tmp_path: Path) -> None:
    store.run("user", "add", "anna", "--role", "viewer")
    store.run("submit", "example.org")
    assert store.start("tests.database.backup.former", str(tmp_path / "former")).wait() == 0
    assert "kept_answer" not in manifest_of(tmp_path / "former").tables
    other.run("restore", str(tmp_path / "former"))
    assert other.names() == {"anna"}
    assert [each["name"] for each in other.run("domain", "list")] == ["example.org"]
    other.run("backup", str(tmp_path / "now"))
    assert manifest_of(tmp_path / "now").migrations != manifest_of(tmp_path / "former").migrations


def test_a_backup_that_does_not_fit_changes_nothing(store: Store, tmp_path: Path) -> None:
    """Each archive is valid, so only its tables reveal the problem."""
    store.run("user", "add", "anna", "--role", "viewer")
    store.run("backup", str(tmp_path / "one"))
    good = json.loads(manifest_of(tmp_path / "one").model_dump_json())
    before = store.sql("SELECT * FROM account ORDER BY id")
    tables = good["tables"]
    for change, says in (
        ({"migrations": [*good["migrations"], ["domains", "0099_from_the_future"]]}, "newer"),
        ({"migrations": good["migrations"][5:]}, "which version"),
        (
            {"tables": {**tables, "account": {**tables["account"], "columns": ["id", "evil"]}}},
            "not those of its version",
        ),
        ({"tables": {**tables, "account": {**tables["account"], "rows": 99}}}, "rows"),
    ):
        path = Path(shutil.copy(tmp_path / "one", tmp_path / "changed"))
        answer = store.run("restore", str(repacked(path, json.dumps(good | change))), "--replace", code=1)
        assert says in answer["detail"], answer
        assert store.sql("SELECT * FROM account ORDER BY id") == before
    assert store.run("store", "list") == []


@pytest.mark.database
def test_a_store_can_move_to_a_server_and_back(store: Store, other: Store, tmp_path: Path) -> None:
    """Use the server given to the suite, or an embedded one by its address."""
    given = os.environ.get("GLEANERY_TEST_DATABASE_URL")
    where = launcher.connection_of(other.data)
    url = f"postgresql://{where['user']}@/elsewhere?host={where['host']}"
    administrator = make_conninfo(given) if given else make_conninfo("", **where)
    with psycopg.connect(administrator, autocommit=True) as link:
        link.execute("DROP DATABASE IF EXISTS elsewhere")
        link.execute("CREATE DATABASE elsewhere TEMPLATE template0")
        url = given.replace("/gleanery?", "/elsewhere?") if given else url
        store.run("user", "add", "anna", "--role", "viewer")
        store.run("backup", str(tmp_path / "one"))
        store.run("restore", str(tmp_path / "one"), GLEANERY_DATABASE_URL=url)
        store.run("backup", str(tmp_path / "two"), GLEANERY_DATABASE_URL=url)
        link.execute("DROP DATABASE elsewhere")
    store.run("restore", str(tmp_path / "two"), "--replace")
    store.run("backup", str(tmp_path / "three"))
    first, last = manifest_of(tmp_path / "one"), manifest_of(tmp_path / "three")
    assert {name for name in first.tables if first.tables[name] != last.tables[name]} == {"journal"}


def test_doctor_reports_a_missing_old_or_unreadable_backup(store: Store, tmp_path: Path) -> None:
    def said(code: int = 1, **settings: str) -> dict[str, Any]:
        return {each["about"]: each for each in store.run("doctor", code=code, **settings)}["backup"]

    there = {"GLEANERY_BACKUP_DIR": str(tmp_path)}
    assert "GLEANERY_BACKUP_DIR" in said()["hint"]
    assert "does not exist" in said(GLEANERY_BACKUP_DIR=str(tmp_path / "missing"))["says"]
    assert "yet" in said(**there)["says"]
    path = Path(store.run("backup", **there)["file"])
    assert path.parent == tmp_path
    assert "complete" in said(**there)["says"]
    good = json.loads(manifest_of(path).model_dump_json())
    repacked(path, json.dumps(good | {"made_at": "2026-01-01T00:00:00Z"}))
    assert "old" in said(**there)["says"]
    path.write_bytes(path.read_bytes()[:-100])
    assert "damaged" in said(**there)["says"]

"""A full disk is reported in a sentence by commands and API, and work continues once there is space."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psycopg
import pytest

from gleanery.database import launcher
from gleanery.net import ports
from tests.crawling.workers import wait_for
from tests.data_directories import environment_of, furnished
from tests.database.conftest import end_servers_below
from tests.small_disk import fill, mounted, unmount

ROWS = 120
ROOM = "120m"
FULL = "The disk that holds the database is full: what was stored is kept, and the last step was not stored."

pytestmark = [pytest.mark.xdist_group("full disk"), pytest.mark.long]


def run(
    environment: dict[str, str], *arguments: str, stdout: Any = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    full = [sys.executable, "-m", "gleanery", *arguments]
    return subprocess.run(full, env=environment, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a small disk with a data directory."""
    where = tmp_path / "disk"
    where.mkdir()
    yield mounted(where, f"size={ROOM}")
    end_servers_below(where)
    unmount(where)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return data that needs new database pages."""
    file = tmp_path / "halls.csv"
    rows = [f"Hall {n} of the {n}th street,Town {n},{f'What hall {n} offers. ' * 100}" for n in range(ROWS)]
    file.write_text("\n".join(["name,locality,description", *rows]))
    return file


def test_a_full_disk_is_reported_and_work_continues_afterwards(
    disk: Path, table: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = disk / "data"
    subprocess.run(["cp", "-a", furnished(tmp_path_factory, "full"), data], check=True)
    environment = environment_of(data, GLEANERY_PORT=str(ports.free_port()))
    up = subprocess.Popen(
        [sys.executable, "-m", "gleanery", "up", "--json"], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert up.stdout is not None
        while up.stdout.readline() != "}\n":
            assert up.poll() is None
        key = json.loads(run(environment, "key", "add", "a test", "--scope", "ingest", "--json").stdout)["key"]
        bring = ("import", str(table), "--source", "halls", "--kind", "place")
        _begin_a_new_segment_of_the_log(data)
        fill(disk / "ballast")

        told = run(environment, *bring, "--json")
        assert (told.returncode, json.loads(told.stdout)["error"]) == (1, "DatabaseProblem")
        assert json.loads(told.stdout)["detail"].startswith(FULL)
        told = run(environment, *bring)
        assert told.returncode == 1
        assert FULL in told.stderr
        assert "Traceback" not in told.stderr

        status, headers, problem = post(environment, key)
        assert (status, problem["type"]) == (503, "urn:gleanery:database-problem")
        assert (headers["Content-Type"], headers["Retry-After"]) == ("application/problem+json", "10")
        assert problem["detail"].startswith(FULL)

        (disk / "ballast").unlink()
        wait_for(lambda: post(environment, key)[0] == 200)
        assert run(environment, *bring).returncode == 0
        up.send_signal(signal.SIGTERM)
        assert up.wait(60) == 0
    finally:
        up.kill()
        up.communicate()


def _begin_a_new_segment_of_the_log(data: Path) -> None:
    """Fill the disk except for the log, without which the server would stop."""
    with psycopg.connect(**launcher.connection_of(data), autocommit=True) as link:
        link.execute("SELECT pg_switch_wal()")
        link.execute("CHECKPOINT")


def post(environment: dict[str, str], key: str) -> tuple[int, Any, Any]:
    halls = [
        {"id": f"{n}", "kind": "place", "fields": {"name": f"House {n}", "description": f"What {n} offers. " * 100}}
        for n in range(ROWS)
    ]
    request = urllib.request.Request(
        f"http://127.0.0.1:{environment['GLEANERY_PORT']}/api/v1/admin/observations",
        json.dumps({"source": "houses", "observations": halls}).encode(),
        {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310  # loopback
            return answer.status, answer.headers, json.load(answer)
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.headers, json.load(refusal)


@pytest.mark.parametrize("asked", [[], ["--json"]])
def test_output_to_a_full_disk_gives_a_sentence(tmp_path: Path, table: Path, asked: list[str]) -> None:
    environment = environment_of(tmp_path / "data")
    find = ("dedupe", str(table), "--kind", "place", *asked)
    with open("/dev/full", "w") as full:
        told = run(environment, *find, stdout=full)
    assert (told.returncode, told.stderr.count("Error")) == (1, 1)
    assert "is full. What is stored is kept; free some space there" in told.stderr
    told = run(environment, *find, "--output", "/dev/full")
    assert told.returncode == 1
    said = json.loads(told.stdout)["detail"] if asked else told.stderr
    assert "/dev/full could not be written completely (No space left on device). Your files are unchanged" in said


def test_no_space_for_the_secret_key_gives_a_sentence(disk: Path) -> None:
    fill(disk / "ballast")
    environment = environment_of(disk / "data", GLEANERY_DATABASE_URL="postgresql://nobody@127.0.0.1/nothing")
    told = run(environment, "user", "list", "--json")
    assert told.returncode == 1
    assert "is full. What is stored is kept; free some space there" in json.loads(told.stdout)["detail"]
    assert not os.path.exists(disk / "data" / "secret_key")

"""Parts of the database server are killed during work: nothing is lost or repeated, and work continues."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psutil
import psycopg
import pytest
from procrastinate import App, SyncPsycopgConnector
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from gleanery.database import launcher, liveness
from gleanery.database.paths import ServerPaths
from gleanery.jobs import sweep_stalled_jobs
from gleanery.net import ports
from tests.crawling.pages import Plan, path
from tests.crawling.sites import Sites, site
from tests.crawling.workers import wait_for
from tests.data_directories import environment_of, furnished

ROOT = Path(__file__).parents[2]
PAGES = 40
Environment = dict[str, str]

pytestmark = [pytest.mark.xdist_group("lost"), pytest.mark.long]


@pytest.fixture
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnished(tmp_path_factory, "lost")


@contextmanager
def process(environment: Environment, module: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process with its output in a file, because an unread pipe would block it."""
    full = [sys.executable, "-m", module, *arguments]
    with (
        said_by(environment).open("w") as err,
        subprocess.Popen(full, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=err, text=True) as started,
    ):
        try:
            yield started
        finally:
            started.kill()


def said_by(environment: Environment) -> Path:
    return Path(environment["GLEANERY_DATA_DIR"]) / "said"


def run(environment: Environment, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "gleanery", *arguments], env=environment, check=True, stdout=subprocess.DEVNULL
    )


def ask(data: Path, statement: str, *values: Any) -> Any:
    """Return the first value of the first row, or None without a server."""
    try:
        with closing(psycopg.connect(**launcher.connection_of(data), autocommit=True)) as link:
            cursor = link.execute(statement, values)
            row = cursor.fetchone() if cursor.description else None
            return row[0] if row else None
    except psycopg.OperationalError:
        return None


def kill_a_backend(data: Path, doing: str = "") -> None:
    """Kill a client backend, optionally one that runs a given statement; the server then disconnects all clients."""
    statement = """SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE %s
                   AND backend_type = 'client backend' LIMIT 1"""
    wait_for(lambda: ask(data, statement, f"%{doing}%") is not None)
    os.kill(ask(data, statement, f"%{doing}%"), signal.SIGKILL)


def kill_the_server(data: Path) -> None:
    pid = liveness.postmaster(ServerPaths.of(data))
    assert pid
    os.kill(pid, signal.SIGKILL)


def ends_in_order(started: subprocess.Popen[str]) -> bool:
    started.send_signal(signal.SIGTERM)
    return started.wait(60) == 0


@contextmanager
def crawled(data: Path, plan: Plan) -> Iterator[tuple[Sites, Environment]]:
    """Return a site with a queued crawl."""
    with Sites(1, plan) as sites:
        environment = environment_of(data, GLEANERY_NET_RESOLVE=sites.resolve, GLEANERY_PREVIEW_PAGES="0")
        with launcher.running(data):
            run(environment, "submit", site(0))
            run(environment, "domain", "approve", site(0))
            ask(data, "UPDATE domain SET crawl_rate_limit_seconds = 0")
        yield sites, environment


def test_a_worker_continues_after_a_backend_and_the_whole_server_are_killed(data: Path) -> None:
    with (
        crawled(data, Plan(pages=PAGES, latency=0.1)) as (sites, environment),
        process(environment, "gleanery", "worker") as worker,
    ):
        wait_for(lambda: len(sites.requests()) > 5)
        kill_a_backend(data)
        wait_for(lambda: len(sites.requests()) > 20)
        kill_the_server(data)
        wait_for(lambda: ask(data, "SELECT status FROM crawl") == "completed")
        waiting = "SELECT count(*) FROM procrastinate_jobs WHERE queue_name = 'extraction' AND status <> 'succeeded'"
        wait_for(lambda: ask(data, waiting) == 0)
        pages = ask(data, "SELECT count(*) FROM page JOIN snapshot USING (url)")
        visits = ask(data, "SELECT count(*) FROM visit WHERE state = 'stored'")
        extractions = ask(data, "SELECT count(*) FROM procrastinate_jobs WHERE queue_name = 'extraction'")
        assert ends_in_order(worker)
        asked = {each.path for each in sites.requests()}
    assert {path(number) for number in range(PAGES)} <= asked
    assert (pages, visits, extractions) == (PAGES, PAGES, 1)
    assert liveness.processes(ServerPaths.of(data)) == []


def test_a_job_whose_backend_is_killed_is_repeated_with_a_single_effect(data: Path) -> None:
    newest = "SELECT max(id) FROM procrastinate_workers"
    with launcher.running(data) as where, queue_of(where) as queue, worker_on(data, where) as worker:
        ask(data, "CREATE TABLE written (job bigint)")
        job = queue.configure_task("tests.jobs_for_tests.write_and_wait").defer(table="written")
        wait_for(lambda: ask(data, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%%(60)'") == 1)
        first = ask(data, newest)
        ask(data, "CHECKPOINT")  # processes of the suite do not wait for the disk: else the number may be given again
        kill_a_backend(data, "pg_sleep(60)")
        wait_for(lambda: (ask(data, newest) or 0) > first)
        # Where its end could not be written down the sweeper finds it, once its worker has been silent for a while.
        ask(data, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '31 s' WHERE id <= %s", first)
        with suppress(AlreadyEnqueued):
            queue.configure_task(sweep_stalled_jobs.name, queueing_lock=sweep_stalled_jobs.name).defer(timestamp=0)
        wait_for(lambda: ask(data, "SELECT status FROM procrastinate_jobs WHERE id = %s", job) == "succeeded")
        assert ask(data, "SELECT array_agg(job) FROM written") == [job]
        assert ends_in_order(worker)


def test_a_worker_on_an_external_server_waits_for_it_and_can_be_stopped(data: Path) -> None:
    lease = launcher.acquire(data)
    with worker_on(data, lease.connection) as worker:
        wait_for(lambda: ask(data, "SELECT count(*) FROM procrastinate_workers") == 1)
        lease.release()
        wait_for(lambda: "the worker restarts when it is available again" in said_by(environment_of(data)).read_text())
        assert liveness.processes(ServerPaths.of(data)) == []
        assert ends_in_order(worker)


@contextmanager
def queue_of(where: dict[str, str]) -> Iterator[App]:
    with app.replace_connector(SyncPsycopgConnector(kwargs=where)) as queue, queue.open():
        yield queue


def worker_on(data: Path, where: dict[str, str]) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start a worker with the jobs of the tests on an external server."""
    url = f"postgresql://{where['user']}@localhost/{where['dbname']}?host={where['host']}"
    return process(environment_of(data, GLEANERY_TEST_DATABASE_URL=url), "tests.worker_process", where["dbname"])


def test_gleanery_up_continues_after_parts_of_the_server_are_killed(data: Path) -> None:
    environment = environment_of(data, GLEANERY_PORT=str(ports.free_port()))
    base = f"http://127.0.0.1:{environment['GLEANERY_PORT']}"
    with process(environment, "gleanery", "up", "--json") as up:
        wait_for(lambda: status(f"{base}/readyz") == 200)
        children = psutil.Process(up.pid).children()
        for kill in (kill_a_backend, kill_the_server):
            newest = ask(data, "SELECT max(id) FROM procrastinate_workers") or 0
            kill(data)
            wait_for(lambda newest=newest: (ask(data, "SELECT max(id) FROM procrastinate_workers") or 0) > newest)
            wait_for(lambda: status(f"{base}/readyz") == 200)
            assert status(f"{base}/healthz") == status(f"{base}/admin/login/") == 200
        family = psutil.Process(up.pid).children(recursive=True)
        assert set(children) < set(family)
        assert ends_in_order(up)
    assert psutil.wait_procs(family, 30)[1] == []
    assert liveness.processes(ServerPaths.of(data)) == []


def status(address: str) -> int:
    """Return the status code, or 0 if nothing is listening."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310  # loopback
            return int(answer.status)
    except HTTPError as refusal:
        with refusal:
            return refusal.code
    except OSError:
        return 0


@pytest.mark.parametrize("asked", [[], ["--json"]])
def test_a_command_without_its_database_gives_a_sentence(data: Path, asked: list[str]) -> None:
    with (
        crawled(data, Plan(pages=PAGES, latency=0.3)) as (sites, environment),
        process(environment, "gleanery", "crawl", site(0), *asked) as crawl,
    ):
        wait_for(lambda: len(sites.requests()) > 3)
        kill_the_server(data)
        out, _ = crawl.communicate(timeout=60)
    err = said_by(environment).read_text()
    assert crawl.returncode == 1
    said = json.loads(out)["detail"] if asked else " ".join(err.split())
    assert "The database stopped responding: what was stored is kept" in said
    assert "Try again once it responds." in said
    assert "Traceback" not in out + err

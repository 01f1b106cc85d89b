"""Printing and validity of login links, and a real server under many password guesses."""

from __future__ import annotations

import http.client
import json
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest

from gleanery.accounts import login_throttle
from gleanery.accounts.hashing import AT_ONCE, LOCK
from gleanery.database import launcher
from tests.data_directories import furnished
from tests.interfaces.conftest import Run, command_with, told
from tests.interfaces.test_up import Running, environment_for, start, stop

pytestmark = [pytest.mark.xdist_group("handed out"), pytest.mark.long]
CROWD, EACH = 24, 4
THREADS = 8  # of the web server: each may have looked at the count before the last failures were written down


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnished(tmp_path_factory, "handed-out")


@pytest.fixture(scope="module")
def run(data: Path) -> Iterator[Run]:
    with launcher.running(data), command_with(environment_for(data)) as command:
        yield command


@pytest.fixture(scope="module")
def handed_out(run: Run) -> str:
    """Create a login link before the server starts."""
    return str(told(run("user", "add", "anna", "--role", "admin", "--json"))["login_link"])


@pytest.fixture(scope="module")
def up(run: Run, handed_out: str) -> Iterator[Running]:
    running = start(run.environment, "up")
    yield running
    if running.process.poll() is None:
        stop(running)


def ask(port: int, path: str, form: dict[str, str] | None = None, cookie: str = "") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"} if form else {}
    connection.request("POST" if form else "GET", path, urlencode(form or {}), headers)
    answer = connection.getresponse()
    answer.text = answer.read().decode()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_the_link_is_always_printed_while_no_admin_has_a_password(up: Running) -> None:
    assert up.told["login_link"].startswith(f"http://127.0.0.1:{up.port}/login/")


def test_existing_links_stay_valid_after_a_start(up: Running, handed_out: str) -> None:
    for link in (handed_out, up.told["login_link"]):
        answer = ask(up.port, urlsplit(link).path)
        assert (answer.status, answer.headers["Location"]) == (302, "/admin/")


def test_recommended_commands_use_the_current_data_and_port(run: Run, data: Path) -> None:
    settings = f"GLEANERY_DATA_DIR={data} GLEANERY_PORT={run.environment['GLEANERY_PORT']} "
    assert f"`{settings}gleanery user list`" in run("user", "link", "nobody").stderr
    assert f"`{settings}gleanery user list`" in json.loads(run("user", "link", "nobody", "--json").stdout)["detail"]
    added = run("user", "add", "ben")
    assert f"http://127.0.0.1:{run.environment['GLEANERY_PORT']}/login/" in added.stdout


def test_many_password_guesses_are_refused_while_others_are_served(up: Running, data: Path) -> None:
    """Run 24 clients with different names, and count responses instead of seconds."""
    form = ask(up.port, "/admin/login/")
    token = re.search('csrfmiddlewaretoken" value="([^"]+)', form.text)  # type: ignore[attr-defined]
    assert token
    cookie = str(form.headers["Set-Cookie"]).partition(";")[0]
    answers: list[http.client.HTTPResponse] = []
    pages: list[int] = []
    most_at_once, over = 0, threading.Event()
    gate = threading.Barrier(CROWD)

    def guess(number: int) -> None:
        gate.wait()
        for each in range(EACH):
            typed = {"username": f"name-{number}-{each}", "password": "wrong", "csrfmiddlewaretoken": token[1]}
            answers.append(ask(up.port, "/admin/login/", typed, cookie))

    def look() -> None:
        while not over.is_set():
            pages.append(ask(up.port, "/submit/").status)

    crowd = [threading.Thread(target=guess, args=[number]) for number in range(CROWD)]
    visitor = threading.Thread(target=look)
    for thread in (*crowd, visitor):
        thread.start()
    with psycopg.connect(**launcher.connection_of(data), autocommit=True) as database:
        while any(thread.is_alive() for thread in crowd):
            held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND granted"
            row = database.execute(held, [LOCK]).fetchone()
            most_at_once = max(most_at_once, row[0] if row else 0)
    over.set()
    visitor.join()
    statuses = [each.status for each in answers]
    assert len(statuses) == CROWD * EACH
    assert set(statuses) <= {200, 429, 503}
    assert all(int(each.headers["Retry-After"]) > 0 for each in answers if each.status != 200)
    assert 1 <= statuses.count(200) <= login_throttle.MOST + THREADS
    assert most_at_once <= AT_ONCE
    assert set(pages) == {200}


def test_links_are_not_written_to_a_pipe_once_an_admin_has_a_password(up: Running, run: Run, data: Path) -> None:
    assert stop(up, signal.SIGTERM) == 0
    with psycopg.connect(**launcher.connection_of(data)) as database:
        database.execute("UPDATE account SET password = 'argon2$x' WHERE username = 'anna'")
    again = start(run.environment, "up")
    up.process = again.process  # the other tests may come later, in any order
    assert again.told["login_link"] is None
    assert again.told["url"] == f"http://127.0.0.1:{again.port}/admin/"

"""One command starts everything; a browser follows the link; Ctrl-C leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Page, sync_playwright

from gleanery.database import launcher
from gleanery.demo.evaluation import FLAGGED, JOINED, MISSED
from gleanery.demo.sites import truth
from gleanery.interfaces.cli.demonstration.tour import MOST_APPROVED
from gleanery.interfaces.cli.operations.processes import Processes
from gleanery.matching.scoring import REVIEW
from gleanery.net import ports
from tests.data_directories import environment_of, furnished
from tests.interfaces.conftest import Run, command_with, told

ROOT = Path(__file__).parents[2]
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

# One server for all tests of this file, so one process should run them.
pytestmark = [pytest.mark.xdist_group("up"), pytest.mark.long]


def free_port() -> int:
    """Away from the range of outgoing connections, and different in every process of the suite."""
    start = 20_000 + os.getpid() % 10_000
    return next(port for port in range(start, start + 1000) if ports.is_free(port))


def environment_for(data: Path) -> dict[str, str]:
    return environment_of(data, GLEANERY_PORT=str(free_port()))


@dataclass
class Running:
    process: subprocess.Popen[str]
    port: int
    told: dict[str, Any]

    def family(self) -> list[psutil.Process]:
        """All that it started, but for the database server, which is nobody's child."""
        return psutil.Process(self.process.pid).children(recursive=True)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return environment_for(tmp_path_factory.mktemp("up"))


def start(environment: dict[str, str], command: str) -> Running:
    process = subprocess.Popen(
        [sys.executable, "-m", "gleanery", command, "--json"], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = ""
    while not told.endswith("\n}\n"):
        line = process.stdout.readline()
        assert line, f"it ended with {process.wait()} before it was ready"
        told += line
    return Running(process, int(environment["GLEANERY_PORT"]), json.loads(told))


def stop(running: Running, number: int = signal.SIGINT) -> int:
    running.process.send_signal(number)
    code = running.process.wait(30)
    assert running.process.stdout is not None
    running.process.stdout.close()
    return code


@pytest.fixture(scope="module")
def once_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The other demo makes its database; this one finds it made."""
    data = tmp_path_factory.mktemp("once")
    furnished(tmp_path_factory, "ready").rename(data / "demo")
    return data


@pytest.fixture(scope="module")
def running_once(once_data: Path) -> Iterator[subprocess.Popen[str]]:
    """Begun with the other demo, since both mostly wait for the pauses between requests."""
    command = [sys.executable, "-m", "gleanery", "demo", "--once", "--json"]
    with subprocess.Popen(command, env=environment_for(once_data), stdout=subprocess.PIPE, text=True) as process:
        yield process
        if process.poll() is None:
            process.send_signal(signal.SIGINT)


@pytest.fixture(scope="module")
def once(running_once: subprocess.Popen[str]) -> dict[str, Any]:
    said, _ = running_once.communicate()
    assert running_once.returncode == 0
    told: dict[str, Any] = json.loads(said)
    return told


@pytest.fixture(scope="module")
def demo(environment: dict[str, str], running_once: subprocess.Popen[str]) -> Iterator[Running]:
    running = start(environment, "demo")
    try:
        yield running
    finally:
        if running.process.poll() is None:
            stop(running)


@pytest.fixture(scope="module")
def run(demo: Running, environment: dict[str, str]) -> Iterator[Run]:
    """The command, on what the demo has."""
    with command_with(environment | {"GLEANERY_DATA_DIR": f"{environment['GLEANERY_DATA_DIR']}/demo"}) as command:
        yield command


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    chromium = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield opened.new_page()
        opened.close()


@pytest.mark.browser
def test_the_link_that_the_demo_prints_logs_a_browser_in(demo: Running, browser: Page) -> None:
    refused: list[str] = []
    browser.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    browser.goto(demo.told["login_link"])
    assert browser.url == f"http://127.0.0.1:{demo.port}/admin/" == demo.told["url"]
    assert browser.locator("h2", has_text="Latest decisions").is_visible()
    for page in ("Users", "API keys", "Journal", "Jobs"):
        browser.get_by_role("link", name=page).first.click()
        browser.locator("#changelist").wait_for()
    one, other = demo.told["flagged_pair"]
    for place in ("review-queue?warning=duplicates", f"resolution/record/{one}/why/{other}/"):
        answer = browser.goto(f"{demo.told['url']}{place}")
        assert answer is not None
        assert answer.ok, f"the demo points at {place}"
    assert "% likely" in browser.inner_text("body")
    assert refused == [], "the content security policy must not get in the way of the console"


def test_the_demo_finds_the_truth_of_its_web(demo: Running, run: Run) -> None:
    found = told(run("domain", "list", "--most", "1000", "--json"))
    names = {each["name"] for each in found if each["processing_status"] != "blacklisted"}
    quality = {host: site["quality"] for host, site in truth()["sites"].items()}
    assert not {name for name in names if quality[name] == "spam"}
    good = {host for host, kind in quality.items() if kind == "good"}
    assert len(good & names) >= 0.9 * len(good)
    proposed = told(run("candidate", "list", "--most", "1000", "--json"))
    approved = {crawl["domain"] for crawl in demo.told["crawls"]}
    assert len(good & ({each["domain"] for each in proposed} | approved)) >= 0.85 * len(good)
    sessions = demo.told["sessions"]
    assert [session["status"] for session in sessions] == ["completed"] * 3
    for session in sessions:
        numbers = session["numbers"]
        assert numbers["returned"] == numbers["results"] + numbers["spam"] + numbers["blacklisted"] + numbers["invalid"]


def test_the_demo_crawls_what_it_approved_and_leaves_the_rest_to_the_visitor(demo: Running, run: Run) -> None:
    crawls = demo.told["crawls"]
    assert 1 <= len(crawls) <= MOST_APPROVED
    assert {(crawl["status"], crawl["reason"]) for crawl in crawls} == {("completed", "")}
    assert all(crawl["numbers"]["states"]["stored"] for crawl in crawls)
    waiting = told(run("review", "list", "--json"))
    assert len(waiting) >= 5
    assert {each["status"] for each in waiting} == {"pending"}
    assert not {each["domain"] for each in waiting} & {crawl["domain"] for crawl in crawls}


def test_the_demo_lists_what_its_pages_offer(demo: Running) -> None:
    told = demo.told["extracted"]
    assert {each["domain"] for each in told} == {crawl["domain"] for crawl in demo.told["crawls"]}
    assert {"event", "funding", "organization"} <= {kind for each in told for kind in each["kinds"]}
    assert not any(each["failures"] for each in told)


def test_the_demo_merges_observations_of_two_sites(demo: Running, run: Run) -> None:
    assert demo.told["records"]["event"] >= 5
    found = told(run("record", "list", "--kind", "event", "--containing", "Базар за плочи", "--json"))
    assert max(each["sources"] for each in found) == 2


def test_the_demo_shows_a_flagged_pair_and_why(demo: Running, run: Run) -> None:
    found = told(run("record", "why", *demo.told["flagged_pair"], "--json"))
    one, other = found["records"]
    assert one["name"] != other["name"]
    assert found["probability"] >= REVIEW


def test_the_demo_merges_and_flags_as_its_truth_says(once: dict[str, Any]) -> None:
    found = once["numbers"]["truth"]["details"]
    things = truth()["things"]
    for outcome in (JOINED, FLAGGED, MISSED):
        assert {each["id"] for each in things if each.get("expect") == outcome} <= set(found[outcome]), outcome
    assert found["wrong"] == []
    assert found["surprises"] == []
    kinds = {each["id"]: each["kind"] for each in things}
    caught = [kinds[each] for each in found[JOINED] + found[FLAGGED]]
    assert caught.count("event") >= 3
    assert caught.count("place") >= 2
    assert caught.count("organization") >= 2
    assert len(found["apart"] + found["in_vain"]) >= 3


def test_the_demo_run_once_prints_consistent_numbers(once: dict[str, Any]) -> None:
    numbers = once["numbers"]
    assert numbers["sites"] >= numbers["candidates"] >= numbers["approved"] == len(once["crawls"])
    assert numbers["observations"] >= sum(each["observations"] for each in once["extracted"]) > 0
    assert sum(numbers["records"].values()) == numbers["in_review"] + numbers["published"]
    assert min(numbers["spam"], numbers["pages"], numbers["joined"], numbers["flagged"]) > 0
    marks = numbers["truth"]
    assert marks["right"] == sum(len(marks["details"][each]) for each in (JOINED, FLAGGED, "apart"))
    assert (marks["wrong"], marks["missed"]) == (0, len(marks["details"][MISSED]))


def test_the_demo_run_once_leaves_no_database_running(once: dict[str, Any], once_data: Path) -> None:
    assert (once_data / "demo").is_dir()
    assert not [process for process in psutil.process_iter() if _serves(process, once_data)]


def test_a_second_start_on_the_same_port_says_what_to_do(demo: Running, environment: dict[str, str]) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "gleanery", "up"], env=environment, capture_output=True, text=True, check=False
    )
    assert second.returncode == 1
    assert re.match(
        rf"Error: Port {demo.port} is held by process \d+ \(.*granian.*\), so nothing was started\. Set GLEANERY_PORT",
        second.stderr,
    )


def test_it_is_ready_and_its_worker_lives(demo: Running) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{demo.port}/readyz") as answer:  # loopback
        assert json.load(answer) == {"status": "ok"}
    names = [" ".join(child.cmdline()) for child in demo.family()]
    assert any("gleanery worker" in name for name in names)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One directory for all that start and stop."""
    return furnished(tmp_path_factory, "stopped")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_no_process_is_left_behind_however_it_ends(used: Path, number: int) -> None:
    running = start(environment_for(used), "up")
    family = running.family()
    servers = [process for process in psutil.process_iter() if _serves(process, used)]
    assert len(family) >= 2
    assert servers
    assert stop(running, number) == 0
    _, alive = psutil.wait_procs([*family, *servers], timeout=30)
    assert alive == []
    assert ports.is_free(running.port)


def test_ctrl_c_during_the_start_message_ends_it_in_order() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as when it runs: other tests leave theirs
    try:
        Processes().wait(partial(signal.raise_signal, signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)


def test_killing_it_ends_its_children_and_the_last_user_stops_the_database(used: Path) -> None:
    running = start(environment_for(used), "up")
    family = running.family()
    stop(running, signal.SIGKILL)
    assert psutil.wait_procs(family, timeout=30)[1] == []
    with launcher.running(used):
        servers = [process for process in psutil.process_iter() if _serves(process, used)]
    assert psutil.wait_procs(servers, timeout=30)[1] == []


def _serves(process: psutil.Process, data: Path) -> bool:
    try:
        return process.name() == "postgres" and str(data) in process.cwd()
    except psutil.Error:
        return False


def test_the_next_start_ends_an_orphaned_web_server(used: Path) -> None:
    environment = environment_for(used)
    running = start(environment, "up")
    server = next(each for each in running.family() if "granian" in each.cmdline())
    (survivor,) = [each for each in server.children() if "granian" in each.cmdline()]
    server.suspend()  # or it would hear of the death of its parent, and end in order
    stop(running, signal.SIGKILL)
    server.kill()
    assert ports.answers(running.port)
    again = start(environment, "up")
    assert not survivor.is_running()
    with urllib.request.urlopen(f"http://127.0.0.1:{again.port}/readyz") as answer:  # loopback
        assert json.load(answer) == {"status": "ok"}
    assert stop(again) == 0

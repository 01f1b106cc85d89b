"""Discovery from the command line, as a person or a program runs it."""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from rich.cells import cell_len

from gleanery.net import ports
from tests.discovery.engines import brave, engine, searxng, sites
from tests.interfaces.conftest import ROOT, Run, told
from tests.interfaces.terminal import in_one_pipe, on_a_terminal

# One server for all tests of this file, so one process should run them.
pytestmark = [pytest.mark.xdist_group("discover"), pytest.mark.long]


def test_the_queries_of_a_topic_are_shown_without_requests(run: Run) -> None:
    added = run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "shown")
    assert "gleanery topic queries shown" in added.stdout
    queries = told(run("topic", "queries", "shown", "--json"))
    assert queries[0] == "grants for schools Bulgaria"
    assert len(queries) == len(set(queries)) == 23
    again = run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "shown")
    assert again.returncode == 1
    assert "already exists" in again.stderr


def test_the_schedule_of_a_topic_is_kept_and_a_wrong_one_refused(run: Run) -> None:
    made = ("topic", "add", "--preset", "funding", "--place", "Pleven", "--name", "nightly", "--schedule")
    assert (
        "'at noon' is not a cron expression. For every night at 3:00 write 0 3 * * *." in run(*made, "at noon").stderr
    )
    assert told(run(*made, "0 3 * * *", "--json"))["schedule"] == "0 3 * * *"
    wrong = run("topic", "schedule", "nightly", "61 3 * * *")
    assert wrong.returncode == 1
    assert "is not a cron expression" in wrong.stderr
    assert scheduled(run, "nightly") == "0 3 * * *"
    assert "nightly now runs at '30 4 * * 1' (UTC)." in run("topic", "schedule", "nightly", "30 4 * * 1").stdout
    assert scheduled(run, "nightly") == "30 4 * * 1"
    assert "now runs only when you start it" in run("topic", "schedule", "nightly", "").stdout
    assert scheduled(run, "nightly") == ""


def scheduled(run: Run, name: str) -> str:
    (topic,) = [each for each in told(run("topic", "list", "--json")) if each["name"] == name]
    return str(topic["schedule"])


def test_a_provider_that_times_out_gives_partial_success(run: Run) -> None:
    told(run("topic", "add", "--preset", "events", "--place", "Sofia", "--name", "half", "--json"))

    def good(query: str, number: int) -> tuple[int, Any]:
        return 200, searxng(sites(f"good{number}.example", "both.example"))

    def hangs(query: str, number: int) -> tuple[int, Any]:
        return (200, brave(sites(f"brave{number}.example", "both.example"))) if number < 2 else (0, None)

    with engine(good) as first, engine(hangs) as second, console(run) as read:
        settings = {
            "SEARXNG_URL": first,
            "BRAVE_API_KEY": "key",
            "GLEANERY_PROVIDER_URLS": f"brave_search={second}",
        }
        before = used_of_brave(run, settings)
        with in_one_pipe(run, "discover", "--topic", "half", "--max-queries", "3", **settings) as command:
            said, _ = command.communicate()
        assert command.returncode == 0, said
        (session,) = re.findall("^Session (.+) on half: partial_success$", said, re.MULTILINE)
        page = read(f"/admin/discovery/session/{session}/change/")
        assert used_of_brave(run, settings) == before + 5, "three questions, the last of which was asked three times"
    assert not set("\r\x1b") & set(said), "what moves a cursor is nothing for a pipe"
    bars, _, summary = said.partition(f"\nSession {session} on half: partial_success\n")
    drawn = [line for line in bars.splitlines() if line and not line.startswith("{")]  # the log, for programs
    assert [line.split()[0] for line in drawn] == ["brave_search", "searxng", "judging"]
    header, *rows = summary.splitlines()[:12]
    assert header.split() == ["brave_search", "searxng", "all"]
    printed = {name: cells.split() for name, cells in (re.split("  +", row, maxsplit=1) for row in rows[:9])}
    assert printed["queries"] == ["3", "3", "6"]
    assert printed["returned"] == printed["results"] == ["4", "6", "10"]
    assert (printed["new domains"][2], printed["duplicates"][2]) == ("6", "4")
    assert printed["spam"] == printed["blacklisted"] == printed["invalid"] == ["0", "0", "0"]
    assert printed["failures"] == ["1", "0", "1"]
    assert "\nbrave_search: " in summary
    assert "partly successful" in page
    assert {name: cells for name, cells in rows_of(page).items() if name in printed} == printed
    assert rows_of(page)[""] == ["Brave Search", "SearXNG", "all"]
    numbers = told(run("session", "show", session, "--json"))["numbers"]
    columns = [*numbers["providers"], numbers]
    assert {name: [str(each[name.replace(" ", "_")]) for each in columns] for name in printed} == printed
    assert "partial_success" in run("session", "show", session).stdout


def used_of_brave(run: Run, settings: dict[str, str]) -> int:
    """Today; and where it was used, its last error is told as well."""
    (says,) = [each["says"] for each in told(run("doctor", "--json", **settings)) if each["about"] == "providers"]
    (used,) = re.findall(r"brave_search is on, (\d+) of 50 requests used today", says)
    assert used == "0" or f"{used} of 50 requests used today; last error: " in says
    return int(used)


@contextmanager
def console(run: Run) -> Iterator[Callable[[str], str]]:
    """Pages of the console, as a browser gets them from a web server over what the command wrote."""
    port = ports.free_port()
    where = ["--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--log-level", "error"]
    command = [sys.executable, "-m", "granian", *where, "gleanery.interfaces.wsgi:application"]
    browser = build_opener(HTTPCookieProcessor())

    def read(path: str) -> str:
        with browser.open(f"http://127.0.0.1:{port}{path}") as answer:
            return str(answer.read().decode())

    with subprocess.Popen(command, cwd=ROOT, env=run.environment) as server:
        try:
            link = told(run("user", "add", "ann", "--role", "admin", "--json"))["login_link"]
            while not ports.answers(port):
                assert server.poll() is None
                time.sleep(0.05)
            read(urlsplit(link).path)
            yield read
        finally:
            server.terminate()


def rows_of(page: str) -> dict[str, list[str]]:
    """The rows of the tables on a page whose first cell is a heading."""
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in page.split("<tr")]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in cells if row}


HALF_WAY = (("brave_search", 1), ("searxng", 2))


def test_a_terminal_shows_the_progress_and_failures_of_each_provider(run: Run) -> None:
    """No engine answers the second question before the answer to the first was seen at the other one's bar as well."""
    told(run("topic", "add", "--preset", "events", "--place", "Ruse", "--name", "live", "--json"))
    seen_half_way = threading.Event()

    def good(query: str, number: int) -> tuple[int, Any]:
        assert number == 0 or seen_half_way.wait(60)
        return 200, searxng(sites(f"live{number}.example", f"alive{number}.example"))

    def breaks(query: str, number: int) -> tuple[int, Any]:
        assert number == 0 or seen_half_way.wait(60)
        bad_key = {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}
        return (422, bad_key) if number else (200, brave(sites("lively.example")))

    def watch(text: str) -> None:
        if all(re.search(rf"{name} +\S+ 1/2 0:\d\d:\d\d {found} new", text) for name, found in HALF_WAY):
            seen_half_way.set()

    with engine(good) as first, engine(breaks) as second:
        settings = {"SEARXNG_URL": first, "BRAVE_API_KEY": "key", "GLEANERY_PROVIDER_URLS": f"brave_search={second}"}
        asked = ("discover", "--topic", "live", "--max-queries", "2")
        lines = on_a_terminal(run, *asked, watch=watch, TERM="xterm-256color", **settings)
    assert seen_half_way.is_set()
    assert all(cell_len(line) <= 80 for line in lines if "gleanery " not in line)
    (summary,) = [at for at, line in enumerate(lines) if re.fullmatch("Session .+ on live: partial_success", line)]
    drawn, printed = lines[:summary], [line.split() for line in lines[summary:]]
    assert any(re.match(r"brave_search +\S+ 0/2 0:\d\d:\d\d asking", line) for line in drawn)
    assert any(re.match(r"brave_search +\S+ 2/2 0:\d\d:\d\d 1 new; ", line) for line in drawn)
    assert any(re.match(r"searxng +\S+ 2/2 0:\d\d:\d\d 4 new", line) for line in drawn)
    assert ["brave_search", "searxng", "all"] in printed
    assert ["results", "1", "4", "5"] in printed
    assert ["failures", "1", "0", "1"] in printed


def test_only_the_provider_that_is_named_is_asked(run: Run) -> None:
    told(run("topic", "add", "--preset", "events", "--place", "Burgas", "--name", "one", "--json"))
    asked: list[str] = []

    def noting(query: str, number: int) -> tuple[int, Any]:
        asked.append(query)
        return 200, searxng(sites("one.example"))

    def not_asked(query: str, number: int) -> tuple[int, Any]:
        asked.append("the other one")
        return 200, brave(sites("other.example"))

    with engine(noting) as first, engine(not_asked) as second:
        settings = {"SEARXNG_URL": first, "BRAVE_API_KEY": "key", "GLEANERY_PROVIDER_URLS": f"brave_search={second}"}
        chosen = ("--provider", "searxng", "--max-queries", "1")
        session = told(run("discover", "--topic", "one", *chosen, "--json", **settings))
    assert asked == told(run("topic", "queries", "one", "--json"))[:1]
    assert session["status"] == "completed"
    assert [each["provider"] for each in session["numbers"]["providers"]] == ["searxng"]


TEXT = "The foundation opens its yearly call for school projects; teachers may apply until March."
CASINO = "Play online casino slots with free spins and a welcome bonus, deposit now and win real money today."


def row(url: str, title: str, text: str = TEXT, **more: object) -> str:
    return json.dumps({"query": "grants", "url": url, "title": title, "description": text, **more})


def test_every_line_of_a_file_is_listed_with_its_outcome(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "results.jsonl"
    rows = [
        row("https://us-bulgaria.org/programs", "Grants", position=1),
        row("https://www.us-bulgaria.org/contact", "Contact us"),
        "",
        row("http://127.0.0.1/", "Inside", position=70),
        row("https://lucky.example/", "Casino bonus", CASINO),
        row("https://blocked.example/", "Blocked", extra=[1]),
        row("https://twice.example/", "Same position", position=1),
        "not json",
    ]
    lines.write_text("\n".join(rows))
    told(run("topic", "add", "--preset", "funding", "--place", "Varna", "--name", "file", "--json"))
    told(run("domain", "blacklist", "blocked.example", "--reason", "a test", "--json"))
    session = told(run("discover", "--topic", "file", "--file", str(lines), "--json"))
    assert session["status"] == "completed"
    listed = told(run("result", "list", "--session", session["id"], "--json"))
    outcomes = {each["title"]: each for each in listed}
    assert len(listed) == 7
    assert outcomes["Grants"]["outcome"] == "new"
    assert outcomes["Contact us"]["outcome"] == "duplicate"
    assert outcomes["Inside"]["outcome"] == "invalid"
    assert outcomes["Inside"]["reason"].startswith("Line 4: ")
    assert (outcomes["Casino bonus"]["outcome"], outcomes["Casino bonus"]["rule"]) == ("spam", "cross_category")
    assert outcomes["Blocked"]["outcome"] == "blacklisted"
    assert outcomes["Same position"]["outcome"] == "new"
    assert outcomes[""]["reason"].startswith("Line 8: ")
    assert session["numbers"]["returned"] == 7


def test_brackets_in_file_names_are_not_markup(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "rows[old].jsonl"
    lines.write_text(row("https://brackets.example/", "Grants"))
    told(run("topic", "add", "--preset", "funding", "--place", "Pernik", "--name", "brackets", "--json"))
    answer = run("discover", "--topic", "brackets", "--file", str(lines))
    assert answer.returncode == 0, answer.stderr
    assert re.search(r"^rows\[old\]\.jsonl +\S+ 1/. ", answer.stderr, re.MULTILINE)


def test_spam_can_be_rescued_and_the_rule_remembers(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "results.jsonl"
    lines.write_text(row("https://old-casino.example/", "Casino bonus", CASINO))
    told(run("topic", "add", "--preset", "funding", "--place", "Ruse", "--name", "rescue", "--json"))
    told(run("discover", "--topic", "rescue", "--file", str(lines), "--json"))
    (spam,) = [each for each in told(run("spam", "list", "--json")) if each["domain"] == "old-casino.example"]
    assert told(run("spam", "rescue", spam["id"], "--json"))["outcome"] == "new"
    assert told(run("domain", "show", "old-casino.example", "--json"))["occurrences"] == 1
    (rule,) = [each for each in told(run("spam", "rules", "--json")) if each["rule"] == "cross_category"]
    assert rule["rescued"] == 1


def test_blacklisting_many_domains_lists_the_refused_ones(run: Run) -> None:
    answer = run("domain", "blacklist", "a.example", "127.0.0.1", "--reason", "spam")
    assert answer.returncode == 1
    assert "a.example is blacklisted." in answer.stdout
    assert "127.0.0.1" in answer.stdout
    assert (
        told(run("domain", "list", "--status", "blacklisted", "--containing", "a.ex", "--json"))[0]["name"]
        == "a.example"
    )
    (lifted,) = told(run("domain", "lift", "A.EXAMPLE", "--reason", "sorry", "--json"))["done"]
    assert lifted["processing_status"] == "discovered"


def test_without_a_provider_discover_says_what_to_set(run: Run) -> None:
    told(run("topic", "add", "--preset", "services", "--place", "Sofia", "--name", "none", "--json"))
    answer = run("discover", "--topic", "none")
    assert answer.returncode == 1
    assert "No search provider is enabled. Set BRAVE_API_KEY" in answer.stderr
    assert run("discover", "--topic", "no-such-topic").returncode == 1

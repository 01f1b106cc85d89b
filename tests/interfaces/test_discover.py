"""Discovery from the command line, as a person or a program runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.discovery.engines import brave, engine, searxng, sites
from tests.interfaces.conftest import Run, told

# One server for all tests of this file, so one process should run them.
pytestmark = [pytest.mark.xdist_group("discover"), pytest.mark.long]


def test_a_topic_shows_its_queries_before_anything_is_spent(run: Run) -> None:
    added = run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "shown")
    assert "gleanery topic queries shown" in added.stdout
    queries = told(run("topic", "queries", "shown", "--json"))
    assert queries[0] == "grants for schools Bulgaria"
    assert len(queries) == len(set(queries)) == 27
    again = run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "shown")
    assert again.returncode == 1
    assert "already exists" in again.stderr


def test_the_schedule_of_a_topic_is_kept_and_a_wrong_one_refused(run: Run) -> None:
    made = ("topic", "add", "--preset", "funding", "--place", "Pleven", "--name", "nightly", "--schedule")
    assert "'at noon' is no cron text; every night at three is 0 3 * * *." in run(*made, "at noon").stderr
    assert told(run(*made, "0 3 * * *", "--json"))["schedule"] == "0 3 * * *"
    wrong = run("topic", "schedule", "nightly", "61 3 * * *")
    assert wrong.returncode == 1
    assert "is no cron text" in wrong.stderr
    assert scheduled(run, "nightly") == "0 3 * * *"
    assert "nightly runs at '30 4 * * 1' (UTC) now." in run("topic", "schedule", "nightly", "30 4 * * 1").stdout
    assert scheduled(run, "nightly") == "30 4 * * 1"
    assert "runs only when asked" in run("topic", "schedule", "nightly", "").stdout
    assert scheduled(run, "nightly") == ""


def scheduled(run: Run, name: str) -> str:
    (topic,) = [each for each in told(run("topic", "list", "--json")) if each["name"] == name]
    return str(topic["schedule"])


def test_two_providers_one_of_which_times_out_half_way_give_partial_success(run: Run) -> None:
    told(run("topic", "add", "--preset", "events", "--place", "Sofia", "--name", "half", "--json"))

    def good(query: str, number: int) -> tuple[int, Any]:
        return 200, searxng(sites(f"good{number}.example", "both.example"))

    def hangs(query: str, number: int) -> tuple[int, Any]:
        return (200, brave(sites(f"brave{number}.example", "both.example"))) if number < 2 else (0, None)

    with engine(good) as first, engine(hangs) as second:
        settings = {
            "SEARXNG_URL": first,
            "BRAVE_API_KEY": "key",
            "GLEANERY_PROVIDER_URLS": f"brave_search={second}",
        }
        answer = run("discover", "--topic", "half", "--max-queries", "3", "--json", **settings)
        run("user", "add", "ann", "--role", "admin")
        status = told(run("doctor", "--json", **settings))
    session = told(answer)
    assert session["status"] == "partial_success"
    assert session["error"].startswith("brave_search: ")
    numbers = {each["provider"]: each for each in session["numbers"]["providers"]}
    assert (numbers["searxng"]["queries"], numbers["searxng"]["results"]) == (3, 6)
    assert (numbers["brave_search"]["queries"], numbers["brave_search"]["results"]) == (3, 4)
    assert numbers["brave_search"]["failures"] == 1
    assert session["numbers"]["results"] == 10
    assert session["numbers"]["new_domains"] == 6
    (providers,) = [each["says"] for each in status if each["about"] == "providers"]
    assert "brave_search is on, 5 of 50 requests used today; last error: " in providers
    shown = run("session", "show", session["id"]).stdout
    assert "partial_success" in shown


TEXT = "The foundation opens its yearly call for school projects; teachers may apply until March."
CASINO = "Play online casino slots with free spins and a welcome bonus, deposit now and win real money today."


def row(url: str, title: str, text: str = TEXT, **more: object) -> str:
    return json.dumps({"query": "grants", "url": url, "title": title, "description": text, **more})


def test_every_line_of_a_file_is_listed_with_what_became_of_it(run: Run, tmp_path: Path) -> None:
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


def test_a_blacklist_of_many_names_what_it_could_not_do(run: Run) -> None:
    answer = run("domain", "blacklist", "a.example", "127.0.0.1", "--reason", "spam")
    assert answer.returncode == 1
    assert "a.example is blacklisted." in answer.stdout
    assert "127.0.0.1" in answer.stdout
    assert (
        told(run("domain", "list", "--status", "blacklisted", "--containing", "a.ex", "--json"))[0]["name"]
        == "a.example"
    )
    assert told(run("domain", "lift", "A.EXAMPLE", "--reason", "sorry", "--json"))["processing_status"] == "discovered"


def test_without_a_provider_discover_says_what_to_set(run: Run) -> None:
    told(run("topic", "add", "--preset", "services", "--place", "Sofia", "--name", "none", "--json"))
    answer = run("discover", "--topic", "none")
    assert answer.returncode == 1
    assert "No search provider is turned on: set BRAVE_API_KEY" in answer.stderr
    assert run("discover", "--topic", "no-such-topic").returncode == 1

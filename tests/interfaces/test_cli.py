"""The command line: sentences for people, JSON for programs, exit codes 0, 1 and 2."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gleanery import __version__
from gleanery.interfaces.cli.terminal.output import counted_kinds
from gleanery.kinds import KINDS
from tests.interfaces.conftest import Run, told
from tests.publishing.receiver import Receiver

# One server for all tests of this file, so one process should run them.
pytestmark = pytest.mark.xdist_group("cli")


def test_the_version_needs_no_database(run: Run) -> None:
    assert run.anew("--version").stdout == f"gleanery {__version__}\n"


def test_wrong_usage_is_exit_code_2(run: Run) -> None:
    assert run.anew("no-such-command").returncode == 2
    assert run.anew("user", "add", "anna", "--role", "queen").returncode == 2


def test_a_bad_setting_gives_a_sentence_and_exit_code_1(run: Run) -> None:
    answer = run.anew("user", "list", GLEANERY_PORT="high")
    assert answer.returncode == 1
    assert answer.stderr == "Error: GLEANERY_PORT cannot be 'high': set it to a whole number from 1 to 65535.\n"


def test_errors_are_json_with_the_json_option(run: Run) -> None:
    answer = run("user", "link", "nobody", "--json")
    assert answer.returncode == 1
    assert json.loads(answer.stdout)["error"] == "NotFound"


def test_every_kind_can_be_counted() -> None:
    assert counted_kinds(dict.fromkeys(KINDS, 1)).count("1 ") == len(KINDS)
    assert counted_kinds({"funding": 2, "event": 1}) == "1 event, 2 funding programmes"


ASKED_WHILE_AN_OBJECT_IS_DESTROYED = """
import signal, time
from gleanery.interfaces.cli.main import exit_on_signals

class Asked:
    def __del__(self):
        signal.raise_signal(signal.{name})

exit_on_signals()
try:
    Asked()
    time.sleep(30)
finally:
    print("left by the door")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_command_even_if_python_drops_its_exception(number: signal.Signals) -> None:
    code = ASKED_WHILE_AN_OBJECT_IS_DESTROYED.format(name=number.name)
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=25, check=False)
    assert ended.returncode == (-number if number == signal.SIGINT else 128 + number)
    assert ended.stdout == "left by the door\n"


HELD_UP = """
import signal, time
from gleanery.interfaces.cli import main

main.RETRY_LATER = 0.2
main.exit_on_signals()
try:
    try:
        signal.raise_signal(signal.SIGTERM)
    finally:
        time.sleep(30)  # waits for what does not come
finally:
    print("left by the door")
"""


def test_a_signal_is_repeated_if_cleaning_up_blocks() -> None:
    ended = subprocess.run([sys.executable, "-c", HELD_UP], capture_output=True, text=True, timeout=25, check=False)
    assert (ended.returncode, ended.stdout) == (128 + signal.SIGTERM, "left by the door\n")


SLOW_TO_END = """
import signal, time
from gleanery.interfaces.cli import main

class Last:
    def __del__(self):
        self.sleep(0.5)

last = Last()
last.sleep = time.sleep
main.RETRY_LATER = 0.1
main.exit_on_signals()
signal.raise_signal(signal.SIGTERM)
"""


def test_a_signal_ends_the_command_even_while_python_shuts_down() -> None:
    ended = subprocess.run([sys.executable, "-c", SLOW_TO_END], timeout=25, check=False)
    assert ended.returncode == 128 + signal.SIGTERM


def test_the_life_of_a_user(run: Run) -> None:
    added = told(run.anew("user", "add", "anna", "--role", "reviewer", "--json"))
    assert added["role"] == "reviewer"
    assert "/login/" in added["login_link"]
    assert told(run("user", "role", "anna", "viewer", "--json"))["role"] == "viewer"
    assert told(run("user", "deactivate", "anna", "--json"))["active"] is False
    assert told(run("user", "reactivate", "anna", "--json"))["active"] is True
    assert "/login/" in run("user", "link", "anna").stdout
    assert "anna" in run("user", "list").stdout


def test_the_life_of_a_key(run: Run) -> None:
    told(run("user", "add", "boris", "--role", "admin", "--json"))
    made = told(run("key", "add", "import", "--scope", "ingest", "--scope", "read", "--owner", "boris", "--json"))
    assert made["key"].startswith(f"glean_{made['prefix']}_")
    listed = told(run("key", "list", "--json"))
    assert [key["scopes"] for key in listed if key["prefix"] == made["prefix"]] == [["ingest", "read"]]
    assert made["key"] not in json.dumps(listed)
    assert told(run("key", "revoke", made["prefix"], "--json"))["status"] == "revoked"
    assert run("key", "revoke", made["prefix"]).returncode == 1


def test_the_life_of_a_webhook(run: Run) -> None:
    url = "http://hooks.example/changes"
    made = told(run("webhook", "add", url, "--kind", "event", "--search", "place=Sofia", "--json"))
    assert (made["kinds"], made["query"]) == (["event"], "place=Sofia")
    (listed,) = told(run("webhook", "list", "--json"))
    assert (listed["url"], "secret" in listed) == (url, False)
    with Receiver() as receiver:
        resolve = f"hooks.example=127.0.0.1:{receiver.port}"
        assert "status 204" in run("webhook", "test", made["id"][:13], GLEANERY_NET_RESOLVE=resolve).stdout
        assert receiver.take()[0].verified(made["secret"])["type"] == "webhook.test"
    refused = run("webhook", "add", "http://10.0.0.1/")
    assert (refused.returncode, "not on the public internet" in refused.stderr) == (1, True)
    assert told(run("webhook", "disable", url, "--json"))["status"] == "disabled"
    assert "from where it stopped" in run("webhook", "enable", url).stdout
    assert told(run("webhook", "remove", url, "--json"))["status"] == "removed"
    assert "no webhook" in run("webhook", "test", url).stderr


def test_doctor_reports_a_healthy_installation(run: Run) -> None:
    run("user", "add", "vera", "--role", "admin")
    findings = {each["about"]: each for each in told(run.anew("doctor", "--json"))}
    assert all(each["ok"] for each in findings.values()), findings
    assert "PostgreSQL 18" in findings["database"]["says"]
    assert "vera" in findings["admins"]["says"]


def test_followed_searches_are_listed_and_a_mailbox_is_deleted(run: Run) -> None:
    assert "Nobody follows" in run("follower", "list").stdout
    assert told(run("follower", "forget", "anna@home.example", "--json")) == {"deleted": 0}
    refused = run("follower", "forget", "anna")
    assert (refused.returncode, "no e-mail address" in refused.stderr) == (1, True)


def test_doctor_says_that_the_mail_server_does_not_answer(run: Run) -> None:
    mail = {"GLEANERY_SMTP_URL": "smtp://127.0.0.1:1", "GLEANERY_SMTP_FROM": "news@town.example"}
    answer = run("doctor", **mail)
    assert answer.returncode == 1
    assert "✗ e-mails: The mail server 127.0.0.1 cannot be reached" in answer.stdout
    assert "GLEANERY_SMTP_FROM" in run("doctor", GLEANERY_SMTP_URL="smtp://127.0.0.1:1").stdout


def test_doctor_says_what_is_wrong_and_what_to_do(run: Run, tmp_path: Path) -> None:
    answer = run("doctor", GLEANERY_PORT="0")
    assert answer.returncode == 1
    assert "✗ settings: GLEANERY_PORT cannot be '0'" in answer.stdout
    empty = run("doctor", "--json", GLEANERY_DATA_DIR=str(tmp_path / "new"))
    assert empty.returncode == 1
    (admins,) = [each for each in json.loads(empty.stdout) if each["about"] == "admins"]
    assert "gleanery user add NAME --role admin" in admins["says"]


def test_doctor_says_whether_pages_are_rendered_and_what_is_missing(run: Run) -> None:
    off = {each["about"]: each for each in json.loads(run("doctor", "--json").stdout)}
    assert off["browser"]["says"].startswith("off")
    missing = run("doctor", GLEANERY_BROWSER="/nowhere/chromium")
    assert missing.returncode == 1
    assert "✗ browser: GLEANERY_BROWSER is on, but there is no Chromium at /nowhere/chromium" in missing.stdout


def test_doctor_names_a_database_that_does_not_answer_without_its_password(run: Run) -> None:
    url = "postgresql://gleanery:tr0ub4dor@127.0.0.1:1/gleanery"
    answer = run("doctor", GLEANERY_DATABASE_URL=url)
    assert answer.returncode == 1
    assert "✗ database" in answer.stdout
    assert "tr0ub4dor" not in answer.stdout + answer.stderr


def test_net_check_shows_the_guard_and_robots_rules(run: Run) -> None:
    refused = run("net", "check", "http://127.0.0.1/")
    assert "blocked" in refused.stdout
    assert run("net", "check", "ftp://example.org/").returncode == 1
    told_to_programs = json.loads(run("net", "check", "http://127.0.0.1/", "--json").stdout)
    assert told_to_programs["addresses"][0]["address"] == "127.0.0.1"
    assert told_to_programs["allowed"] is False


def test_doctor_hints_at_what_is_missing_though_nothing_is_wrong(run: Run) -> None:
    run("user", "add", "rada", "--role", "admin")
    answer = run("doctor")
    assert answer.returncode == 0
    assert "! providers: " in answer.stdout
    assert "No search provider is on" in answer.stdout
    assert "Everything is in order" not in answer.stdout
    (providers,) = [each for each in told(run("doctor", "--json")) if each["about"] == "providers"]
    assert (providers["ok"], "gleanery discover --topic NAME --file" in providers["hint"]) == (True, True)
    on = run("doctor", BRAVE_API_KEY="key").stdout
    assert "Nothing is wrong. See 1 hint above" in on
    assert "✓ providers: " in on
    assert "No search provider" not in on

"""No secret reaches a log line."""

import json
import logging
import logging.config

import pytest
import structlog
from django.test import RequestFactory

from gleanery.logs import HIDDEN, hide_secrets, logging_settings

KEY = "glean_abcd1234_" + "x" * 40


@pytest.mark.parametrize(
    "name", ["password", "new_password", "api_key", "Authorization", "session_cookie", "TOKEN", "X-API-KEY"]
)
def test_fields_with_secret_names_are_hidden(name: str) -> None:
    assert hide_secrets(None, "info", {"event": "e", name: "hunter2"})[name] == HIDDEN


@pytest.mark.parametrize(
    "text",
    [
        f"used {KEY} twice",
        f"Authorization: Bearer {KEY}",
        "Bearer hunter2hunter2",
        "could not reach postgresql://anna:hunter2hunter2@host/db",
        "GET /login/hunter2hunter2-hunter2 200",
        "https://api.example/search?api_key=hunter2hunter2&q=1",
        "Authorization: Basic hunter2hunter2",
        "X-Subscription-Token: hunter2hunter2",
        "password = 'hunter2hunter2'",
    ],
)
def test_secrets_within_texts_are_hidden(text: str) -> None:
    nested = hide_secrets(None, "info", {"event": text, "more": {"list": [text], "password": "hunter2hunter2"}})
    assert "hunter2" not in json.dumps(nested)
    assert "x" * 40 not in json.dumps(nested)


@pytest.mark.parametrize(
    "thing",
    [
        RequestFactory().head("/login/hunter2hunter2-hunter2"),
        ValueError("postgresql://anna:hunter2@host/db"),
        b"Bearer hunter2hunter2",
        {"Bearer hunter2hunter2"},
    ],
)
def test_secrets_in_values_converted_to_text_are_hidden(thing: object) -> None:
    assert "hunter2" not in repr(hide_secrets(None, "info", {"event": "e", "thing": thing}))


def test_other_values_stay_readable() -> None:
    line = {"event": "crawled", "url": "https://example.org/login/", "pages": 3}
    assert hide_secrets(None, "info", dict(line)) == line


def test_json_logs_of_errors_contain_no_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.getLogger().handlers[:]
    try:
        logging.config.dictConfig(logging_settings(pretty=False))
        try:
            int(f"refused {KEY}")
        except ValueError:
            structlog.get_logger("test").exception("it failed", password="hunter2")
            logging.getLogger("elsewhere").exception("so did this: %s", KEY)
    finally:
        logging.getLogger().handlers[:] = before
    lines = capsys.readouterr().err.strip().splitlines()
    assert [json.loads(line)["level"] for line in lines] == ["error", "error"]
    assert "ValueError" in lines[0]
    assert "hunter2" not in "".join(lines)
    assert "xxxx" not in "".join(lines)

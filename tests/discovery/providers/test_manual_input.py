"""Files of results: good lines become hits, bad ones are reported with their number."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.discovery.hit import Hit
from gleanery.discovery.providers.manual_input import LONGEST_LINE, BadLine, read_hits
from tests import labelled


def read(content: bytes, query: str = "") -> list[Hit | BadLine]:
    return list(read_hits(io.BytesIO(content), query))


def line(**fields: Any) -> bytes:
    return json.dumps({"url": "https://example.org/", **fields}).encode() + b"\n"


def reason(content: bytes) -> str:
    [bad] = read(content)
    assert isinstance(bad, BadLine)
    assert bad.number == 1
    assert bad.reason.endswith(".")
    return bad.reason


def test_a_line_becomes_a_hit():
    given = line(query="гранты", title="T", description="D", position=3)
    assert read(given) == [Hit("гранты", "https://example.org/", "T", "D", 3)]


def test_position_and_query_may_be_missing_or_null():
    assert read(line() + line(position=None, query=None) + line(query="")) == [
        Hit("", "https://example.org/", "", "", 1),
        Hit("", "https://example.org/", "", "", 2),
        Hit("", "https://example.org/", "", "", 3),
    ]
    assert read(line(), query="results.jsonl")[0] == Hit("results.jsonl", "https://example.org/", "", "", 1)


def test_unknown_keys_are_ignored():
    assert len(read(line(label="honest", nested={"a": [1]}))) == 1


def test_empty_lines_are_only_counted():
    got = read(b"\n\n" + line() + b"  \r\n" + b"oops\n")
    assert got == [Hit("", "https://example.org/", "", "", 3), BadLine(5, "The line is not a JSON object.")]


def test_a_bad_line_does_not_affect_the_others():
    got = read(line() + b"{\n" + line() + b"[]\n" + line())
    assert [type(each).__name__ for each in got] == ["Hit", "BadLine", "Hit", "BadLine", "Hit"]
    assert [each.number for each in got if isinstance(each, BadLine)] == [2, 4]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\n\n\n"])
def test_the_last_line_may_end_in_any_way(ending: bytes):
    assert len(read(line().strip() + ending)) == 1


def test_a_byte_order_mark_is_not_part_of_the_line():
    assert len([hit for hit in read(b"\xef\xbb\xbf" + line() + line()) if isinstance(hit, Hit)]) == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_reported_once(encoding: str):
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    assert "UTF-8" in reason(mark + (line() * 100).decode().encode(encoding))


def test_a_line_in_another_encoding_is_reported():
    assert (
        reason('{"url": "https://example.org/", "title": "Фондация"}'.encode("cp1251")) == "The line is not in UTF-8."
    )


@pytest.mark.parametrize(
    "content",
    [b"null", b"7", b'"text"', b"[]", b"{", b"url,title", b"\x00", b"[" * 100_000, b'{"url": ' + b"9" * 9999 + b"}"],
)
def test_a_line_without_a_json_object_is_reported(content: bytes):
    assert reason(content) == "The line is not a JSON object."


@pytest.mark.parametrize("url", [None, "", "  "])
def test_a_line_without_an_address_is_reported(url: Any):
    assert reason(line(url=url)) == "`url` is missing."


@pytest.mark.parametrize("name", ["query", "url", "title", "description"])
@pytest.mark.parametrize("value", [True, [], {}, ["x"], {"a": 1}])
def test_a_field_that_is_not_text_is_reported(name: str, value: Any):
    assert reason(line(**{name: value})) == f"`{name}` is not text."


def test_a_number_as_title_is_its_digits():
    assert read(line(title=2026))[0] == Hit("", "https://example.org/", "2026", "", 1)


@pytest.mark.parametrize("position", [0, -1, 1.5, 1.0, "3", True, False, [], 2**31, 10**30])
def test_an_invalid_position_is_reported(position: Any):
    assert reason(line(position=position)).startswith("`position` is not a whole number")


def test_nul_and_broken_characters_stay_until_the_hit_is_cleaned():
    assert read(line(title="a\x00b\ud800"))[0] == Hit("", "https://example.org/", "a\x00b\ud800", "", 1)


@pytest.mark.parametrize("extra", [1, 2, LONGEST_LINE, LONGEST_LINE + 1, LONGEST_LINE + 2])
def test_an_overlong_line_is_reported_and_the_next_is_read(extra: int):
    got = read(b"x" * (LONGEST_LINE + extra) + b"\n" + line())
    assert got == [BadLine(1, "The line is longer than 1 MiB."), Hit("", "https://example.org/", "", "", 2)]


def test_a_line_of_exactly_the_limit_is_read():
    start = b'{"url": "https://example.org/", "title": "'
    whole = start + b"x" * (LONGEST_LINE - len(start) - 2) + b'"}'
    assert len(whole) == LONGEST_LINE
    for ending in (b"", b"\n"):
        assert isinstance(read(whole + ending)[0], Hit)


def test_a_file_without_line_breaks_is_not_held_in_memory(tmp_path: Path):
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    tracemalloc.start()
    with path.open("rb") as file:
        got = list(read_hits(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert got == [BadLine(1, "The line is longer than 1 MiB.")]
    assert peak < 10 * 1024 * 1024


def test_the_labelled_results_are_all_read():
    content = labelled.text("choose", "spam_results.jsonl") + labelled.text("held_out", "spam_results.jsonl")
    with io.BytesIO(content.encode()) as file:
        got = list(read_hits(file))
    assert len(got) == 710
    assert all(isinstance(each, Hit) and each.query for each in got)


@given(st.lists(st.binary() | st.text().map(str.encode), max_size=5))
def test_any_bytes_give_hits_or_bad_lines(lines: list[bytes]):
    content = b"\n".join(lines)
    assert len(read(content)) <= content.count(b"\n") + 1

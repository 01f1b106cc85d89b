"""Settings from environment variables; invalid values are reported with what to set."""

from dataclasses import fields
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.environment import Environment, read
from gleanery.errors import BadSetting

NAMES = [each.metadata["name"] for each in fields(Environment)]


def test_defaults_apply_without_settings() -> None:
    found = read({})
    assert found.port == 8000
    assert found.preview_pages == 10
    assert found.confidence_threshold == Decimal("0.60")
    assert found.near_duplicate_threshold == Decimal("0.4")
    assert (found.place_review_threshold, found.place_auto_merge_threshold) == (Decimal("0.6"), Decimal("0.95"))
    assert (found.org_review_threshold, found.org_auto_merge_threshold) == (Decimal("0.6"), Decimal("0.95"))
    assert found.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_variable_counts_as_unset(name: str) -> None:
    assert read({name: "  "}) == read({})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("GLEANERY_PORT", "99999", "from 1 to 65535"),
        ("GLEANERY_PORT", "eight", "whole number"),
        ("GLEANERY_PORT", "٨٠٨٠", "whole number"),
        ("GLEANERY_PREVIEW_PAGES", "-1", "from 0 to 100"),
        ("GLEANERY_CONFIDENCE_THRESHOLD", "1.01", "from 0 to 1"),
        ("GLEANERY_CONFIDENCE_THRESHOLD", "nan", "from 0 to 1"),
        ("DEDUP_NEAR_DUPLICATE_THRESHOLD", "-0.1", "from 0 to 1"),
        ("GLEANERY_DATABASE_URL", "mysql://host/name", "postgresql://"),
        ("GLEANERY_DATABASE_URL", "postgresql://host:99999/name", "postgresql://"),
        ("GLEANERY_NET_RESOLVE", "example.org", "example.org=127.0.0.1:8080"),
        ("GLEANERY_NET_RESOLVE", "example.org=localhost:80", "example.org=127.0.0.1:8080"),
        ("SEARXNG_URL", "localhost:8080", "http://"),
        ("SEARXNG_URL", "http://[bad", "http://"),
        ("SEARXNG_URL", "http://host:99999", "http://"),
        ("GLEANERY_DATA_DIR", "~nosuchuser/x", "existing user"),
        ("GLEANERY_ALLOWED_HOSTS", "https://x.org/", "without scheme"),
        ("GLEANERY_TRUSTED_SUFFIXES", "gov bg", "gov,gov.bg"),
        ("GLEANERY_NET_RESOLVE", "=127.0.0.1:80", "example.org=127.0.0.1:8080"),
        ("GLEANERY_LLM_BASE_URL", "file:///etc", "http://"),
        ("GLEANERY_BROWSER", "chromium", "on, off, or the whole path"),
    ],
)
def test_an_invalid_value_is_reported_with_what_to_set(name: str, value: str, says: str) -> None:
    with pytest.raises(BadSetting) as problem:
        read({name: value})
    assert name in str(problem.value)
    assert says in str(problem.value)


@pytest.mark.parametrize("kind", ["PLACE", "ORG"])
def test_an_auto_merge_threshold_below_review_is_refused(kind: str) -> None:
    with pytest.raises(BadSetting, match=f"DEDUP_{kind}_AUTO_MERGE_THRESHOLD .* at least 0.8"):
        read({f"DEDUP_{kind}_REVIEW_THRESHOLD": "0.8", f"DEDUP_{kind}_AUTO_MERGE_THRESHOLD": "0.7"})


def test_fixed_addresses_are_read_for_both_families() -> None:
    found = read({"GLEANERY_NET_RESOLVE": "Example.org=127.0.0.1:8080, b.example=[::1]:81"})
    assert found.net_resolve == {"example.org": ("127.0.0.1", 8080), "b.example": ("::1", 81)}


def test_a_relative_data_directory_is_made_absolute() -> None:
    assert read({"GLEANERY_DATA_DIR": "here"}).data_dir == Path.cwd() / "here"


def test_secrets_are_not_printed_in_errors() -> None:
    hidden = "postgresql://anna:tr0ub4dor@host/name"
    assert "tr0ub4dor" not in repr(read({"GLEANERY_DATABASE_URL": hidden, "BRAVE_API_KEY": "tr0ub4dor"}))
    with pytest.raises(BadSetting) as problem:
        read({"GLEANERY_DATABASE_URL": "mysql://anna:tr0ub4dor@host/name"})
    assert "tr0ub4dor" not in str(problem.value)


@given(st.sampled_from(NAMES), st.text())
def test_any_value_is_accepted_or_gives_a_setting_error(name: str, value: str) -> None:
    try:
        read({name: value})
    except BadSetting as problem:
        assert name in str(problem)  # noqa: PT017  # the sentence must name the variable

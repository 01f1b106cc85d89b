"""The key that signs sessions."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from gleanery.environment import read
from gleanery.errors import BadSetting
from gleanery.secret import secret_key


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    environment = read({"GLEANERY_DATA_DIR": str(tmp_path / "data")})
    key = secret_key(environment)
    assert len(key) > 50
    assert secret_key(environment) == key
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "data") == ["secret_key"]


def test_leftovers_of_a_kill_and_an_empty_file_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / f"secret_key.{os.getpid()}").write_text("half")
    (tmp_path / "secret_key").write_text("")
    assert len(secret_key(read({"GLEANERY_DATA_DIR": str(tmp_path)}))) > 50


def test_the_operators_key_counts_before_all(tmp_path: Path) -> None:
    environment = replace(read({"GLEANERY_DATA_DIR": str(tmp_path)}), secret_key="theirs")
    assert secret_key(environment) == "theirs"
    assert os.listdir(tmp_path) == []


def test_a_directory_that_cannot_be_used_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="set GLEANERY_DATA_DIR"):
        secret_key(read({"GLEANERY_DATA_DIR": str(tmp_path / "file" / "below")}))

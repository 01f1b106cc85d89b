"""Secret key for sessions."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from gleanery.environment import read
from gleanery.errors import BadSetting
from gleanery.secret import secret_key


def test_a_key_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    environment = read({"GLEANERY_DATA_DIR": str(tmp_path / "data")})
    key = secret_key(environment)
    assert len(key) > 50
    assert secret_key(environment) == key
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "data") == ["secret_key"]


def test_leftovers_of_a_killed_process_and_an_empty_file_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / f"secret_key.{os.getpid()}").write_text("half")
    (tmp_path / "secret_key").write_text("")
    assert len(secret_key(read({"GLEANERY_DATA_DIR": str(tmp_path)}))) > 50


def test_the_key_of_the_operator_takes_precedence(tmp_path: Path) -> None:
    environment = replace(read({"GLEANERY_DATA_DIR": str(tmp_path)}), secret_key="theirs")
    assert secret_key(environment) == "theirs"
    assert os.listdir(tmp_path) == []


def test_an_unusable_directory_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="Set GLEANERY_DATA_DIR"):
        secret_key(read({"GLEANERY_DATA_DIR": str(tmp_path / "file" / "below")}))

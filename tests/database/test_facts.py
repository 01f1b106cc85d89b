"""The doctor can look at the server at any time and changes nothing by looking."""

from __future__ import annotations

from pathlib import Path

import psutil

from gleanery.database import launcher
from gleanery.database.facts import facts


def test_before_the_first_start_there_is_nothing_and_nothing_is_made(data_dir: Path) -> None:
    found = facts(data_dir)
    assert (found.made_by, found.running, found.pid, found.bytes_on_disk) == (None, False, None, 0)
    assert found.version.startswith("18.")
    assert found.data_directory == data_dir / "postgres" / "data"
    assert not data_dir.exists()


def test_a_running_server_is_described(data_dir: Path) -> None:
    with launcher.running(data_dir):
        found = facts(data_dir)
        assert psutil.Process(found.pid).username() == found.user != "root"
    assert found.running
    assert found.made_by == "18"
    assert found.bytes_on_disk > 10_000_000
    assert not facts(data_dir).running

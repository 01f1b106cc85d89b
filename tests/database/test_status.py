"""The status of the server can be read at any time, without changing anything."""

from __future__ import annotations

from pathlib import Path

import psutil

from gleanery.database import launcher
from gleanery.database.status import server_status


def test_before_the_first_start_nothing_exists_and_nothing_is_created(data_dir: Path) -> None:
    found = server_status(data_dir)
    assert (found.made_by, found.running, found.pid, found.bytes_on_disk) == (None, False, None, 0)
    assert found.version.startswith("18.")
    assert found.data_directory == data_dir / "postgres" / "data"
    assert not data_dir.exists()


def test_a_running_server_is_described(data_dir: Path) -> None:
    with launcher.running(data_dir):
        found = server_status(data_dir)
        assert psutil.Process(found.pid).username() == found.user != "root"
    assert found.running
    assert found.made_by == "18"
    assert found.bytes_on_disk > 10_000_000
    assert not server_status(data_dir).running

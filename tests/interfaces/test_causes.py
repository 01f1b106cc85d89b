"""Causes of possible duplicates on the command line."""

from __future__ import annotations

import pytest

from tests.interfaces.conftest import Run, told


@pytest.mark.xdist_group("import")
def test_the_command_lists_causes_and_refuses_contradictory_options(run: Run) -> None:
    assert told(run("review", "causes", "--json")) == []
    assert "No possible duplicates have a common cause." in run("review", "causes").stdout
    assert run("review", "together", "nonsense", "--merge").returncode == 1
    assert run("review", "together", "nonsense", "--merge", "--keep-separate").returncode == 2

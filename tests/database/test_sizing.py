"""The memory that the server takes for its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from gleanery.database import sizing


@pytest.mark.parametrize(("told", "wanted"), [("2147483648\n", "512MB"), ("67108864\n", "128MB")])
def test_a_container_with_a_limit_gives_a_quarter_of_it_and_never_less_than_postgresql_wants(
    tmp_path: Path, told: str, wanted: str
) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text(told)
    assert sizing.shared_buffers(limit) == wanted


def test_without_a_limit_the_machine_itself_is_asked(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    unlimited = sizing.shared_buffers(limit)
    limit.write_text("max\n")
    assert sizing.shared_buffers(limit) == unlimited
    assert 128 <= int(unlimited.removesuffix("MB")) <= 4096

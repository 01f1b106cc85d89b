"""The server's memory and log size."""

from __future__ import annotations

from pathlib import Path

import pytest

from gleanery.database import sizing


@pytest.mark.parametrize(
    ("memory", "pages", "log"),
    [(8 << 30, 2048, 2048), (2 << 30, 512, 1024), (64 << 20, 128, 1024), (1 << 50, 4096, 4096)],
)
def test_the_server_gets_a_quarter_of_a_containers_memory_and_never_less_than_the_default(
    tmp_path: Path, memory: int, pages: int, log: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 1 << 25)  # 2^50 bytes: so the container is what limits
    limit = tmp_path / "memory.max"
    limit.write_text(f"{memory}\n")
    assert sizing.settings(limit) == (f"shared_buffers={pages}MB", f"max_wal_size={log}MB", "jit=off")


def test_without_a_limit_the_memory_of_the_machine_counts(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    unlimited = sizing.settings(limit)
    limit.write_text("max\n")
    assert sizing.settings(limit) == unlimited
    pages = unlimited[0].removeprefix("shared_buffers=").removesuffix("MB")
    assert 128 <= int(pages) <= 4096

"""Fixtures for network tests: a canary, and a DNS server that resolves the vectors' names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .canary import Canary
from .scripted_dns import ScriptedDns, scripted_dns
from .vectors import NAMES


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    made = Canary()
    yield made
    made.close()


@pytest.fixture(scope="module")
def dns() -> Iterator[ScriptedDns]:
    with scripted_dns(NAMES) as server:
        yield server

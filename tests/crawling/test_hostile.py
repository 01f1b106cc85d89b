"""The hostile test site does what its traps promise."""

import socket
import time
import zlib
from collections.abc import Callable, Iterator

import brotli
import pytest

from tests.crawling.hostile import ELSEWHERE, GOOD, HOST, TRAPS, WORDY, Hostile, good_text
from tests.crawling.transfer_traps import MIB, brotli_bomb, gzip_bomb

# These go on for as long as one listens.
WITHOUT_END = {"/wire/endless", "/wire/drip", "/wire/drip-head", "/wire/silent", "/wire/early-hints"}


@pytest.fixture(scope="module")
def hostile() -> Iterator[Hostile]:
    with Hostile() as running:
        yield running


def raw(site: Hostile, path: str, host: str = HOST, seconds: float = 10, most: int = 60_000_000) -> bytes:
    """Return the bytes of a response, until it ends, the time is over or there are enough."""
    heard = bytearray()
    until = time.monotonic() + seconds
    with socket.create_connection(("127.0.0.1", site.port), timeout=1) as caller:
        caller.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        while time.monotonic() < until and len(heard) < most:
            try:
                piece = caller.recv(MIB)
            except (TimeoutError, ConnectionResetError):
                break
            if not piece:
                break
            heard += piece
    return bytes(heard)


def wait_for(happened: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def test_the_homepage_leads_to_every_trap_and_to_honest_pages(hostile: Hostile) -> None:
    home = raw(hostile, "/").decode()
    for path in (*GOOD[:5], *(trap.path for trap in TRAPS.values() if trap.linked)):
        assert f'href="{path}"' in home
    for path in GOOD:
        assert good_text(path) in raw(hostile, path).decode()


@pytest.mark.parametrize("path", sorted(set(TRAPS) - WITHOUT_END))
def test_every_trap_responds(hostile: Hostile, path: str) -> None:
    raw(hostile, path)
    wait_for(lambda: any(each.path == path for each in hostile.requests_of(HOST)))


def test_the_endless_ones_do_not_end(hostile: Hostile) -> None:
    assert len(raw(hostile, "/wire/endless", most=20 * MIB)) >= 20 * MIB
    assert 0 < len(raw(hostile, "/wire/drip", seconds=1)) < 200


def test_the_bombs_are_small_and_hold_a_gibibyte() -> None:
    assert len(gzip_bomb()) < 2 * MIB
    assert len(brotli_bomb()) < 10_000
    inflater, size = zlib.decompressobj(zlib.MAX_WBITS | 16), 0
    rest = gzip_bomb()
    while not inflater.eof:
        size += len(inflater.decompress(rest, MIB))
        rest = inflater.unconsumed_tail
    assert size == 1024 * MIB
    assert len(brotli.decompress(brotli_bomb(64))) == 64 * MIB


def test_robots_of_the_wordy_site_has_50_mb(hostile: Hostile) -> None:
    assert len(raw(hostile, "/robots.txt", WORDY)) > 50_000_000


def test_a_visit_to_the_canary_is_logged(hostile: Hostile) -> None:
    home = raw(hostile, "/redirect/canary").decode()
    port = int(home.partition("Location: http://127.0.0.1:")[2].partition("/")[0])
    before = len(hostile.canary_visits())
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    wait_for(lambda: len(hostile.canary_visits()) > before)


def test_requests_to_another_host_are_logged(hostile: Hostile) -> None:
    raw(hostile, "/", ELSEWHERE)
    wait_for(lambda: bool(hostile.requests_of(ELSEWHERE)))

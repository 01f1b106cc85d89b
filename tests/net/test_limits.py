"""Size and time are limited, and an interrupted response never passes for a short one."""

from __future__ import annotations

import asyncio
import gc
import socket
import struct
import time
import weakref
import zlib

import brotli
import pytest

from gleanery.errors import FetchError, FetchProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request, Response

from .servers import Handler, Heard, Writer, answer, environment, says, says_and_closes, site

PAGE = b"<p>page</p>" * 5_000


def gzipped(data: bytes, wbits: int = 31) -> bytes:
    engine = zlib.compressobj(wbits=wbits)
    return engine.compress(data) + engine.flush()


def fetch(handler: Handler, **request: object) -> Response:
    async def run() -> Response:
        async with site(handler) as www, Client(environment(www=www)) as client:
            return await client.fetch(Request(url="http://www.test/", **request))  # type: ignore[arg-type]

    return asyncio.run(run())


def failure(handler: Handler, **request: object) -> FetchProblem:
    with pytest.raises(FetchError) as caught:
        fetch(handler, **request)
    return caught.value.kind


def chunked(*chunks: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzipped(PAGE)),
        ("GZIP", gzipped(PAGE)),
        ("x-gzip", gzipped(PAGE)),
        ("gzip", gzipped(PAGE[:100]) + gzipped(PAGE[100:])),
        ("gzip", gzipped(PAGE) + b"\0" * 512),
        ("deflate", gzipped(PAGE, 15)),
        ("deflate", gzipped(PAGE, -15)),
        ("br", brotli.compress(PAGE)),
        ("identity", PAGE),
        ("gzip, identity", gzipped(PAGE)),
        ("", PAGE),
    ],
)
@pytest.mark.parametrize("bite", [1, 1000, 10**9])
def test_every_offered_encoding_is_decoded(encoding: str, body: bytes, bite: int):
    pieces = [body[start : start + bite] for start in range(0, len(body), bite)][:3_000]
    pieces.append(body[3_000 * bite :])
    said = chunked(*filter(None, pieces), b"").replace(b"\r\n", f"\r\nContent-Encoding: {encoding}\r\n".encode(), 1)
    assert fetch(says(said)).body == PAGE


def test_exactly_the_supported_encodings_are_offered():
    async def run() -> str:
        async with site(says(answer())) as www, Client(environment(www=www)) as client:
            await client.fetch(Request(url="http://www.test/"))
            return www.heard[0].headers["accept-encoding"]

    assert asyncio.run(run()) == "gzip, deflate, br"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip, gzip", gzipped(gzipped(PAGE))),
        ("gzip,br", gzipped(PAGE)),
        ("zstd", b"\x28\xb5\x2f\xfd" + PAGE),
        ("compress", PAGE),
        ("gzip", PAGE),
        ("deflate", b"\xff" * 100),
        ("br", b"\xff" * 100),
        ("gzip", gzipped(PAGE)[:-10]),
        ("deflate", gzipped(PAGE, 15)[:-10]),
        ("deflate", gzipped(PAGE, -15)[:-10]),
        ("br", brotli.compress(PAGE)[:-10]),
        ("gzip", gzipped(b"") * 100),
    ],
)
def test_a_wrong_interrupted_or_repeated_encoding_is_a_bad_response(encoding: str, body: bytes):
    assert failure(says(answer(200, body, f"Content-Encoding: {encoding}"))) is FetchProblem.BAD_RESPONSE


def test_two_content_encoding_headers_count_as_layers():
    said = answer(200, gzipped(gzipped(PAGE)), "Content-Encoding: gzip", "Content-Encoding: gzip")
    assert failure(says(said)) is FetchProblem.BAD_RESPONSE


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
def test_an_encoded_empty_body_is_empty(encoding: str):
    assert fetch(says(answer(200, b"", f"Content-Encoding: {encoding}"))).body == b""


def test_the_largest_body_fits_and_one_byte_more_does_not():
    assert len(fetch(says(answer(200, b"x" * 1000)), largest=1000).body) == 1000
    assert failure(says(answer(200, b"x" * 1001)), largest=1000) is FetchProblem.TOO_LARGE
    assert len(fetch(says(chunked(b"x" * 1000, b"")), largest=1000).body) == 1000
    assert failure(says(chunked(b"x" * 1001, b"")), largest=1000) is FetchProblem.TOO_LARGE
    squeezed = gzipped(b"x" * 100_001)
    assert failure(says(answer(200, squeezed, "Content-Encoding: gzip")), largest=100_000) is FetchProblem.TOO_LARGE


def test_a_partly_read_body_is_freed_with_its_error_without_garbage_collection():
    async def failed() -> weakref.ref[FetchError]:
        async with site(says(chunked(b"x" * 1001, b""))) as www, Client(environment(www=www)) as client:
            try:
                await client.fetch(Request(url="http://www.test/", largest=1000))
            except FetchError as problem:
                return weakref.ref(problem)
        raise AssertionError("it did not fail")

    gc.disable()
    try:
        assert asyncio.run(failed())() is None
    finally:
        gc.enable()


def test_a_body_announced_as_too_large_is_not_read():
    said = b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"
    assert failure(says(said), largest=1000, deadline=5) is FetchProblem.TOO_LARGE


def test_a_body_may_be_cut_instead():
    assert fetch(says(answer(200, b"abc" * 1000)), largest=10, cut=True).body == b"abcabcabca"
    squeezed = answer(200, gzipped(b"abc" * 100_000), "Content-Encoding: gzip")
    assert fetch(says(squeezed), largest=10, cut=True).body == b"abcabcabca"


def test_the_default_limit_is_ten_mebibytes():
    async def endless(heard: Heard, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 65_536)
            await writer.drain()

    assert failure(endless) is FetchProblem.TOO_LARGE
    assert len(fetch(says(answer(200, b"x" * 10 * 1024 * 1024))).body) == 10 * 1024 * 1024


def test_input_without_output_counts_too():
    engine = zlib.compressobj(wbits=31)
    empty = engine.flush(zlib.Z_SYNC_FLUSH) + b"\0\0\0\xff\xff" * 10_000
    said = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99999999\r\n\r\n"

    async def endless(heard: Heard, writer: Writer) -> None:
        writer.write(said.replace(b"Content-Length: 99999999\r\n", b"") + empty)
        while True:
            writer.write(b"\0\0\0\xff\xff" * 10_000)
            await writer.drain()

    assert failure(endless, largest=1_000_000) is FetchProblem.TOO_LARGE


async def never(heard: Heard, writer: Writer) -> None:
    await asyncio.sleep(60)


def dripping(head: bytes, drop: bytes, pause: float) -> Handler:
    async def handler(heard: Heard, writer: Writer) -> None:
        writer.write(head)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(pause)

    return handler


ENDLESS = {
    "silent": never,
    "dripping body": dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"x", 0.1),
    "dripping length": dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b"x", 0.1),
    "dripping headers": dripping(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n", 0.1),
    "dripping first line": dripping(b"HTTP/1.1 200 ", b"O", 0.1),
    "endless 100": dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.001),
    "endless redirects that drip": dripping(b"HTTP/1.1 302 F\r\n", b"X-A: b\r\n", 0.1),
    "dripping trailers": dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X-A: b\r\n", 0.1),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_slow_server_is_given_up_at_the_deadline(name: str):
    started = time.monotonic()
    assert failure(ENDLESS[name], deadline=0.5) is FetchProblem.TIMEOUT
    assert time.monotonic() - started < 20  # without the deadline it never ends


def test_the_deadline_covers_all_redirects_together():
    async def slow(heard: Heard, writer: Writer) -> None:
        await asyncio.sleep(0.2)
        writer.write(answer(302, b"", "Location: /"))

    started = time.monotonic()
    assert failure(slow, deadline=0.5) is FetchProblem.TIMEOUT
    assert time.monotonic() - started < 20  # without the deadline it never ends


def test_the_deadline_covers_the_lookup():
    async def run() -> FetchProblem:
        async with Client(environment(), lookup=lambda host: asyncio.sleep(60)) as client:
            with pytest.raises(FetchError) as caught:
                await client.fetch(Request(url="http://slow.test/", deadline=0.3))
            return caught.value.kind

    assert asyncio.run(run()) is FetchProblem.TIMEOUT


FLOODS = {
    "many headers": dripping(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n" * 1000, 0),
    "one long header": dripping(b"HTTP/1.1 200 OK\r\nX-A: ", b"b" * 10_000, 0),
    "one long name": dripping(b"HTTP/1.1 200 OK\r\n", b"b" * 10_000, 0),
    "a long first line": dripping(b"HTTP/1.1 200 ", b"O" * 10_000, 0),
    "long trailers": dripping(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X-A: " + b"b" * 1000 + b"\r\n", 0
    ),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_headers_is_cut_off_before_the_deadline(name: str):
    assert failure(FLOODS[name], deadline=10) in {FetchProblem.BAD_RESPONSE, FetchProblem.RESET}


def test_a_long_but_honest_header_is_read():
    policy = "Content-Security-Policy: " + "a" * 16_000
    assert len(fetch(says(answer(200, b"", policy))).headers["content-security-policy"]) == 16_000


def resetting(data: bytes) -> Handler:
    async def handler(heard: Heard, writer: Writer) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return handler


BROKEN = {
    "reset before anything": resetting(b""),
    "reset in the headers": resetting(b"HTTP/1.1 200 OK\r\nContent-"),
    "reset in the body": resetting(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
    "reset in a chunk": resetting(chunked(b"abc")[:-3]),
    "reset without a length": resetting(b"HTTP/1.1 200 OK\r\n\r\nabc"),
    "closed before anything": says_and_closes(b""),
    "closed in the headers": says_and_closes(b"HTTP/1.1 200 OK\r\nContent-"),
    "closed in the body": says_and_closes(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
    "closed before the last chunk": says_and_closes(chunked(b"abc")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_interrupted_response_is_an_error(name: str):
    assert failure(BROKEN[name], deadline=5) in {FetchProblem.RESET, FetchProblem.BAD_RESPONSE}


def test_a_body_that_ends_with_the_connection_is_whole():
    assert fetch(says_and_closes(b"HTTP/1.1 200 OK\r\n\r\nabc")).body == b"abc"


def test_more_than_the_announced_length_is_a_bad_response():
    said = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"
    assert failure(says_and_closes(said)) is FetchProblem.BAD_RESPONSE

"""Traps in transfer: timing, size, headers, encoding, abrupt ends."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import zlib
from functools import cache

import brotli

from tests.crawling.serving import Asked, Writer, answer
from tests.crawling.traps import Body, at, bytes_at, html, page_at

MIB = 1024 * 1024
# What calls itself endless ends all the same if nobody hangs up.
ENOUGH = 2 * 1024 * MIB
PATIENCE = 300
OPEN_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


@cache
def gzip_bomb(mebibytes: int = 1024) -> bytes:
    """Return a valid gzip of this size: one compressed MiB of blanks, repeated."""
    blanks = b" " * MIB
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = squeezer.compress(blanks) + squeezer.flush(zlib.Z_FULL_FLUSH)
    check = 0
    for _ in range(mebibytes):
        check = zlib.crc32(blanks, check)
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    return head + block * mebibytes + squeezer.flush() + struct.pack("<II", check, mebibytes * MIB)


@cache
def brotli_bomb(mebibytes: int = 1024) -> bytes:
    squeezer = brotli.Compressor(quality=5)
    blanks = b" " * (16 * MIB)
    return b"".join(squeezer.process(blanks) for _ in range(mebibytes // 16)) + squeezer.finish()


@at("/wire/endless", "a body without end")
async def endless(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"\r\n")
    for _ in range(ENOUGH // MIB):
        writer.write(b"<p>and on it goes</p>\n" * (MIB // 22))
        await writer.drain()
    writer.close()


@at("/wire/drip", "one byte a second")
async def drip(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"Content-Length: 100000\r\n\r\n")
    for _ in range(PATIENCE):
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(1)
    writer.close()


@at("/wire/drip-head", "headers at one byte a second")
async def drip_head(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"X-Long: ")
    for _ in range(PATIENCE):
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(1)
    writer.close()


@at("/wire/silent", "no answer at all")
async def silent(asked: Asked, writer: Writer) -> None:
    await asyncio.sleep(PATIENCE)
    writer.close()


@at("/wire/early-hints", "interim answers without end")
async def early_hints(asked: Asked, writer: Writer) -> None:
    asked.status = 103
    for _ in range(PATIENCE * 10):
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.1)
    writer.close()


@at("/wire/header-flood", "a hundred thousand headers")
async def header_flood(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"".join(b"X-%d: flood\r\n" % n for n in range(100_000)) + b"\r\nnever read")
    await writer.drain()
    writer.close()


@at("/wire/header-giant", "one header of 5 MB")
async def header_giant(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"X-Giant: " + b"g" * 5_000_000 + b"\r\n\r\nnever read")
    await writer.drain()
    writer.close()


@at("/wire/reset", "the connection is reset in the body")
async def reset(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"Content-Length: 100000\r\n\r\n<p>half a ")
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@at("/wire/long-length", "Content-Length promises more than comes")
async def long_length(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"Content-Length: 5000\r\n\r\n<p>a hundred bytes at most</p>")
    await writer.drain()
    writer.close()


@at("/wire/short-length", "Content-Length promises less than comes")
async def short_length(asked: Asked, writer: Writer) -> None:
    asked.status = 200
    writer.write(OPEN_HEAD + b"Content-Length: 100\r\n\r\n" + b"<p>five thousand bytes</p>" * 200)
    await writer.drain()
    writer.close()


@at("/wire/garbage", "an answer that is not HTTP")
async def garbage(asked: Asked, writer: Writer) -> None:
    writer.write(bytes(range(256)) * 64)
    await writer.drain()
    writer.close()


@at("/wire/no-content", "204 with a body")
async def no_content(asked: Asked, writer: Writer) -> None:
    asked.status = 204
    writer.write(answer(204, b"<p>there should be none</p>"))
    await writer.drain()
    writer.close()


def encoded(path: str, what: str, body: Body, encoding: str) -> None:
    page_at(path, what, body, f"Content-Encoding: {encoding}")


encoded("/wire/gzip-bomb", "1 GiB in a gzip of 1 MB", gzip_bomb, "gzip")
encoded("/wire/brotli-bomb", "1 GiB in a brotli of a few kB", brotli_bomb, "br")
encoded("/wire/double-gzip", "a gzip in a gzip, declared", gzip.compress(gzip.compress(b"<p>twice</p>")), "gzip, gzip")
encoded("/wire/not-gzip", "says gzip and is plain", b"<p>plain</p>", "gzip")
encoded("/wire/cut-brotli", "a brotli that breaks off", brotli.compress(b"<p>some text</p>" * 900)[:30], "br")
encoded("/wire/odd-encoding", "an encoding that nobody knows", b"<p>plain</p>", "x-homemade")

bytes_at("/wire/status-999", "status 999", answer(999, b"<p>go away</p>"))
bytes_at("/wire/status-304", "304 to a question without conditions", b"HTTP/1.1 304 Not Modified\r\n\r\n")
bytes_at("/wire/status-500", "an error of the server", answer(500, b"<p>sorry</p>"))
bytes_at("/wire/status-404", "a page that is gone", answer(404, b"<p>not here</p>"))
bytes_at("/wire/empty", "200 with nothing in it", answer(200))
bytes_at("/wire/later", "429 and Retry-After of 31 years", answer(429, b"later", "Retry-After: 999999999"))
bytes_at("/wire/much-later", "503 and Retry-After in words", answer(503, b"later", "Retry-After: next year"))

SMALL = html("<p>small</p>")
page_at("/wire/cookies", "a flood of cookies", SMALL, *(f"Set-Cookie: c{n}={'v' * 200}" for n in range(60)))
page_at("/wire/future", "changed in the future", SMALL, "Last-Modified: Fri, 01 Jan 2100 00:00:00 GMT", text="small")
page_at("/wire/long-tag", "an ETag of 20 kB", SMALL, f'ETag: "{"t" * 20_000}"', text="small")
page_at("/wire/odd-tag", "an ETag of raw bytes", SMALL, 'ETag: "\xff\xfe\x80"', text="small")
page_at("/wire/long-type", "a Content-Type of 5 kB", SMALL, kind=f"text/html; x={'y' * 5000}", text="small")
page_at("/wire/no-type", "a Content-Type that is no type", SMALL, kind="///;;;")

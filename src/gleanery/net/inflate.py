"""Decompresses a response body in small pieces, so that a decompression bomb is noticed early."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Protocol

import brotli  # type: ignore[import-untyped]
from multidict import CIMultiDictProxy

PIECE = 64 * 1024
SPOKEN = "gzip, deflate, br"
PLAIN = frozenset({"", "identity", "none", "utf-8"})

GZIP_MARK = b"\x1f"

# A gzip body may have several members; thousands of empty ones only waste time.
MEMBERS = 64


class MalformedError(ValueError):
    """The body does not match its Content-Encoding."""


class Inflater(Protocol):
    def feed(self, data: bytes) -> Iterable[bytes]: ...
    def finish(self) -> None: ...


def inflater(headers: CIMultiDictProxy[str]) -> Inflater:
    """Return the decoder for the Content-Encoding; several layers are refused, as no honest site sends them."""
    if "Content-Encoding" not in headers:
        return Plain()
    value = ",".join(headers.getall("Content-Encoding")).lower()
    names = [name for each in value.split(",") if (name := each.strip()) not in PLAIN]
    if not names:
        return Plain()
    if len(names) > 1 or names[0] not in MAKERS:
        raise MalformedError(f"encoded as {', '.join(names)}")
    return MAKERS[names[0]]()


class Plain:
    def feed(self, data: bytes) -> Iterable[bytes]:
        return (data,)

    def finish(self) -> None:
        """Do nothing: HTTP itself shows whether the body is complete."""


class Gzip:
    def __init__(self) -> None:
        self._engine = self._member()
        self._members = 1

    def _member(self) -> zlib._Decompress:
        return zlib.decompressobj(zlib.MAX_WBITS | 16)

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), PIECE):
            yield from self._feed(data[start : start + PIECE])

    def _feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._engine.eof and not self._next_member(data):
                return
            yield from drain(self._engine, data)
            data = self._engine.unused_data

    def _next_member(self, data: bytes) -> bool:
        """Begin the next gzip member, if any; other bytes are padding and are ignored."""
        if not data.startswith(GZIP_MARK):
            return False
        self._members += 1
        if self._members > MEMBERS:
            raise MalformedError("too many gzip members")
        self._engine = self._member()
        return True

    def finish(self) -> None:
        if not self._engine.eof:
            raise MalformedError("ends in the middle")


class Deflate:
    """Decodes "deflate", which servers send as zlib data (the standard) or as raw deflate data."""

    def __init__(self) -> None:
        self._engine: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._engine is None:
            is_zlib = data[0] & 0x0F == zlib.DEFLATED
            self._engine = zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
        if not self._engine.eof:
            yield from drain(self._engine, data)

    def finish(self) -> None:
        if self._engine is None or not self._engine.eof:
            raise MalformedError("ends in the middle")


class Brotli:
    def __init__(self) -> None:
        self._engine = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            if not self._engine.is_finished():
                yield self._engine.process(data, output_buffer_limit=PIECE)
            while not self._engine.can_accept_more_data():
                yield self._engine.process(b"", output_buffer_limit=PIECE)
        except brotli.error as problem:
            raise MalformedError(str(problem)) from None

    def finish(self) -> None:
        if not self._engine.is_finished():
            raise MalformedError("ends in the middle")


MAKERS: dict[str, type[Gzip] | type[Deflate] | type[Brotli]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
}


def drain(engine: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield all output; a full piece may leave more in the engine after all input is used."""
    try:
        while True:
            piece = engine.decompress(data, PIECE)
            yield piece
            data = engine.unconsumed_tail
            if engine.eof or (not data and len(piece) < PIECE):
                return
    except zlib.error as problem:
        raise MalformedError(str(problem)) from None

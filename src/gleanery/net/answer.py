"""Reads a response from aiohttp: clean headers, and a decoded body within the size limit."""

from __future__ import annotations

import asyncio
from io import BytesIO

from aiohttp import ClientResponse, StreamReader
from multidict import CIMultiDict, CIMultiDictProxy

from gleanery.errors import FetchProblem
from gleanery.net.inflate import Inflater, MalformedError, inflater
from gleanery.net.problem import refuse


async def read_body(answer: ClientResponse, largest: int, cut: bool) -> bytes:
    """Return the whole body, or its first `largest` bytes if it may be cut."""
    announced = answer.content_length
    if announced is not None and announced > largest and not cut:
        raise refuse(FetchProblem.TOO_LARGE)
    parting = parting_of(answer) if announced is None else None
    try:
        body, is_whole = await read_upto(answer.content, inflater(answer.headers), largest)
    except MalformedError:
        raise refuse(FetchProblem.BAD_RESPONSE) from None
    if not (is_whole or cut):
        raise refuse(FetchProblem.TOO_LARGE)
    if parting is not None and parting.done() and parting.exception():
        raise refuse(FetchProblem.RESET)
    return body


async def read_upto(stream: StreamReader, decoder: Inflater, largest: int) -> tuple[bytes, bool]:
    """Read up to the limit; return the body and whether it is whole.

    Compressed input counts too, since endless empty blocks would produce no output.
    """
    # A list of one-byte pieces would take forty times their size; the buffer is returned without a copy.
    body = BytesIO()
    received = 0
    while chunk := await stream.readany():
        received += len(chunk)
        for piece in decoder.feed(chunk):
            body.write(piece)
            if body.tell() > largest:
                body.truncate(largest)
                return body.getvalue(), False
        if received > largest:
            return body.getvalue(), False
    if received:
        decoder.finish()
    return body.getvalue(), True


def parting_of(answer: ClientResponse) -> asyncio.Future[None] | None:
    """Return a future for the end of the connection, if only that ends the body: aiohttp treats a reset as the end."""
    if "Transfer-Encoding" in answer.headers or answer.connection is None or answer.connection.protocol is None:
        return None
    parting = answer.connection.protocol.closed
    if parting is not None:
        parting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return parting


def clean_headers(answer: ClientResponse) -> CIMultiDictProxy[str]:
    """Replace lone surrogates in headers, which stand for bytes that are not UTF-8 and cannot be stored."""
    if "".join(answer.headers.values()).isascii():
        return answer.headers
    return CIMultiDictProxy(CIMultiDict((name, clean(value)) for name, value in answer.headers.items()))


def clean(value: str) -> str:
    raw = value.encode("utf-8", "surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")

"""Reads an answer from aiohttp: headers as clean text, the body decoded and never larger than allowed."""

from __future__ import annotations

import asyncio
import re

from aiohttp import ClientResponse
from multidict import CIMultiDict, CIMultiDictProxy

from gleanery.errors import FetchProblem
from gleanery.net.inflate import MalformedError, inflater
from gleanery.net.problem import refuse

CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)


async def read_body(answer: ClientResponse, largest: int, cut: bool) -> bytes:
    if not cut and (answer.content_length or 0) > largest:
        raise refuse(FetchProblem.TOO_LARGE)
    parting = parting_of(answer)
    try:
        body, is_whole = await read_upto(answer, largest)
    except MalformedError:
        raise refuse(FetchProblem.BAD_RESPONSE) from None
    if not (is_whole or cut):
        raise refuse(FetchProblem.TOO_LARGE)
    if parting is not None and parting.done() and parting.exception():
        raise refuse(FetchProblem.RESET)
    del body[largest:]
    return bytes(body)


def parting_of(answer: ClientResponse) -> asyncio.Future[None] | None:
    """How the connection ended, for a body that has no other end: aiohttp takes a reset for the end as well."""
    if answer.content_length is not None or "Transfer-Encoding" in answer.headers:
        return None
    if answer.connection is None or answer.connection.protocol is None:
        return None
    parting = answer.connection.protocol.closed
    if parting is not None:
        parting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return parting


async def read_upto(answer: ClientResponse, largest: int) -> tuple[bytearray, bool]:
    """Stops at the first piece past the limit. Input counts too: empty blocks could come for ever and give nothing."""
    decoder = inflater(answer.headers.getall("Content-Encoding", []))
    body = bytearray()
    received = 0
    while chunk := await answer.content.readany():
        received += len(chunk)
        for piece in decoder.feed(chunk):
            body += piece
            if len(body) > largest:
                return body, False
        if received > largest:
            return body, False
    if received:
        decoder.finish()
    return body, True


def clean_headers(answer: ClientResponse) -> CIMultiDictProxy[str]:
    """Bytes that are not UTF-8 arrive as lone surrogates, which no database takes."""
    if all(value.isascii() for value in answer.headers.values()):
        return answer.headers
    return CIMultiDictProxy(CIMultiDict((name, clean(value)) for name, value in answer.headers.items()))


def clean(value: str) -> str:
    raw = value.encode("utf-8", "surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def charset_of(answer: ClientResponse) -> str | None:
    found = CHARSET.search(answer.headers.get("Content-Type", ""))
    return found[1] if found else None

"""Lets a library that speaks httpx reach a language model through the one client, with its guard and its limits."""

from __future__ import annotations

import logging

import httpx2

from gleanery.errors import FetchError
from gleanery.net.client import Client
from gleanery.net.exchange import Request

# It tells of every request, which disturbs whoever watches a progress bar.
logging.getLogger("httpx2").setLevel(logging.WARNING)

DEADLINE = 90.0
LARGEST = 2 * 1024 * 1024
# What describes the connection or the packed body is no longer true of what we hand on.
HOP_BY_HOP = frozenset({"connection", "content-encoding", "content-length", "host", "keep-alive", "transfer-encoding"})
# Set by the client itself, for all requests alike.
OURS = HOP_BY_HOP | {"accept-encoding", "user-agent"}


class ThroughClient(httpx2.AsyncBaseTransport):
    """`operator` says that the address is the operator's own, and may be private; the client checks that it is."""

    def __init__(self, client: Client, *, operator: bool) -> None:
        self._client = client
        self._operator = operator

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = Request(
            url=str(request.url),
            method="POST" if request.method == "POST" else "GET",
            headers={name: value for name, value in request.headers.items() if name.lower() not in OURS},
            body=await request.aread() or None,
            deadline=DEADLINE,
            largest=LARGEST,
            operator=self._operator,
            follow=False,
        )
        try:
            answer = await self._client.fetch(asked)
        except FetchError as problem:
            raise httpx2.ConnectError(str(problem), request=request) from None
        headers = [(name, value) for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP]
        return httpx2.Response(answer.status, headers=headers, content=answer.body, request=request)


def model_client(client: Client, *, operator: bool) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=ThroughClient(client, operator=operator), trust_env=False)

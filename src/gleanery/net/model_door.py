"""An httpx transport over our client, so that libraries reach a language model with its guard and limits."""

from __future__ import annotations

import logging

import httpx2

from gleanery.errors import FetchError
from gleanery.net.client import Client
from gleanery.net.exchange import Request

# It logs every request, which would break progress bars.
logging.getLogger("httpx2").setLevel(logging.WARNING)

DEADLINE = 90.0
LARGEST = 2 * 1024 * 1024
# Headers about the connection or the compressed body, which no longer apply to the decoded response.
HOP_BY_HOP = frozenset({"connection", "content-encoding", "content-length", "host", "keep-alive", "transfer-encoding"})
# Headers that the client sets itself.
OURS = HOP_BY_HOP | {"accept-encoding", "user-agent"}


class ThroughClient(httpx2.AsyncBaseTransport):
    """Sends httpx requests through our client; `operator` allows a private address that the environment names."""

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

"""Sends a request to a provider and returns its JSON response, or raises ProviderFailure with the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from gleanery.discovery.providers.retry_after import requested_wait
from gleanery.errors import FetchError, FetchProblem, ProviderFailure, ProviderProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request

LARGEST = 4 * 1024 * 1024  # twenty results are about 50 kB, with long page texts 1 MB

# The vendor's own messages are never shown, since some repeat the key.
SENTENCES = {
    ProviderProblem.AUTH: "{} does not accept the key. Set a valid one.",
    ProviderProblem.RATE_LIMIT: "{} received too many requests and asks us to wait.",
    ProviderProblem.QUOTA: "The plan with {} is used up. Wait for the next period, or buy more.",
    ProviderProblem.TIMEOUT: "{} did not respond in time.",
    ProviderProblem.NETWORK: "{} could not be reached.",
    ProviderProblem.BAD_RESPONSE: "{} sent a response that cannot be used.",
}

STATUSES = {
    401: ProviderProblem.AUTH,
    402: ProviderProblem.QUOTA,
    403: ProviderProblem.AUTH,
    408: ProviderProblem.TIMEOUT,
    429: ProviderProblem.RATE_LIMIT,
    504: ProviderProblem.TIMEOUT,
}

COMPLAINTS = ("error", "detail", "message")  # fields with error messages
FINAL = frozenset({ProviderProblem.AUTH, ProviderProblem.QUOTA})

# Network problem -> kind of failure, and whether a retry may help.
LOST = {
    FetchProblem.TIMEOUT: (ProviderProblem.TIMEOUT, True),
    FetchProblem.DNS: (ProviderProblem.NETWORK, True),
    FetchProblem.CONNECT: (ProviderProblem.NETWORK, True),
    FetchProblem.RESET: (ProviderProblem.NETWORK, True),
    FetchProblem.TLS: (ProviderProblem.NETWORK, False),
    FetchProblem.BLOCKED_ADDRESS: (ProviderProblem.NETWORK, False),
}


@dataclass(frozen=True, slots=True)
class ProviderResponse:
    """A response; `data` is the parsed JSON, None if the body is not JSON."""

    vendor: str
    status: int
    headers: Mapping[str, str]
    data: Any

    def table(self, *names: str) -> dict[str, Any]:
        """Return the object at this path, {} if there is none."""
        found = self.data
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    def results(self, name: str) -> list[Any] | None:
        """Return the list with this name; None if the response is a failure, even one with status 200."""
        body = self.table()
        found = body.get(name)
        if self.status != HTTPStatus.OK or not isinstance(found, list):
            return None
        return None if not found and any(body.get(word) for word in COMPLAINTS) else found

    def failure(
        self, kind: ProviderProblem | None = None, sentence: str = "", *, also_retry: frozenset[int] = frozenset()
    ) -> ProviderFailure:
        """Return the failure for this response, by its status unless the adapter gives a kind."""
        kind = kind or STATUSES.get(self.status, ProviderProblem.BAD_RESPONSE)
        passing = self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status in also_retry
        return ProviderFailure(
            kind,
            sentence or self._sentence(kind),
            retry_after=requested_wait(self.headers),
            worth_retrying=kind is ProviderProblem.RATE_LIMIT or (passing and kind not in FINAL),
        )

    def _sentence(self, kind: ProviderProblem) -> str:
        if kind is ProviderProblem.BAD_RESPONSE and self.status != HTTPStatus.OK:
            return f"{self.vendor} responded with status {self.status} instead of results."
        return SENTENCES[kind].format(self.vendor)


async def fetch(client: Client, request: Request, vendor: str) -> ProviderResponse:
    try:
        response = await client.fetch(request)
    except FetchError as problem:
        kind, passing = LOST.get(problem.kind, (ProviderProblem.BAD_RESPONSE, False))
        sentence = f"{SENTENCES[kind].format(vendor)} {problem}"
        raise ProviderFailure(kind, sentence, worth_retrying=passing) from None
    return ProviderResponse(vendor, response.status, response.headers, parsed(response.body))


def parsed(body: bytes | str) -> Any:
    """Return the parsed JSON; None if it is invalid, too deep or has overlong numbers. Control characters pass."""
    try:
        return json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None

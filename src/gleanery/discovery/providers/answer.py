"""From one request to an answer: JSON as it came, or a ProviderFailure that says why there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from gleanery.discovery.providers.waiting import wished_wait
from gleanery.errors import FetchError, FetchProblem, ProviderFailure, ProviderProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request

LARGEST = 4 * 1024 * 1024  # twenty results are some 50 kB; twenty with long page text, 1 MB

# The vendor's own words are never repeated: some of them echo the key.
SENTENCES = {
    ProviderProblem.AUTH: "{} does not accept the key: set a valid one.",
    ProviderProblem.RATE_LIMIT: "{} is asked too often and wants us to wait.",
    ProviderProblem.QUOTA: "The plan with {} is used up: wait for the next period, or buy more.",
    ProviderProblem.TIMEOUT: "{} did not answer in time.",
    ProviderProblem.NETWORK: "{} could not be reached.",
    ProviderProblem.BAD_RESPONSE: "{} gave an answer that cannot be used.",
}

STATUSES = {
    401: ProviderProblem.AUTH,
    402: ProviderProblem.QUOTA,
    403: ProviderProblem.AUTH,
    408: ProviderProblem.TIMEOUT,
    429: ProviderProblem.RATE_LIMIT,
    504: ProviderProblem.TIMEOUT,
}

COMPLAINTS = ("error", "detail", "message")  # where a vendor says what went wrong
FINAL = frozenset({ProviderProblem.AUTH, ProviderProblem.QUOTA})

# What the client met on the way -> the kind, and whether another try may do.
LOST = {
    FetchProblem.TIMEOUT: (ProviderProblem.TIMEOUT, True),
    FetchProblem.DNS: (ProviderProblem.NETWORK, True),
    FetchProblem.CONNECT: (ProviderProblem.NETWORK, True),
    FetchProblem.RESET: (ProviderProblem.NETWORK, True),
    FetchProblem.TLS: (ProviderProblem.NETWORK, False),
    FetchProblem.BLOCKED_ADDRESS: (ProviderProblem.NETWORK, False),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """`data` is what the JSON says, None where the body is none."""

    vendor: str
    status: int
    headers: Mapping[str, str]
    data: Any

    def table(self, *names: str) -> dict[str, Any]:
        """The object at this path; an empty one where there is none."""
        found = self.data
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    def results(self, name: str) -> list[Any] | None:
        """The list of this name. None where the answer is a failure, be it one that comes with status 200."""
        body = self.table()
        found = body.get(name)
        if self.status != HTTPStatus.OK or not isinstance(found, list):
            return None
        return None if not found and any(body.get(word) for word in COMPLAINTS) else found

    def failure(
        self, kind: ProviderProblem | None = None, sentence: str = "", *, also_retry: frozenset[int] = frozenset()
    ) -> ProviderFailure:
        """What this answer means, as its status has it or as the adapter knows better."""
        told = kind or STATUSES.get(self.status, ProviderProblem.BAD_RESPONSE)
        passing = self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status in also_retry
        return ProviderFailure(
            told,
            sentence or self._sentence(told),
            retry_after=wished_wait(self.headers),
            worth_retrying=told is ProviderProblem.RATE_LIMIT or (passing and told not in FINAL),
        )

    def _sentence(self, kind: ProviderProblem) -> str:
        if kind is ProviderProblem.BAD_RESPONSE and self.status != HTTPStatus.OK:
            return f"{self.vendor} answered with status {self.status} instead of results."
        return SENTENCES[kind].format(self.vendor)


async def fetch(client: Client, request: Request, vendor: str) -> Answer:
    try:
        response = await client.fetch(request)
    except FetchError as problem:
        kind, passing = LOST.get(problem.kind, (ProviderProblem.BAD_RESPONSE, False))
        sentence = f"{SENTENCES[kind].format(vendor)} {problem}"
        raise ProviderFailure(kind, sentence, worth_retrying=passing) from None
    return Answer(vendor, response.status, response.headers, parsed(response.body))


def parsed(body: bytes | str) -> Any:
    """None for what is no JSON, or too deep, or holds a number of thousands of digits. Raw control characters pass."""
    try:
        return json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None

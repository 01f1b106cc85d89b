"""Sends messages, all at once, through the one guarded client; nothing is read or written here but the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from gleanery.errors import FetchError
from gleanery.net.client import Client
from gleanery.net.exchange import Request
from gleanery.publishing.webhooks.models import Delivery
from gleanery.publishing.webhooks.signing import headers

SECONDS = 15.0
MOST_READ = 16 * 1024  # of an answer that nobody looks at
SUCCESS = range(200, 300)


class Answer(NamedTuple):
    """Answer of a receiver: a status, or none and the reason."""

    status: int
    sentence: str

    @property
    def arrived(self) -> bool:
        return self.status in SUCCESS

    @property
    def is_gone(self) -> bool:
        """The receiver says that nobody wants this any more."""
        return self.status == HTTPStatus.GONE


def send(deliveries: Sequence[Delivery]) -> list[Answer]:
    """Return an answer for each; a slow receiver costs the others no more than its deadline."""
    return asyncio.run(_send(deliveries))


async def _send(deliveries: Sequence[Delivery]) -> list[Answer]:
    async with Client(settings.ENVIRONMENT) as client:
        return await asyncio.gather(*(_post(client, each) for each in deliveries))


async def _post(client: Client, delivery: Delivery) -> Answer:
    """To no private address, and along no redirect: the client sees to the one, `follow` to the other."""
    body = delivery.body.encode()
    request = Request(
        url=delivery.webhook.url,
        method="POST",
        headers=headers(delivery.webhook.secret, delivery.message_id, timezone.now(), body),
        body=body,
        deadline=SECONDS,
        largest=MOST_READ,
        cut=True,
        follow=False,
        trial=True,
    )
    try:
        answer = await client.fetch(request)
    except FetchError as problem:
        return Answer(0, str(problem))
    return Answer(answer.status, f"It answered with status {answer.status}.")

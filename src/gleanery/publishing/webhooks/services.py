"""Use cases of webhooks: an admin adds one, tries it, switches it off and on, removes it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, FetchError, Invalid, NotFound
from gleanery.kinds import KINDS
from gleanery.net.guard import refusal
from gleanery.net.target import web_target
from gleanery.publishing.api.query import filters_of_address
from gleanery.publishing.changes import feed
from gleanery.publishing.webhooks.delivering import note, settle
from gleanery.publishing.webhooks.life import WEBHOOK
from gleanery.publishing.webhooks.messages import test_message
from gleanery.publishing.webhooks.models import LONGEST_URL, Delivery, Webhook
from gleanery.publishing.webhooks.sending import send
from gleanery.publishing.webhooks.signing import new_secret
from gleanery.roles import Role

MOST = 50
LONGEST_QUERY = 1_000


@transaction.atomic
def add(actor: Actor, url: str, kinds: Collection[str] = (), query: str = "") -> tuple[Webhook, str]:
    """Return the webhook and its secret, which is shown this once. It is sent what changes from now on."""
    actor.must_be(Role.ADMIN, "add a webhook")
    if Webhook.objects.exclude(status="removed").count() >= MOST:
        raise Invalid(f"There are {MOST} webhooks already: remove one first.")
    webhook = Webhook.objects.create(
        url=_address(url), kinds=_kinds(kinds), query=_search(query), secret=new_secret(), position=feed.stand().last
    )
    after = {"kinds": webhook.kinds, "query": webhook.query}
    journal.write(actor, "create", webhook, after={name: value for name, value in after.items() if value})
    return webhook, webhook.secret


def find(webhook_id: UUID) -> Webhook:
    found = Webhook.objects.exclude(status="removed").filter(pk=webhook_id).first()
    if found is None:
        raise NotFound("There is no such webhook; `gleanery webhook list` shows which there are.")
    return found


def find_delivery(webhook: Webhook, delivery_id: UUID) -> Delivery:
    found = Delivery.objects.select_related("webhook").filter(webhook=webhook, pk=delivery_id).first()
    if found is None:
        raise NotFound("There is no such delivery of this webhook; they are kept for 30 days.")
    return found


def disable(actor: Actor, webhook: Webhook, reason: str = "") -> Webhook:
    return journal.move(webhook, WEBHOOK, "disable", actor, reason=reason, status_reason=reason)


def enable(actor: Actor, webhook: Webhook) -> Webhook:
    """It goes on where it stopped; what waits is sent at once."""
    if not webhook.secret:
        raise Conflict("This webhook came from a backup without secrets: remove it and add it again.")
    fresh: dict[str, Any] = {"failures": 0, "failing_since": None, "due_at": Now(), "status_reason": ""}
    return journal.move(webhook, WEBHOOK, "enable", actor, **fresh)


def remove(actor: Actor, webhook: Webhook, reason: str = "") -> Webhook:
    return journal.move(webhook, WEBHOOK, "remove", actor, reason=reason, secret="")


def test(actor: Actor, webhook: Webhook) -> Delivery:
    """Send a message that says only that it is a test, now, and say what came back."""
    actor.must_be(Role.ADMIN, "test a webhook")
    return _sent(test_message(_with_secret(webhook)))


def resend(actor: Actor, delivery: Delivery) -> Delivery:
    """Send it once more, now, under the same id."""
    actor.must_be(Role.ADMIN, "resend what was delivered")
    _with_secret(delivery.webhook)
    return _sent(delivery)


def _sent(delivery: Delivery) -> Delivery:
    """Only a message that waits says something about its receiver's health."""
    (answer,) = send([delivery])
    (settle if delivery.outcome == "pending" else note)(delivery, answer)
    delivery.refresh_from_db()
    return delivery


def _with_secret(webhook: Webhook) -> Webhook:
    if not webhook.secret:
        raise Conflict("This webhook has no secret any more: add it again.")
    return webhook


def _address(url: str) -> str:
    """Refuse at once what the guard would refuse later, where somebody reads the reason."""
    try:
        target = web_target(url.strip()[: LONGEST_URL + 1])
    except FetchError as problem:
        raise Invalid(f"{problem} Give the address of the receiver, such as https://example.org/hook.") from None
    if len(target.url) > LONGEST_URL:
        raise Invalid(f"The address is longer than {LONGEST_URL} characters.")
    if target.is_literal and refusal(target.host.strip("[]")):
        raise Invalid("This address is not on the public internet, so nothing is sent to it.")
    return target.url


def _kinds(given: Collection[str]) -> Sequence[str]:
    if unknown := sorted(set(given) - set(KINDS)):
        raise Invalid(f"{unknown[0][:100]} is no kind of record; these are: {', '.join(KINDS)}.")
    return [kind for kind in KINDS if kind in given]


def _search(query: str) -> str:
    if len(query) > LONGEST_QUERY:
        raise Invalid(f"The search is longer than {LONGEST_QUERY} characters.")
    return filters_of_address(query).address() if query.strip() else ""

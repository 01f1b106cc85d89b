"""Webhooks over a real server: what is sent, to whom, signed how, and what follows from each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from standardwebhooks.webhooks import WebhookVerificationError

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.errors import Conflict, GleaneryError, Invalid, NotAllowed
from gleanery.publishing.webhooks import delivering, health, messages, services, signing
from gleanery.publishing.webhooks.models import Delivery, Webhook
from gleanery.publishing.webhooks.patience import GIVEN_UP_AFTER, PAUSES, pause_after
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from gleanery.roles import Role, Scope
from tests.publishing.receiver import Message, Receiver, receiving
from tests.resolution.shop import JAZZ, record_of, tell

pytestmark = pytest.mark.django_db
URL = "http://hooks.example/changes"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving(settings) as receiver:
        yield receiver


@pytest.fixture
def webhook(admin: Actor) -> Webhook:
    return services.add(admin, URL)[0]


def jazz(number: int = 1, **more: Any) -> Record:
    return record_of(tell("a", "event", str(number), **(JAZZ | more)))


def delivered(receiver: Receiver) -> list[Message]:
    delivering.deliver()
    return receiver.take()


def due() -> None:
    """The pause after a failure is over."""
    Webhook.objects.update(due_at=Now() - timedelta(seconds=1))


def test_changes_since_it_was_added_arrive_signed(receiver: Receiver, admin: Actor) -> None:
    jazz(1, name="Before")
    webhook, secret = services.add(admin, URL)
    record = jazz(2, name="After", phone="+359 88 123 4567")
    (message,) = delivered(receiver)
    assert message.verified(secret)["type"] == "records.changed"
    assert message.path == "/changes"
    (change,) = (each for each in message.changes if each["record"] == str(record.pk))
    assert (change["change"], change["data"]["name"]) == ("created", "After")
    assert b"4567" not in message.body
    with pytest.raises(WebhookVerificationError):
        message.verified(signing.new_secret())
    assert delivered(receiver) == [], "once is enough"
    assert Delivery.objects.get(webhook=webhook).outcome == "delivered"


def test_only_what_it_wants_is_sent_and_all_that_leaves(receiver: Receiver, admin: Actor) -> None:
    services.add(admin, URL, ["event"], "/search?place=Sofia")
    here = jazz(1)
    jazz(2, name="Tango", locality="Varna", venue_name="Casino")
    (message,) = delivered(receiver)
    assert [each["record"] for each in message.changes] == [str(here.pk)]
    resolution.delete(admin, here, "asked for")
    (message,) = delivered(receiver)
    assert [(each["change"], each["data"]) for each in message.changes] == [("deleted", None)]


def test_a_long_backlog_comes_in_order_in_several_messages(
    receiver: Receiver, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "A_MESSAGE", 2)
    for number in range(3):
        jazz(number, name=f"Evening {number}")
    found = delivered(receiver)
    numbers = [each["number"] for message in found for each in message.changes]
    assert numbers == sorted(numbers)
    assert len(numbers) == 4
    assert len({message.id for message in found}) == len(found) == 2


def test_what_fails_is_tried_again_later_under_the_same_id(receiver: Receiver, webhook: Webhook) -> None:
    receiver.status = 503
    jazz()
    (first,) = delivered(receiver)
    jazz(2, name="Tango")
    assert delivered(receiver) == [], "not at once"
    due()
    (second,) = delivered(receiver)
    assert (second.id, second.body) == (first.id, first.body)
    receiver.status = 200
    due()
    third, following = delivered(receiver)
    assert (third.id, following.changes[-1]["data"]["name"]) == (first.id, "Tango")
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since) == (0, None)


def test_pauses_grow_and_the_last_one_repeats() -> None:
    assert [pause_after(count) for count in range(1, len(PAUSES) + 1)] == list(PAUSES)
    assert pause_after(1_000) == PAUSES[-1] > PAUSES[0]


def test_a_receiver_that_fails_for_days_is_given_up_and_goes_on_where_it_stopped(
    receiver: Receiver, webhook: Webhook, admin: Actor
) -> None:
    receiver.status = 500
    jazz()
    (lost,) = delivered(receiver)
    assert "is tried again" in health.report()
    Webhook.objects.update(failing_since=F("failing_since") - GIVEN_UP_AFTER)
    due()
    delivered(receiver)
    webhook.refresh_from_db()
    assert webhook.status == "failed"
    assert JournalEntry.objects.filter(action="give_up", subject_id=str(webhook.pk)).exists()
    with pytest.raises(GleaneryError, match="gets nothing any more"):
        health.report()
    due()
    assert delivered(receiver) == []
    receiver.status = 200
    services.enable(admin, webhook)
    assert [message.id for message in delivered(receiver)] == [lost.id]
    assert "all well" in health.report()


def test_a_search_that_is_no_longer_understood_keeps_nobody_waiting(
    receiver: Receiver, webhook: Webhook, admin: Actor
) -> None:
    services.add(admin, "http://other.example/hook")
    Webhook.objects.filter(pk=webhook.pk).update(query="colour=red")
    jazz()
    assert [message.path for message in delivered(receiver)] == ["/hook"]
    webhook.refresh_from_db()
    assert (webhook.status, "colour" in webhook.status_reason) == ("failed", True)


def test_a_receiver_that_is_gone_is_given_up_at_once(receiver: Receiver, webhook: Webhook) -> None:
    receiver.status = 410
    jazz()
    delivered(receiver)
    webhook.refresh_from_db()
    assert (webhook.status, "gone" in webhook.status_reason) == ("failed", True)


def test_a_redirect_is_not_followed(receiver: Receiver, webhook: Webhook) -> None:
    receiver.status, receiver.location = 307, "http://other.example/elsewhere"
    jazz()
    assert [message.path for message in delivered(receiver)] == ["/changes"]
    webhook.refresh_from_db()
    assert webhook.failures == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x",
        "http://[::1]/",
        "http://169.254.169.254/latest",
        "http://10.0.0.1/",
        "http://2130706433/",
        "ftp://hooks.example/",
        "http://a:b@hooks.example/",
        "http://hooks.example:8080/",
        "javascript:alert(1)",
        "http://hooks.example/" + "x" * 3_000,
        "",
    ],
)
def test_an_address_that_may_not_be_reached_is_refused_at_once(admin: Actor, url: str) -> None:
    with pytest.raises(Invalid):
        services.add(admin, url)


def test_a_name_that_leads_to_a_private_address_is_sent_nothing(receiver: Receiver, admin: Actor) -> None:
    webhook, _ = services.add(admin, "http://localhost/hook")
    found = services.test(admin, webhook)
    assert (found.outcome, receiver.messages) == ("failed", [])
    assert "not on the public internet" in found.answer


@pytest.mark.parametrize(("kinds", "query"), [(["car"], ""), ([], "colour=red"), ([], "kind=car")])
def test_a_filter_that_means_nothing_is_refused(admin: Actor, kinds: list[str], query: str) -> None:
    with pytest.raises(Invalid):
        services.add(admin, URL, kinds, query)


def test_a_test_says_at_once_what_came_back_and_holds_up_nothing(
    receiver: Receiver, webhook: Webhook, admin: Actor
) -> None:
    receiver.status = 500
    found = services.test(admin, webhook)
    assert (found.outcome, found.answer) == ("failed", "It answered with status 500.")
    receiver.status = 200
    assert services.test(admin, webhook).outcome == "delivered"
    assert [message.verified(webhook.secret)["type"] for message in receiver.take()] == ["webhook.test"] * 2
    jazz()
    assert len(delivered(receiver)) == 1


def test_what_was_delivered_can_be_sent_again(receiver: Receiver, webhook: Webhook, admin: Actor) -> None:
    jazz()
    (first,) = delivered(receiver)
    again = services.resend(admin, Delivery.objects.get(webhook=webhook))
    assert (again.attempts, again.outcome) == (2, "delivered")
    assert [message.id for message in receiver.take()] == [first.id]


def test_a_message_that_a_dead_worker_left_is_sent_by_another(receiver: Receiver, webhook: Webhook) -> None:
    jazz()
    delivering.list_changes()
    Webhook.objects.update(leased_until=Now() + delivering.LEASE)
    left = messages.next_message(webhook)
    assert left is not None
    assert delivered(receiver) == [], "somebody is at it"
    Webhook.objects.update(leased_until=Now() - timedelta(seconds=1))
    assert [message.id for message in delivered(receiver)] == [left.message_id]


def test_only_an_admin_has_to_do_with_webhooks(webhook: Webhook, person: Callable[[Role], Any]) -> None:
    reviewer = Actor(person(Role.REVIEWER))
    for act in (lambda: services.add(reviewer, URL), lambda: services.test(reviewer, webhook)):
        with pytest.raises(NotAllowed):
            act()
    with pytest.raises(NotAllowed):
        services.disable(reviewer, webhook)


def test_a_webhook_without_its_secret_sends_nothing(receiver: Receiver, webhook: Webhook, admin: Actor) -> None:
    """As it comes out of a backup without secrets."""
    Webhook.objects.update(secret="")
    webhook.refresh_from_db()
    jazz()
    assert delivered(receiver) == []
    with pytest.raises(Conflict, match="add it again"):
        services.test(admin, webhook)
    with pytest.raises(GleaneryError, match="add it again"):
        health.report()


def test_old_deliveries_are_forgotten_but_not_what_waits(receiver: Receiver, webhook: Webhook) -> None:
    jazz()
    delivered(receiver)
    receiver.status = 500
    jazz(2, name="Tango")
    delivered(receiver)
    Delivery.objects.update(created_at=F("created_at") - delivering.KEPT - timedelta(days=1))
    delivering.forget()
    assert [each.outcome for each in Delivery.objects.all()] == ["pending"]


def test_the_api_shows_the_secret_once(
    client: Client, receiver: Receiver, bearer: Callable[..., dict[str, str]]
) -> None:
    headers = bearer(Scope.ADMIN)
    address = "/api/v1/admin/webhooks"
    made = client.post(address, {"url": URL, "kinds": ["event"]}, "application/json", headers=headers).json()
    assert made["secret"].startswith("whsec_")
    (listed,) = client.get(address, headers=headers).json()
    assert "secret" not in listed
    assert listed["allowed_actions"] == ["disable", "remove"]
    one = f"{address}/{made['id']}"
    assert client.post(f"{one}/test", headers=headers).json()["outcome"] == "delivered"
    (sent,) = client.get(f"{one}/deliveries", headers=headers).json()["items"]
    assert client.post(f"{one}/deliveries/{sent['id']}/resend", headers=headers).json()["attempts"] == 2
    assert [message.verified(made["secret"])["type"] for message in receiver.take()] == ["webhook.test"] * 2
    for action, status in (("disable", "disabled"), ("enable", "active"), ("remove", "removed")):
        assert client.post(f"{one}/{action}", {}, "application/json", headers=headers).json()["status"] == status
    assert client.get(address, headers=headers).json() == []
    assert client.post(f"{one}/test", headers=headers).status_code == 404

"""Webhooks in the console: an admin adds one, sees the secret once, tests it, and sends again what was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from gleanery.publishing.webhooks.models import Delivery, Webhook
from gleanery.roles import Role
from tests.publishing.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db
LIST, SENT = "/admin/publishing/webhook/", "/admin/publishing/delivery/"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving(settings) as receiver:
        yield receiver


def test_an_admin_adds_tests_resends_and_removes(receiver: Receiver, logged_in: Callable[[Role], Client]) -> None:
    browser = logged_in(Role.ADMIN)
    typed = {"url": "http://hooks.example/changes", "kinds": ["event"], "query": "place=Sofia"}
    page = browser.post(f"{LIST}add/", typed, follow=True).content.decode()
    webhook = Webhook.objects.get()
    assert webhook.secret in page
    assert (webhook.kinds, webhook.query) == (["event"], "place=Sofia")
    for address in (LIST, f"{LIST}{webhook.pk}/change/"):
        page = browser.get(address).content.decode()
        assert "hooks.example" in page
        assert webhook.secret not in page
    chosen = {"_selected_action": [str(webhook.pk)]}
    answer = browser.post(LIST, {"action": "test", **chosen}, follow=True)
    assert b"It answered with status 204." in answer.content
    sent = Delivery.objects.get()
    assert "webhook.test" in browser.get(f"{SENT}{sent.pk}/change/").content.decode()
    browser.post(SENT, {"action": "resend", "_selected_action": [str(sent.pk)]}, follow=True)
    assert [message.id for message in receiver.take()] == [sent.message_id] * 2
    for action, status in (("disable", "disabled"), ("enable", "active"), ("remove", "removed")):
        browser.post(LIST, {"action": action, **chosen}, follow=True)
        webhook.refresh_from_db()
        assert webhook.status == status


def test_a_refusal_is_a_sentence_and_nothing_is_added(logged_in: Callable[[Role], Client]) -> None:
    typed = {"url": "http://127.0.0.1/x", "query": ""}
    page = logged_in(Role.ADMIN).post(f"{LIST}add/", typed, follow=True).content.decode()
    assert "not on the public internet" in page
    assert not Webhook.objects.exists()
    assert logged_in(Role.REVIEWER).get(f"{LIST}add/").status_code == 403

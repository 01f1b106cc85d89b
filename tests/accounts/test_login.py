"""Logging in by a one-time link, or by password with a limit on guesses."""

import re
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from gleanery.accounts import services
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import LoginLink, User
from gleanery.roles import Role

PASSWORD = "four plain words here"


@pytest.mark.django_db
def test_a_link_logs_in_once(admin: Actor, client: Client) -> None:
    link = services.issue_login_link(admin, admin.user)
    assert client.get(link, follow=True).redirect_chain == [("/admin/", 302)]
    again = Client().get(link, follow=True)
    assert again.redirect_chain[0][0] == "/admin/login/"
    assert "used before or has expired" in again.content.decode()


@pytest.mark.django_db
def test_a_preview_of_the_link_does_not_use_it_up(admin: Actor, client: Client) -> None:
    link = services.issue_login_link(admin, admin.user)
    assert client.head(link).status_code == 405
    assert client.get(link).headers["Location"] == "/admin/"


@pytest.mark.django_db
def test_an_expired_link_does_not_log_in(admin: Actor) -> None:
    token = services.issue_login_link(admin, admin.user, timedelta(seconds=-1)).rsplit("/", 1)[1]
    assert services.redeem_login_link(token) is None


@pytest.mark.django_db
def test_the_link_of_a_deactivated_person_does_not_log_in(admin: Actor, person: Callable[[Role], User]) -> None:
    token = services.issue_login_link(admin, person(Role.VIEWER)).rsplit("/", 1)[1]
    services.set_active(admin, person(Role.VIEWER), False)
    assert services.redeem_login_link(token) is None


@pytest.mark.django_db
def test_a_link_is_stored_only_as_a_digest(admin: Actor) -> None:
    token = services.issue_login_link(admin, admin.user).rsplit("/", 1)[1]
    assert token not in repr(list(LoginLink.objects.values()))


@pytest.mark.django_db(transaction=True)
def test_of_many_concurrent_clicks_exactly_one_logs_in() -> None:
    user = services.create_user(system(), "anna", Role.VIEWER)
    token = services.issue_login_link(system(), user).rsplit("/", 1)[1]
    gate, found = threading.Barrier(6), []

    def click() -> None:
        gate.wait()
        found.append(services.redeem_login_link(token))
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each for each in found if each] == [user]


def _log_in(client: Client, password: str, address: str = "127.0.0.1") -> int:
    form = {"username": "anna", "password": password}
    return client.post("/admin/login/", form, REMOTE_ADDR=address).status_code


@pytest.mark.django_db
def test_guessing_passwords_is_stopped_after_five_tries(admin: Actor, client: Client) -> None:
    services.create_user(admin, "anna", Role.VIEWER, password=PASSWORD)
    answers = [_log_in(client, f"guess {number}") for number in range(6)]
    assert answers[:4] == [200] * 4
    assert answers[5] == 429
    assert _log_in(client, PASSWORD) == 429
    assert _log_in(Client(), PASSWORD, address="192.0.2.7") == 302


@pytest.mark.django_db
def test_a_locked_out_user_sees_for_how_long_and_what_helps(admin: Actor, client: Client) -> None:
    services.create_user(admin, "anna", Role.VIEWER, password=PASSWORD)
    for number in range(6):
        form = {"username": "anna", "password": f"guess {number}"}
        answer = client.post("/admin/login/", form)
    assert re.search("for 15 minutes", answer.content.decode())
    assert "gleanery user link" in answer.content.decode()

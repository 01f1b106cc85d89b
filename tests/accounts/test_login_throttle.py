"""Attacks on password logins: long names, many names, many at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from axes.models import AccessAttempt
from django.db import connection
from django.test import Client

from gleanery.accounts import login_throttle, services
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.hashing import AT_ONCE, LOCK
from gleanery.roles import Role

PASSWORD, WRONG = "correct horse battery", "wrong"


def log_in(name: str, password: str = WRONG, address: str = "192.0.2.7") -> Any:
    return Client().post("/admin/login/", {"username": name, "password": password}, REMOTE_ADDR=address)


@pytest.mark.django_db
@pytest.mark.parametrize("length", [151, 256, 100_000])
def test_an_overlong_name_is_refused_with_a_message_and_not_stored(length: int) -> None:
    answer = log_in("x" * length)
    assert answer.status_code == 200
    assert "A name has at most 150 characters." in answer.content.decode()
    assert not AccessAttempt.objects.exists()


@pytest.mark.django_db
def test_an_address_that_guesses_with_many_names_is_blocked_and_others_are_not(admin: Actor) -> None:
    services.create_user(admin, "anna", Role.VIEWER, password=PASSWORD)
    assert [log_in(f"name {each}").status_code for each in range(login_throttle.MOST)] == [200] * login_throttle.MOST
    refused = log_in("anna", PASSWORD)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "900")
    assert "Too many wrong passwords" in refused.content.decode()
    assert AccessAttempt.objects.count() == login_throttle.MOST
    assert log_in("anna", PASSWORD, "192.0.2.8").status_code == 302


@pytest.mark.django_db
def test_a_household_of_ipv6_is_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_throttle, "MOST", 3)
    answers = [log_in(f"name {each}", address=f"2001:db8::{each}").status_code for each in range(1, 5)]
    assert answers == [200, 200, 200, 429]
    assert log_in("name", address="2001:db8:0:1::1").status_code == 200


@contextmanager
def hashing_elsewhere() -> Iterator[None]:
    """Take all slots on another connection."""
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None}) as other:
        for turn in range(AT_ONCE):
            other.execute("SELECT pg_advisory_lock(%s, %s)", [LOCK, turn])
        yield


@pytest.mark.django_db(transaction=True)
def test_while_all_slots_are_taken_logins_are_deferred_and_pages_respond() -> None:
    user = services.create_user(system(), "anna", Role.VIEWER, password=PASSWORD)
    with hashing_elsewhere():
        for name, password in (("anna", PASSWORD), ("anna", "wrong"), ("nobody", "wrong")):
            refused = log_in(name, password)
            assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")
            assert "try again" in refused.content.decode()
        assert not AccessAttempt.objects.exists(), "a password that was not checked does not count"
        assert Client().get("/admin/login/").status_code == 200
        assert Client().get("/healthz").status_code == 200
        services.set_password(system(), user, "another horse battery")
    assert log_in("anna", "another horse battery").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_slot_is_released_after_success_and_failure() -> None:
    services.create_user(system(), "anna", Role.VIEWER, password=PASSWORD)
    for _ in range(AT_ONCE + 1):
        assert log_in("anna").status_code == 200
        assert log_in("anna", PASSWORD).status_code == 302
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s", [LOCK])
        assert cursor.fetchone() == (0,)

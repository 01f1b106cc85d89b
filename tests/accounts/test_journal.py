"""The journal keeps every decision, and nobody can change it."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from gleanery.accounts import journal, services
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import ApiKey, JournalEntry
from gleanery.errors import Conflict
from gleanery.roles import Role, Scope

pytestmark = pytest.mark.database


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    ["UPDATE journal SET reason = 'another'", "DELETE FROM journal", "TRUNCATE journal"],
)
def test_the_database_refuses_to_change_the_journal(admin: Actor, statement: str) -> None:
    journal.write(admin, "look", admin.user)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            cursor.execute(statement)
    assert JournalEntry.objects.filter(action="look", reason="").count() == 1


@pytest.mark.django_db
def test_an_entry_has_actor_action_subject_before_after_and_reason(admin: Actor) -> None:
    key, text = services.create_key(admin, "ops", [Scope.ADMIN])
    by_key = services.actor_of_key(text)
    assert by_key is not None
    services.revoke_key(by_key, key, "it was on a poster")
    entry = JournalEntry.objects.get(action="revoke")
    assert (entry.actor, entry.key, entry.subject_kind, entry.subject_id) == (admin.user, key, "API key", str(key.pk))
    assert (entry.before, entry.after) == ({"status": "active"}, {"status": "revoked"})
    assert entry.reason == "it was on a poster"
    assert str(entry).startswith("some-admin revoke API key ops")


@pytest.mark.django_db
def test_a_move_that_fails_leaves_no_entry(admin: Actor) -> None:
    key, _ = services.create_key(admin, "k", [Scope.READ])
    ApiKey.objects.filter(pk=key.pk).update(status="revoked")
    with pytest.raises(Conflict):
        services.revoke_key(admin, key)
    assert not JournalEntry.objects.filter(action="revoke").exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_concurrent_revocations_exactly_one_succeeds() -> None:
    admin = Actor(services.create_user(system(), "anna", Role.ADMIN))
    key, _ = services.create_key(admin, "k", [Scope.READ])
    gate, lost = threading.Barrier(8), []

    def revoke() -> None:
        mine = ApiKey.objects.get(pk=key.pk)
        gate.wait()
        try:
            services.revoke_key(admin, mine)
        except Conflict as conflict:
            lost.append(conflict)
        finally:
            connection.close()

    threads = [threading.Thread(target=revoke) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lost) == 7
    assert JournalEntry.objects.filter(action="revoke").count() == 1

"""API keys."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from gleanery.accounts import services
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import ApiKey, JournalEntry, User
from gleanery.errors import Conflict, Invalid
from gleanery.roles import Role, Scope

pytestmark = pytest.mark.django_db


def test_a_key_is_stored_only_as_a_digest(admin: Actor) -> None:
    key, text = services.create_key(admin, "import", [Scope.INGEST])
    secret = text.rsplit("_", 1)[1]
    row = ApiKey.objects.filter(pk=key.pk).values().get()
    assert secret not in repr(row)
    assert secret not in repr(list(JournalEntry.objects.values()))


def test_a_key_acts_for_its_owner_with_its_own_scopes(admin: Actor) -> None:
    key, text = services.create_key(admin, "agent", [Scope.PROPOSE])
    actor = services.actor_of_key(text)
    assert actor == Actor(admin.user, key)
    assert actor.scopes == {Scope.PROPOSE}
    assert actor.role is None


def test_a_key_with_the_scope_admin_acts_with_its_owners_role(admin: Actor) -> None:
    _, text = services.create_key(admin, "ops", [Scope.ADMIN])
    actor = services.actor_of_key(text)
    assert actor is not None
    assert actor.role is Role.ADMIN


def test_a_key_never_exceeds_the_current_rights_of_its_owner(admin: Actor, person: Callable[[Role], User]) -> None:
    owner = person(Role.REVIEWER)
    _, text = services.create_key(admin, "mine", [Scope.READ, Scope.DECIDE], owner=owner)
    assert services.actor_of_key(text).scopes == {Scope.READ, Scope.DECIDE}  # type: ignore[union-attr]
    services.set_role(admin, owner, Role.VIEWER)
    assert services.actor_of_key(text).scopes == {Scope.READ}  # type: ignore[union-attr]


def test_the_scope_admin_includes_all_rights_of_the_owner(admin: Actor, person: Callable[[Role], User]) -> None:
    for owner in (person(Role.REVIEWER), admin.user):
        _, text = services.create_key(admin, "all", [Scope.ADMIN], owner=owner)
        assert services.actor_of_key(text).scopes == Actor(owner).scopes  # type: ignore[union-attr]


def test_a_revoked_key_is_invalid_and_cannot_be_revoked_again(admin: Actor) -> None:
    key, text = services.create_key(admin, "old", [Scope.READ])
    services.revoke_key(admin, key, "lost")
    assert services.actor_of_key(text) is None
    with pytest.raises(Conflict):
        services.revoke_key(admin, key)
    assert JournalEntry.objects.get(action="revoke").reason == "lost"


def test_two_admins_who_saw_the_same_key_cannot_both_revoke_it(admin: Actor) -> None:
    key, _ = services.create_key(admin, "old", [Scope.READ])
    seen_by_another = ApiKey.objects.get(pk=key.pk)
    services.revoke_key(admin, key)
    with pytest.raises(Conflict, match="no longer active"):
        services.revoke_key(admin, seen_by_another)


def test_an_expired_key_is_invalid(admin: Actor) -> None:
    key, text = services.create_key(admin, "old", [Scope.READ], expires_at=timezone.now() + timedelta(days=1))
    ApiKey.objects.filter(pk=key.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert services.actor_of_key(text) is None


def test_the_key_of_a_deactivated_user_is_invalid(admin: Actor, person: Callable[[Role], User]) -> None:
    owner = person(Role.VIEWER)
    _, text = services.create_key(admin, "theirs", [Scope.READ], owner=owner)
    services.set_active(admin, owner, False)
    assert services.actor_of_key(text) is None


def test_one_wrong_letter_is_another_key(admin: Actor) -> None:
    _, text = services.create_key(admin, "k", [Scope.READ])
    assert services.actor_of_key(text[:-1] + ("a" if text[-1] != "a" else "b")) is None


@pytest.mark.parametrize("text", ["", "glean_", "glean_abcdefgh_", "x" * 10_000, "glean_abcdefgh_" + "\x00" * 40])
def test_malformed_keys_are_invalid(text: str) -> None:
    assert services.actor_of_key(text) is None


def test_the_last_use_is_recorded_to_the_minute(admin: Actor) -> None:
    key, text = services.create_key(admin, "k", [Scope.READ])
    services.actor_of_key(text)
    first = ApiKey.objects.get(pk=key.pk).last_used_at
    services.actor_of_key(text)
    assert first is not None
    assert ApiKey.objects.get(pk=key.pk).last_used_at == first


def test_a_key_without_a_scope_or_a_name_is_refused(admin: Actor) -> None:
    with pytest.raises(Invalid, match="scope"):
        services.create_key(admin, "k", [])
    with pytest.raises(Invalid, match="name"):
        services.create_key(admin, "  ", [Scope.READ])


def test_neither_the_system_nor_a_deactivated_user_can_own_a_key(admin: Actor, person: Callable[[Role], User]) -> None:
    gone = services.set_active(admin, person(Role.VIEWER), False)
    for owner in (system().user, gone):
        with pytest.raises(Invalid, match="cannot own a key"):
            services.create_key(admin, "k", [Scope.READ], owner=owner)
    with pytest.raises(Invalid, match="expiry date is in the past"):
        services.create_key(admin, "k", [Scope.READ], expires_at=timezone.now() - timedelta(days=1))


def test_a_key_of_the_system_user_does_not_act_as_the_system(admin: Actor) -> None:
    key, _ = services.create_key(admin, "k", [Scope.READ])
    assert Actor(system().user, key).who is None

"""Users and their roles."""

import threading
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection

from gleanery.accounts import services
from gleanery.accounts.actor import Actor, at_terminal, system
from gleanery.accounts.models import JournalEntry, User
from gleanery.errors import Conflict, Invalid, NotAllowed, NotFound
from gleanery.roles import SYSTEM, Role, Scope

Person = Callable[[Role], User]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", Role)
def test_a_person_has_the_role_they_were_given(person: Person, role: Role) -> None:
    assert User.objects.get(pk=person(role).pk).role is role


def test_a_person_without_a_role_may_do_nothing() -> None:
    assert Actor(User.objects.create(username="nobody")).scopes == frozenset()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER])
def test_only_admins_change_users(person: Person, role: Role) -> None:
    actor, somebody = Actor(person(role)), person(Role.ADMIN)
    for attempt in (
        lambda: services.create_user(actor, "new", Role.VIEWER),
        lambda: services.set_role(actor, somebody, Role.VIEWER),
        lambda: services.set_active(actor, somebody, False),
        lambda: services.create_key(actor, "k", [Scope.READ]),
        lambda: services.issue_login_link(actor, somebody),
    ):
        with pytest.raises(NotAllowed, match="the role admin"):
            attempt()
    assert not User.objects.filter(username="new").exists()


@pytest.mark.parametrize("password", ["short", "password1234"])
def test_a_weak_password_is_refused_with_the_reason(admin: Actor, password: str) -> None:
    with pytest.raises(Invalid, match="password"):
        services.create_user(admin, "new", Role.VIEWER, password=password)
    assert not User.objects.filter(username="new").exists()


def test_passwords_are_kept_as_argon2(admin: Actor) -> None:
    user = services.create_user(admin, "new", Role.VIEWER, password="four plain words here")
    assert user.password.startswith("argon2$argon2id$")


def test_a_name_that_is_taken_is_refused_with_a_message(admin: Actor) -> None:
    services.create_user(admin, "anna", Role.VIEWER)
    with pytest.raises(Invalid, match="already exists"):
        services.create_user(admin, "anna", Role.ADMIN)


def test_a_changed_role_applies_at_once_and_is_journalled(admin: Actor, person: Person) -> None:
    user = services.set_role(admin, person(Role.VIEWER), Role.REVIEWER)
    assert user.role is Role.REVIEWER
    entry = JournalEntry.objects.get(action="set_role")
    assert (entry.before, entry.after, entry.actor) == ({"role": "viewer"}, {"role": "reviewer"}, admin.user)


def test_the_only_admin_can_neither_be_demoted_nor_deactivated(admin: Actor) -> None:
    with pytest.raises(Conflict, match="only active admin"):
        services.set_role(admin, admin.user, Role.VIEWER)
    with pytest.raises(Conflict, match="only active admin"):
        services.set_active(admin, admin.user, False)
    assert User.objects.get(pk=admin.user.pk).is_active


def test_deactivating_twice_is_a_conflict_that_changes_nothing(admin: Actor, person: Person) -> None:
    user = services.set_active(admin, person(Role.VIEWER), False)
    with pytest.raises(Conflict, match="already deactivated"):
        services.set_active(admin, user, False)
    assert JournalEntry.objects.filter(action="deactivate").count() == 1


def test_the_system_user_cannot_log_in_and_cannot_be_found_by_name() -> None:
    assert not system().user.check_password("!")
    with pytest.raises(NotFound):
        services.find_user(SYSTEM)


def test_the_first_admin_is_created_once_and_found_afterwards() -> None:
    first = services.first_admin()
    assert (first.username, first.role) == ("admin", Role.ADMIN)
    assert services.first_admin() == first


def test_an_installation_with_an_admin_of_another_name_gets_no_second_admin(person: Person) -> None:
    there = person(Role.ADMIN)
    assert services.first_admin() == there
    assert not User.objects.filter(username="admin").exists()


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_admins_who_demote_each_other_at_once_one_remains() -> None:
    for _ in range(5):
        pair = [services.create_user(system(), f"admin-{number}-{uuid4()}", Role.ADMIN) for number in range(2)]
        gate, lost = threading.Barrier(2), []

        def demote(actor: User, other: User, gate: threading.Barrier = gate, lost: list[Exception] = lost) -> None:
            gate.wait()
            try:
                services.set_role(Actor(actor), other, Role.VIEWER)
            except (Conflict, NotAllowed) as refusal:
                lost.append(refusal)
            finally:
                connection.close()

        threads = [threading.Thread(target=demote, args=each) for each in (pair, pair[::-1])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(lost) == 1
        there = User.objects.filter(groups__name=Role.ADMIN, is_active=True).exclude(username=SYSTEM)
        assert there.count() == 1
        User.objects.exclude(username=SYSTEM).update(is_active=False)


def test_a_password_is_set_by_the_person_or_an_admin_and_by_nobody_else(admin: Actor, person: Person) -> None:
    anna = services.create_user(admin, "anna", Role.VIEWER)
    services.set_password(Actor(anna), anna, "four plain words here")
    assert User.objects.get(pk=anna.pk).check_password("four plain words here")
    with pytest.raises(NotAllowed):
        services.set_password(Actor(person(Role.REVIEWER)), anna, "four other words here")
    assert JournalEntry.objects.filter(action="set_password").count() == 1


def test_an_e_mail_address_is_changed_by_an_admin_and_left_out_of_the_journal(admin: Actor) -> None:
    anna = services.create_user(admin, "anna", Role.VIEWER, email="anna@example.org")
    services.set_email(admin, anna, "a@example.org")
    assert User.objects.get(pk=anna.pk).email == "a@example.org"
    assert "example.org" not in repr(list(JournalEntry.objects.values()))
    with pytest.raises(Invalid, match="valid email"):
        services.set_email(admin, anna, "nowhere")


def test_commands_are_journalled_under_the_login_name(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "anna")
    actor = at_terminal()
    assert (str(actor.user), actor.who, at_terminal()) == ("cli:anna", Role.ADMIN, actor)
    services.create_user(actor, "boris", Role.VIEWER)
    assert JournalEntry.objects.latest("id").actor.username == "cli:anna"
    monkeypatch.delenv("SUDO_USER")
    monkeypatch.setenv("LOGNAME", "vera")
    assert str(at_terminal().user) == "cli:vera"


def test_the_user_of_a_terminal_cannot_log_in(admin: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "anna")
    actor = at_terminal()
    assert not actor.user.is_active
    with pytest.raises(NotFound):
        services.find_user("cli:anna")
    with pytest.raises(Conflict, match="only active admin"):
        services.set_active(actor, admin.user, False)
    with pytest.raises(Invalid):
        services.create_user(actor, "cli:boris", Role.VIEWER)


def test_a_terminal_without_a_login_name_acts_as_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise OSError

    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.setattr("getpass.getuser", nameless)
    assert at_terminal() == system()

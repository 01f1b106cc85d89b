"""Console without JavaScript."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from gleanery.accounts import services
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import ApiKey, JournalEntry, User
from gleanery.roles import Role, Scope

LoggedIn = Callable[[Role], Client]
pytestmark = pytest.mark.django_db


def test_a_user_added_in_the_console_gets_a_link_that_works(logged_in: LoggedIn) -> None:
    form = {"username": "boris", "email": "boris@example.org", "role": "reviewer"}
    page = logged_in(Role.ADMIN).post("/admin/accounts/user/add/", form, follow=True).content.decode()
    assert User.objects.get(username="boris").role is Role.REVIEWER
    link = re.search(r"http://testserver(/login/[\w-]+)", page)
    assert link is not None
    assert Client().get(link[1]).headers["Location"] == "/admin/"


def test_a_refusal_is_shown_as_a_sentence_and_changes_nothing(logged_in: LoggedIn) -> None:
    client = logged_in(Role.ADMIN)
    me = User.objects.get(username="some-admin")
    form = {"email": "", "role": "viewer"}
    page = client.post(f"/admin/accounts/user/{me.pk}/change/", form, follow=True).content.decode()
    assert "only active admin" in page
    assert User.objects.get(pk=me.pk).role is Role.ADMIN


def test_deactivating_requires_a_form_not_just_a_link(logged_in: LoggedIn) -> None:
    client, anna = logged_in(Role.ADMIN), services.create_user(system(), "anna", Role.VIEWER)
    form = {"action": "deactivate", "_selected_action": str(anna.pk)}
    client.get("/admin/accounts/user/", form)
    assert User.objects.get(pk=anna.pk).is_active
    client.post("/admin/accounts/user/", form)
    assert not User.objects.get(pk=anna.pk).is_active


def test_a_key_created_in_the_console_is_shown_once(logged_in: LoggedIn, client: Client) -> None:
    browser = logged_in(Role.ADMIN)
    form = {"name": "agent", "scopes": ["read"], "owner": str(User.objects.get(username="some-admin").pk)}
    page = browser.post("/admin/accounts/apikey/add/", form, follow=True).content.decode()
    text = re.search(r"glean_\w{8}_\w{40}", page)
    assert text is not None
    assert client.get("/api/v1/me", headers={"Authorization": f"Bearer {text[0]}"}).status_code == 200
    key = ApiKey.objects.get(name="agent")
    for page_url in ("/admin/accounts/apikey/", f"/admin/accounts/apikey/{key.pk}/change/"):
        assert text[0] not in browser.get(page_url).content.decode()


def test_keys_can_be_revoked_in_the_console(logged_in: LoggedIn, admin: Actor) -> None:
    key, _ = services.create_key(admin, "agent", [Scope.READ])
    form = {"action": "revoke", "_selected_action": str(key.pk)}
    logged_in(Role.REVIEWER).post("/admin/accounts/apikey/", form)
    assert ApiKey.objects.get(pk=key.pk).status == "active"
    logged_in(Role.ADMIN).post("/admin/accounts/apikey/", form)
    assert ApiKey.objects.get(pk=key.pk).status == "revoked"


def test_the_journal_can_be_searched_and_read(logged_in: LoggedIn, admin: Actor) -> None:
    services.set_role(admin, services.create_user(admin, "boris", Role.VIEWER), Role.REVIEWER)
    client = logged_in(Role.VIEWER)
    page = client.get("/admin/accounts/journalentry/", {"q": "boris"}).content.decode()
    assert "role: viewer → role: reviewer" in page
    page = client.get("/admin/accounts/journalentry/", {"q": "nothing like it"}).content.decode()
    assert "role: viewer → role: reviewer" not in page
    entry = JournalEntry.objects.get(action="set_role")
    assert client.get(f"/admin/accounts/journalentry/{entry.pk}/change/").status_code == 200


def test_external_text_is_escaped(logged_in: LoggedIn, admin: Actor) -> None:
    services.create_key(admin, "<script>alert(1)</script>", [Scope.READ])
    for page in ("", "accounts/apikey/", "accounts/journalentry/"):
        assert "<script>alert(1)" not in logged_in(Role.ADMIN).get(f"/admin/{page}").content.decode()


def test_an_empty_journal_explains_itself(logged_in: LoggedIn) -> None:
    client = logged_in(Role.VIEWER)
    assert "Latest decisions" in client.get("/admin/").content.decode()


def test_a_password_can_be_set_after_login_by_link(logged_in: LoggedIn) -> None:
    browser = logged_in(Role.VIEWER)
    assert "old password" not in browser.get("/admin/password_change/").content.decode().lower()
    form = {"new_password1": "four plain words here", "new_password2": "four plain words here"}
    assert browser.post("/admin/password_change/", form).status_code == 302
    assert JournalEntry.objects.filter(action="set_password").count() == 1
    entered = {"username": "some-viewer", "password": "four plain words here"}
    assert Client().post("/admin/login/", entered).status_code == 302
    assert "old password" in browser.get("/admin/password_change/").content.decode().lower()

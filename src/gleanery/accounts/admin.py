"""Console pages for users, keys and the journal."""

from __future__ import annotations

import json
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminSelectWidget

from gleanery import words
from gleanery.accounts import services
from gleanery.accounts.console import CodeFilter, RoleAdmin, actor_at, attempt
from gleanery.accounts.models import ApiKey, JournalEntry, User
from gleanery.errors import GleaneryError
from gleanery.roles import Role, Scope


class UserForm(forms.ModelForm[User]):
    role = forms.ChoiceField(choices=[(role, role) for role in Role], widget=UnfoldAdminSelectWidget)

    class Meta:
        model = User
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "role" in self.fields and not self.instance._state.adding:
            self.initial["role"] = self.instance.role


@admin.register(User)
class UserAdmin(RoleAdmin[User]):
    """Users; a new user gets a one-time link instead of a password known to an admin."""

    writer = Role.ADMIN
    form = UserForm
    fields = ("username", "email", "role")
    list_display = ("username", "email", "shown_role", "is_active", "last_login")
    list_filter = ("is_active", "groups")
    search_fields = ("username", "email")
    ordering = ("username",)
    actions = ("make_login_link", "deactivate", "reactivate")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return (super().get_queryset(request) & User.people()).prefetch_related("groups")

    def get_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        return self.fields if self._may_write(request) else ("username", "email", "shown_role", "is_active")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        return ("username",) if obj and self._may_write(request) else ("shown_role",)

    @display(description="role", label=True)
    def shown_role(self, user: User) -> str:
        return user.role or "none"

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        role = Role(form.cleaned_data["role"])
        if not change:
            made = services.create_user(actor_at(request), obj.username, role, email=obj.email)
            obj.__dict__.update(made.__dict__)
            self._show_link(request, obj)
            return
        if "email" in form.changed_data:
            services.set_email(actor_at(request), obj, obj.email)
        if role is not obj.role:
            services.set_role(actor_at(request), obj, role)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: the role, the only relation, is saved with the user."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show a refusal as a message on the user's page, and change nothing."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except GleaneryError as problem:
            messages.error(request, str(problem))
            return HttpResponseRedirect(request.get_full_path())

    def _show_link(self, request: HttpRequest, user: User) -> None:
        link = request.build_absolute_uri(services.issue_login_link(actor_at(request), user))
        messages.success(request, f"Give this link to {user.username}; it logs them in once, within 24 hours: {link}")

    @admin.action(description="Create a login link", permissions=["change"])
    def make_login_link(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users:
            self._show_link(request, user)

    @admin.action(description="Deactivate", permissions=["change"])
    def deactivate(self, request: HttpRequest, users: QuerySet[User]) -> None:
        attempt(
            request, users, lambda user: f"{services.set_active(actor_at(request), user, False)} is now deactivated."
        )

    @admin.action(description="Reactivate", permissions=["change"])
    def reactivate(self, request: HttpRequest, users: QuerySet[User]) -> None:
        attempt(request, users, lambda user: f"{services.set_active(actor_at(request), user, True)} is now active.")


class KeyForm(forms.ModelForm[ApiKey]):
    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in Scope], widget=UnfoldAdminCheckboxSelectMultipleWidget
    )

    class Meta:
        model = ApiKey
        fields = ("name", "scopes", "owner", "expires_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "owner" in self.fields:
            people = User.people().filter(is_active=True)
            cast(forms.ModelChoiceField[User], self.fields["owner"]).queryset = people


@admin.register(ApiKey)
class ApiKeyAdmin(RoleAdmin[ApiKey]):
    """API keys; the text of a key is shown once, when it is created."""

    writer = Role.ADMIN
    form = KeyForm
    list_display = ("name", "prefix", "shown_scopes", "owner", "shown_status", "expires_at", "last_used_at")
    list_filter = ("status",)
    search_fields = ("name", "prefix")
    actions = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """Keys are created or revoked, never changed, so that a key keeps the rights it was created with."""
        return obj is None and self._may_write(request)

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        made = ("prefix", "shown_scopes", "owner", "status", "created_at", "expires_at", "last_used_at")
        return ("name", *made) if obj else ("name", "scopes", "owner", "expires_at")

    @display(description="scopes")
    def shown_scopes(self, key: ApiKey) -> str:
        return ", ".join(key.scopes)

    @display(description="status", label={"active": "success", "revoked": "danger"})
    def shown_status(self, key: ApiKey) -> str:
        return key.status

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        scopes = [Scope(scope) for scope in form.cleaned_data["scopes"]]
        made, text = services.create_key(
            actor_at(request), obj.name, scopes, owner=obj.owner, expires_at=obj.expires_at
        )
        obj.__dict__.update(made.__dict__)
        messages.warning(request, f"Copy the key now; it is shown only once: {text}")

    @admin.action(description="Revoke", permissions=["change"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        attempt(request, keys, lambda key: f"{services.revoke_key(actor_at(request), key)} is revoked.")


@admin.register(JournalEntry)
class JournalAdmin(RoleAdmin[JournalEntry]):
    """The journal, read-only here and by a trigger on its table."""

    list_display = ("at", "actor", "shown_action", "shown_subject_kind", "subject_name", "shown_change", "reason")
    list_display_links = ("at",)
    list_filter = (("action", CodeFilter), ("subject_kind", CodeFilter), "actor")
    search_fields = ("subject_name", "subject_id", "reason", "action", "actor__username")
    list_select_related = ("actor", "key")
    ordering = ("-id",)
    fields = (
        ("at", "actor", "key"),
        "shown_action",
        ("shown_subject_kind", "subject_id", "subject_name"),
        "shown_change",
        "reason",
    )

    @display(description="action", ordering="action")
    def shown_action(self, entry: JournalEntry) -> str:
        return words.of(entry.action)

    @display(description="about", ordering="subject_kind")
    def shown_subject_kind(self, entry: JournalEntry) -> str:
        return words.of(entry.subject_kind)

    @display(description="change")
    def shown_change(self, entry: JournalEntry) -> str | SafeString:
        if entry.before is None and entry.after is None:
            return "–"
        return format_html("{} → {}", _facts(entry.before), _facts(entry.after))


CODED = ("type", "provider", "providers", "outcome")


def _facts(facts: dict[str, Any] | None) -> str:
    if not facts:
        return "–"
    return ", ".join(f"{words.of(name)}: {_fact(name, value)}" for name, value in facts.items())


def _fact(name: str, value: Any) -> str:
    """Translate codes to words, and leave text written by people unchanged."""
    is_code = name.endswith("status") or name in CODED
    if isinstance(value, str):
        return words.of(value) if is_code else value
    if isinstance(value, list) and is_code:
        return ", ".join(map(words.of, value))
    return json.dumps(value, ensure_ascii=False)

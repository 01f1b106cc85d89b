"""RoleAdmin, the base class of every console page, whose permissions depend only on the user's role."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from gleanery import words
from gleanery.accounts.actor import Actor
from gleanery.accounts.models import User
from gleanery.errors import GleaneryError
from gleanery.roles import Role

# unfold has no type annotations; its ModelAdmin extends Django's.
if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
else:
    from unfold.admin import ModelAdmin

Row = TypeVar("Row", bound=Model)


class CodeFilter(admin.AllValuesFieldListFilter):
    """Filter by the codes in use, shown as words; the URL keeps the code."""

    def choices(self, changelist: Any) -> Any:
        for each in super().choices(changelist):
            yield {**each, "display": words.of(str(each["display"]))}


class RoleAdmin(ModelAdmin[Row]):
    """Every role may view, the role `writer` may add and change, and nobody may delete what the journal names."""

    writer: Role | None = None
    compressed_fields = True
    list_fullwidth = True

    def _may_write(self, request: HttpRequest) -> bool:
        role = role_of(request)
        return self.writer is not None and role is not None and role.covers(self.writer)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return role_of(request) is not None

    def has_view_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return role_of(request) is not None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._may_write(request)

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return self._may_write(request)

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return False

    def log_addition(self, request: HttpRequest, obj: Row, message: Any) -> LogEntry:
        """Write no entry to Django's log, since the journal has more detail."""
        return LogEntry()

    def log_change(self, request: HttpRequest, obj: Row, message: Any) -> LogEntry:
        return LogEntry()


def role_of(request: HttpRequest) -> Role | None:
    user = request.user
    return user.role if isinstance(user, User) and user.is_active else None


def actor_at(request: HttpRequest) -> Actor:
    """Return the actor of a console request."""
    assert isinstance(request.user, User)  # noqa: S101  # the console requires a login
    return Actor(request.user)


def attempt(request: HttpRequest, rows: Iterable[Row], act: Callable[[Row], str]) -> bool:
    """Apply an action to each selected row and show each result; a refusal does not stop the others.

    Return True if nothing was refused; otherwise the caller shows the form again.
    """
    refused = False
    for row in rows:
        try:
            messages.success(request, act(row))
        except GleaneryError as problem:
            refused = True
            messages.error(request, str(problem))
    return not refused


class ReasonForm(forms.Form):
    reason = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), max_length=2000)


def with_reason(
    page: RoleAdmin[Row],
    request: HttpRequest,
    rows: QuerySet[Row],
    act: Callable[[Row, str], str],
    action: str,
    question: str,
) -> HttpResponse | None:
    """Ask for a reason on a page of its own, then act; the selected rows are kept in the form.

    Refused rows are shown again with the reason as typed.
    """
    form = ReasonForm(request.POST if "reason" in request.POST else None)
    asked: Iterable[Row] = rows
    if is_done := form.is_valid():
        reason = form.cleaned_data["reason"]
        asked = [row for row in rows if not attempt(request, [row], lambda each: act(each, reason))]
        if not asked:
            return None
    context = {**page.admin_site.each_context(request), "title": question, "form": form, "refused": is_done}
    context |= {"rows": asked, "action": action, "opts": page.opts}
    return TemplateResponse(request, "console/reason.html", context)

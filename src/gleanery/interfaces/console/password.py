"""Page to set one's own password; people who came by a login link have no old one to enter."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpResponse
from unfold.forms import AdminOwnPasswordChangeForm
from unfold.widgets import UnfoldAdminPasswordWidget

from gleanery.accounts import journal
from gleanery.accounts.console import actor_at


class FirstPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """Form for a first password, in the style of the console."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget = UnfoldAdminPasswordWidget()


class PasswordView(PasswordChangeView):
    template_name = "console/password.html"

    def get_form_class(self) -> Any:
        has_one = actor_at(self.request).user.has_usable_password()
        return AdminOwnPasswordChangeForm if has_one else FirstPasswordForm

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        actor = actor_at(self.request)
        journal.write(actor, "set_password", actor.user)
        return answer

"""Login form of the console."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxLengthValidator
from unfold.forms import AuthenticationForm

from gleanery.accounts.login_throttle import refuse_too_many
from gleanery.accounts.models import User

LONGEST_NAME = User._meta.get_field("username").max_length or 0


class LoginForm(AuthenticationForm):  # type: ignore[misc]  # unfold carries no types
    """Form that refuses impossible names and too many attempts before anything is hashed or stored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        message = f"A name has at most {LONGEST_NAME} characters."
        self.fields["username"].validators.append(MaxLengthValidator(LONGEST_NAME, message))

    def clean(self) -> dict[str, Any]:
        refuse_too_many(self.request)
        cleaned: dict[str, Any] = super().clean()
        return cleaned

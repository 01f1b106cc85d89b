"""The form by which anybody reports a problem of an entry."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from gleanery.review.reports.reasons import REASONS
from gleanery.review.reports.services import LONGEST_EMAIL, LONGEST_TEXT


def reasons() -> list[tuple[str, str | Promise]]:
    return list(REASONS.items())


class ReportForm(forms.Form):
    """The service says what is wrong with an answer, in its own words; here nothing is required."""

    reason = forms.ChoiceField(label=_("What is wrong?"), required=False, choices=reasons, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("What should it say?"),
        required=False,
        help_text=_("In your own words, with a link if you have one."),
        # A browser counts a line break as one character where it sends two, so the service cuts, not the form.
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_TEXT}),
    )
    email = forms.CharField(
        label=_("Your e-mail address"),
        required=False,
        help_text=_("Only if we may ask you about it. It is never published, and is deleted later."),
        widget=forms.EmailInput(attrs={"autocomplete": "email", "maxlength": LONGEST_EMAIL}),
    )
    website = forms.CharField(required=False, widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}))

    def given(self) -> dict[str, Any]:
        """Return what the service takes."""
        return {name: self.cleaned_data[name] for name in ("reason", "text", "email")}

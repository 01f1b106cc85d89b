"""The form by which anybody proposes a source."""

from __future__ import annotations

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from gleanery.domains.submissions.proposal import DEEPEST, DEFAULT_DEPTH, SLOW_FROM
from gleanery.domains.submissions.submitting import LONGEST_CONTEXT

DEPTHS: dict[int, str | Promise] = {
    0: _("the homepage only"),
    1: _("the homepage and the pages it links to"),
    2: _("recommended for small sites"),
    3: _("recommended for most sites"),
}


def depths() -> list[tuple[int, str]]:
    cautious = {depth: _("with caution: can be slow") for depth in range(SLOW_FROM, DEEPEST + 1)}
    return [(depth, f"{depth} – {words}") for depth, words in (DEPTHS | cautious).items()]


class SubmitForm(forms.Form):
    """Nothing is required here: the service says what is wrong with an address."""

    given = forms.CharField(
        label=_("Web address"),
        required=False,
        help_text=_("A site such as foodbank.org, or one page of it."),
        widget=forms.TextInput(
            attrs={"inputmode": "url", "autocomplete": "url", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    context = forms.CharField(
        label=_("What is it, and whom does it help?"),
        required=False,
        help_text=_("A sentence for the person who reviews it. Optional."),
        # A browser counts a line break as one character where it sends two, so the service cuts, not the form.
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_CONTEXT}),
    )
    depth = forms.TypedChoiceField(
        label=_("How far to follow its links"),
        coerce=int,
        choices=depths,
        initial=DEFAULT_DEPTH,
        help_text=_("Clicks from the homepage: 0 is the homepage alone, 2 or 3 does for most, 4 and more can be slow."),
    )
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}),
    )
    yes = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def mark_errors(self) -> None:
        """Says to those who do not see the page which fields are described by an error."""
        for bound in self:
            told = [f"{bound.auto_id}_help"] if bound.help_text else []
            if bound.errors:
                told.insert(0, f"{bound.auto_id}_error")
                bound.field.widget.attrs["aria-invalid"] = "true"
            if told:
                bound.field.widget.attrs["aria-describedby"] = " ".join(told)

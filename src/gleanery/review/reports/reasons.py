"""Reasons for which a visitor may report a record, in the order of the form."""

from __future__ import annotations

from typing import Final

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LONGEST_SENTENCE = 500

REASONS: Final[dict[str, str | Promise]] = {
    "time": _("The date or the time is wrong"),
    "place": _("The place is wrong"),
    "over": _("It is cancelled, closed or no longer offered"),
    "twice": _("It is listed twice"),
    "wrong": _("Something else in it is wrong"),
    "private": _("It shows something private or harmful"),
    "other": _("Another problem"),
}


def sentence(reason: str, text: str) -> str:
    """Return the report as reviewers read it, in English but for the visitor's own words."""
    with translation.override("en"):
        said = f"{REASONS[reason]}, says a visitor"
    said = f"{said}: “{' '.join(text.split())}”" if text else f"{said}."
    return said if len(said) <= LONGEST_SENTENCE else said[: LONGEST_SENTENCE - 2] + "…”"

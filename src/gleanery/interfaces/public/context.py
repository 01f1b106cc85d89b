"""What every public template may show: the site's name and colour, the kinds, the languages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from gleanery.publishing.models import LANGUAGES
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.site import presentation

IN_THE_HEAD = ("event", "funding", "service", "opportunity", "place")


def public(request: HttpRequest) -> dict[str, Any]:
    """Read only if a template asks: the console has this too and never does."""
    return {
        "site": SimpleLazyObject(presentation.current),
        "head_kinds": [(kind, KIND_WORDS[kind].many) for kind in IN_THE_HEAD],
        "languages": LANGUAGES,
    }

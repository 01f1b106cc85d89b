"""Context of every public template: the site's name and colour, the kinds, the languages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from gleanery.publishing.models import PublicSite
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.site import presentation
from gleanery.publishing.site.languages import LANGUAGES

IN_THE_HEAD = ("event", "funding", "service", "opportunity", "place")
_KEPT = "gleanery.public_site"


def public(request: HttpRequest) -> dict[str, Any]:
    """Read only if a template asks: the console has this too and never does."""
    return {
        "site": SimpleLazyObject(lambda: site_of(request)),
        "head_kinds": [(kind, KIND_WORDS[kind].many) for kind in IN_THE_HEAD],
        "languages": LANGUAGES,
    }


def site_of(request: HttpRequest) -> PublicSite:
    """Read once for a request."""
    site: PublicSite = request.META.get(_KEPT) or presentation.current()
    request.META[_KEPT] = site
    return site

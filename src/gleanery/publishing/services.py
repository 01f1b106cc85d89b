"""Use cases of publishing: how the public site presents itself, and lists that follow time and sources."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.publishing import freshness
from gleanery.publishing.models import PublicSite
from gleanery.publishing.site import logo, presentation
from gleanery.roles import Role
from gleanery.text import clean_text

CHANGEABLE: Final = ("name", "about", "accent", "language", "place", "zone", "contact", "about_text", "hide_after_days")
OF_SEVERAL_LINES: Final = frozenset({"about_text"})


@transaction.atomic
def present(actor: Actor, *, picture: bytes | None = None, **changes: str | int | None) -> PublicSite:
    """Change how the site presents itself; what is not named stays. An empty picture takes the logo away."""
    actor.must_be(Role.ADMIN, "change the public site")
    site = presentation.current()
    before = _shown(site)
    for name in CHANGEABLE:
        if name in changes:
            value = changes[name]
            if isinstance(value, str):
                value = clean_text(value, multiline=name in OF_SEVERAL_LINES)
            setattr(site, name, value)
    try:
        if picture is not None:
            _set_logo(site, picture)
        site.full_clean(exclude=["id", "changed_at"], validate_unique=False)
    except ValidationError as problem:
        raise Invalid(" ".join(problem.messages)) from problem
    site.changed_at = Now()
    site.save()
    journal.write(actor, "present", site, before=before, after=_shown(site))
    return site


def _shown(site: PublicSite) -> dict[str, str]:
    return {name: getattr(site, name) for name in (*CHANGEABLE, "logo_digest")}


def _set_logo(site: PublicSite, picture: bytes) -> None:
    site.logo_type = logo.checked(picture) if picture else ""
    site.logo = picture or None
    site.logo_digest = sha256(picture).hexdigest()[:16] if picture else ""


@transaction.atomic
def refresh_lists() -> tuple[int, int]:
    """Follow what sources list no more, and the days that have gone by. Return how many entries changed by each."""
    return freshness.refresh(timezone.now().date())

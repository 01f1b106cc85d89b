"""Use cases of publishing: how the public site presents itself."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.publishing.models import PublicSite
from gleanery.publishing.site import presentation
from gleanery.roles import Role
from gleanery.text import clean_text

CHANGEABLE = ("name", "about", "accent", "language")


@transaction.atomic
def present(actor: Actor, **changes: str) -> PublicSite:
    """Change how the site presents itself; what is not named stays."""
    actor.must_be(Role.ADMIN, "change the public site")
    site = presentation.current()
    before = {name: getattr(site, name) for name in CHANGEABLE}
    for name in CHANGEABLE:
        if name in changes:
            setattr(site, name, clean_text(changes[name]))
    try:
        site.full_clean(exclude=["id", "changed_at"], validate_unique=False)
    except ValidationError as problem:
        raise Invalid(" ".join(problem.messages)) from problem
    site.changed_at = Now()
    site.save()
    after = {name: getattr(site, name) for name in CHANGEABLE}
    journal.write(actor, "present", site, before=before, after=after)
    return site

"""Links in e-mails: signed, so that nothing secret is stored; the one that confirms expires."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer, TimestampSigner
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from gleanery.errors import NotFound

CONFIRMABLE_FOR = timedelta(days=2)
BROKEN = _("This link is not valid, or no longer. Check that it is complete, or subscribe again.")
_CONFIRM, _LEAVE = "gleanery.digests.confirm", "gleanery.digests.leave"


class Links(NamedTuple):
    confirm: str
    leave: str


def links_of(subscription: UUID) -> Links:
    confirm = TimestampSigner(salt=_CONFIRM, sep=".").sign(str(subscription))
    leave = Signer(salt=_LEAVE, sep=".").sign(str(subscription))
    return Links(root() + reverse("follow-confirm", args=[confirm]), root() + reverse("follow-leave", args=[leave]))


def read_confirm(token: str) -> UUID:
    try:
        return UUID(TimestampSigner(salt=_CONFIRM, sep=".").unsign(token, max_age=CONFIRMABLE_FOR))
    except (BadSignature, ValueError):
        raise NotFound(str(BROKEN)) from None


def read_leave(token: str) -> UUID:
    try:
        return UUID(Signer(salt=_LEAVE, sep=".").unsign(token))
    except (BadSignature, ValueError):
        raise NotFound(str(BROKEN)) from None


def root() -> str:
    """Return the address under which readers of e-mails reach the site."""
    return settings.ENVIRONMENT.public_url or f"http://127.0.0.1:{settings.ENVIRONMENT.port}"

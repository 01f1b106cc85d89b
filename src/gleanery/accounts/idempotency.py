"""Idempotency-Key: a request that is sent twice is done once, and both are told the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.http import HttpRequest

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import KeptAnswer
from gleanery.errors import Invalid

LASTS = timedelta(days=1)
LONGEST = 255


def once(request: HttpRequest, actor: Actor, route: str, act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """In one transaction with what is done, so that neither is there without the other.

    Of two that come at once the second waits at the unique index until the first is done. Without a key it is just
    done; what fails is not kept, and may be tried again.
    """
    key = _key(request)
    if not key:
        return act()
    digest = hashlib.sha256(request.body).digest()
    asked_by = actor.key.pk if actor.key else actor.user.pk
    which = {"asked_by": asked_by, "route": route, "key": key}
    with transaction.atomic():
        KeptAnswer.objects.filter(**which, created_at__lt=Now() - LASTS).delete()
        row = KeptAnswer(request_hash=digest, **which)
        KeptAnswer.objects.bulk_create([row], ignore_conflicts=True)
        kept = KeptAnswer.objects.get(**which)
        if kept.pk != row.pk:
            return _told_again(kept, digest)
        answer = act()
        KeptAnswer.objects.filter(pk=row.pk).update(answer=answer)
        return answer


def _told_again(kept: KeptAnswer, digest: bytes) -> dict[str, Any]:
    if bytes(kept.request_hash) != digest:
        raise Invalid("This Idempotency-Key was used for another request: take a new one for each; nothing was done.")
    assert isinstance(kept.answer, dict)  # noqa: S101 - it was written in the transaction that made the row
    return kept.answer


def _key(request: HttpRequest) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > LONGEST or not key.isprintable():
        raise Invalid(f"An Idempotency-Key has at most {LONGEST} printable characters.")
    return key


def forget() -> int:
    """What is older than a day; whoever asks again after that is told anew."""
    return KeptAnswer.objects.filter(created_at__lt=Now() - LASTS).delete()[0]

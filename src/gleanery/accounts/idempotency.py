"""Idempotency-Key: a repeated request is executed once and gets the same response."""

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
    """Execute a request unless it was executed before; the response is stored in the same transaction.

    A concurrent repeat waits at the unique index until the first is done. Requests without a key are always executed;
    failures are not stored and may be repeated.
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
            return _stored_answer(kept, digest)
        answer = act()
        KeptAnswer.objects.filter(pk=row.pk).update(answer=answer)
        return answer


def _stored_answer(kept: KeptAnswer, digest: bytes) -> dict[str, Any]:
    if bytes(kept.request_hash) != digest:
        raise Invalid(
            "This Idempotency-Key was used for another request. Nothing was done; send a new key with each request."
        )
    assert isinstance(kept.answer, dict)  # noqa: S101 - written in the transaction that created the row
    return kept.answer


def _key(request: HttpRequest) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > LONGEST or not key.isprintable():
        raise Invalid(f"An Idempotency-Key may have at most {LONGEST} printable characters.")
    return key


def forget() -> int:
    """Delete responses older than a day; a repeat after that is executed again."""
    return KeptAnswer.objects.filter(created_at__lt=Now() - LASTS).delete()[0]

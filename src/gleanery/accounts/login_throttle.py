"""Limit on wrong passwords per address, whatever the user names."""

from __future__ import annotations

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest
from django.utils import timezone

from gleanery.accounts.caller import counted_as
from gleanery.errors import ComeAgain

MOST = 20


def refuse_too_many(request: HttpRequest) -> None:
    """Raise ComeAgain after too many wrong passwords; called before a password is hashed. django-axes counts them."""
    recent = {"ip_address": counted_as(request), "attempt_time__gte": timezone.now() - settings.AXES_COOLOFF_TIME}
    failures = AccessAttempt.objects.filter(**recent).aggregate(n=Sum("failures_since_start"))["n"] or 0
    if failures >= MOST:
        raise ComeAgain(
            "Too many wrong passwords came from this address. Logging in by password is blocked for it for a quarter "
            "of an hour; nothing else is affected.",
            429,
            int(settings.AXES_COOLOFF_TIME.total_seconds()),
        )

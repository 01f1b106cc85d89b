"""Limits on subscriptions asked for in a day: by one caller, for one mailbox, and in all."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from gleanery.accounts.caller import network_of
from gleanery.publishing.digests.models import Subscription
from gleanery.sql import execute

A_DAY = timedelta(days=1)
FROM_ONE_CALLER, TO_ONE_MAILBOX, IN_ALL = 10, 3, 500
KEPT_FOR = timedelta(days=2)
# Sorted, so that two that share both never wait for each other in a circle.
TURNS = """
    SELECT pg_advisory_xact_lock(number) FROM
        (SELECT hashtextextended(name, 0) AS number FROM unnest(%(names)s::text[]) AS name ORDER BY 1) AS turns
"""


def caller_hash(address: str, now: datetime) -> str:
    """Return a hash that is the same for one caller on one day; nobody can read the address from it."""
    return salted_hmac("gleanery.digests", f"{now:%Y-%m-%d} {network_of(address)}", algorithm="sha256").hexdigest()


def take_turns(caller: str, email: str) -> None:
    """Make requests of one caller, or about one mailbox, wait for each other until the transaction ends."""
    execute(TURNS, names=[f"follow {caller}", f"follow {email}"])


def caller_is_over(caller: str, now: datetime) -> bool:
    today = Subscription.objects.filter(created_at__gt=now - A_DAY)
    return today.filter(address_hash=caller).count() >= FROM_ONE_CALLER or today.count() >= IN_ALL


def mailbox_is_over(email: str, now: datetime) -> bool:
    return Subscription.objects.filter(email=email, created_at__gt=now - A_DAY).count() >= TO_ONE_MAILBOX

"""Daily limits of submissions, per address and in total; only hashes of addresses are stored."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.db import connection
from django.utils.crypto import salted_hmac

from gleanery.accounts.caller import network_of
from gleanery.domains.models import Submission

A_DAY_FROM_ONE_ADDRESS = 20
A_DAY_IN_ALL = 2000
KEPT_FOR = timedelta(days=2)
PUBLIC = "public_user"


def address_hash(address: str, now: datetime) -> str:
    """Return a keyed hash of the address that is valid for one day (UTC)."""
    return salted_hmac("gleanery.submissions", f"{now:%Y-%m-%d} {network_of(address)}", algorithm="sha256").hexdigest()


def lock_address(hashed: str) -> None:
    """Serialise requests from one address until the transaction ends, so that none slips past the limit."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(bytes.fromhex(hashed)[:8], signed=True)])


def is_over(hashed: str, now: datetime) -> bool:
    """Return True if a limit is reached; call it in the transaction that stores the submission.

    The total is counted without a lock, so a few simultaneous submissions may exceed it.
    """
    lock_address(hashed)
    if Submission.objects.filter(address_hash=hashed).count() >= A_DAY_FROM_ONE_ADDRESS:
        return True
    today = Submission.objects.filter(submitter_type=PUBLIC, created_at__gte=_midnight_before(now))
    return today.count() >= A_DAY_IN_ALL


def seconds_left_today(now: datetime) -> int:
    return int((_midnight_before(now) + timedelta(days=1) - now).total_seconds()) + 1


def _midnight_before(now: datetime) -> datetime:
    return datetime.combine(now.astimezone(UTC).date(), time(), UTC)

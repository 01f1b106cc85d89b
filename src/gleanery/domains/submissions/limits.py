"""How much one address, and all together, may submit in a day; what is kept cannot be read back as an address."""

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
    """The same for one address on one day (UTC), and useless on the next. Without our secret nobody can compute it."""
    return salted_hmac("gleanery.submissions", f"{now:%Y-%m-%d} {network_of(address)}", algorithm="sha256").hexdigest()


def lock_address(hashed: str) -> None:
    """Requests from one address wait for each other until the transaction ends, so none passes the limit unseen."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(bytes.fromhex(hashed)[:8], signed=True)])


def is_over(hashed: str, now: datetime) -> bool:
    """To be asked, and acted upon, in one transaction.

    The limit for all is counted without a turn: a few at the same moment may pass it, and nobody waits for strangers.
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

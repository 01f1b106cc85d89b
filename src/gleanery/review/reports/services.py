"""Use cases of reports: a visitor reports a problem of a published record, and an edit settles it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from gleanery.domains.submissions import limits
from gleanery.errors import ComeAgain, Invalid, NotFound
from gleanery.resolution.models import Record
from gleanery.review import opening
from gleanery.review.models import Item, Report
from gleanery.review.models import Warning as Row
from gleanery.review.queue.warning_codes import REPORTED
from gleanery.review.reports.reasons import REASONS, sentence
from gleanery.sql import execute
from gleanery.text import clean_text

LONGEST_TEXT, LONGEST_EMAIL = 1_000, 254
A_DAY_FROM_ONE_ADDRESS, A_DAY_IN_ALL = 10, 500
MOST_OPEN = 20  # reports of one record: more would only bury the others
EMAIL_KEPT_FOR = timedelta(days=30)
EDITED = "Its record was edited."

# Deletes e-mail addresses from reports settled long ago. Index: that of the warnings of an item.
FORGET_EMAILS = """
    UPDATE review_warning SET detail = detail - 'email' FROM review_item
    WHERE review_item.id = item_id AND code = %(code)s AND detail ? 'email'
      AND status <> 'pending' AND decided_at < now() - %(kept)s
"""


def report(record_id: UUID, reason: str, text: str = "", email: str = "", *, address: str) -> None:
    """Put the report on the review item of the record; the record stays published."""
    if reason not in REASONS:
        raise Invalid(_("Choose what is wrong."))
    # Cut before it is cleaned, so that megabytes cost nothing.
    text = clean_text(text[: 4 * LONGEST_TEXT], limit=LONGEST_TEXT, multiline=True)
    if reason == "other" and not text:
        raise Invalid(_("Say in a few words what the problem is."))
    detail = {"reason": reason, "text": text, "email": _checked(email)}
    _keep(record_id, sentence(reason, text), {name: value for name, value in detail.items() if value}, address)


def settle(records: Collection[UUID]) -> None:
    """Settle the reports of edited records; other warnings stay open."""
    reported = Row.objects.filter(item__record__in=records, item__status="pending", code=REPORTED)
    items = dict(reported.values_list("item", "item__record"))
    also_asked = Row.objects.filter(item__in=items).exclude(code=REPORTED).values_list("item", flat=True)
    reported.filter(item__in=set(also_asked)).delete()
    opening.supersede_records([record for item, record in items.items() if item not in set(also_asked)], EDITED)


def forget() -> None:
    """Delete data kept for the daily limits, and e-mail addresses of settled reports."""
    Report.objects.filter(created_at__lt=Now() - limits.KEPT_FOR).delete()
    execute(FORGET_EMAILS, code=REPORTED, kept=EMAIL_KEPT_FOR)


def _checked(email: str) -> str:
    email = clean_text(email[: 2 * LONGEST_EMAIL])
    if not email:
        return ""
    try:
        validate_email(email)
    except ValidationError:
        raise Invalid(_("This is not an e-mail address. Correct it, or leave the field empty.")) from None
    return email


@transaction.atomic
def _keep(record_id: UUID, said: str, detail: dict[str, Any], address: str) -> None:
    now = timezone.now()
    hashed = limits.address_hash(address, now)
    limits.lock_address(hashed)
    if _is_over(hashed):
        problem = _("There were many reports today. Nothing was sent; please try again tomorrow.")
        raise ComeAgain(problem, status=429, retry_after=limits.seconds_left_today(now))
    # Decisions lock in the same order: the record, then its item.
    record = Record.objects.select_for_update(no_key=True, of=("self",)).filter(pk=record_id).first()
    if record is None or record.status != "published":
        raise NotFound(_("This entry is no longer on the site, so there is nothing to report."))
    Report.objects.create(address_hash=hashed)
    item = opening.open_items([record.pk])[record.pk]
    if Row.objects.filter(item=item, code=REPORTED).count() < MOST_OPEN:
        Row.objects.bulk_create([Row(item_id=item, code=REPORTED, sentence=said, detail=detail)], ignore_conflicts=True)
        # A reviewer who has the item open has not seen this report, and must not settle it unread.
        Item.objects.filter(pk=item).update(version=F("version") + 1)


def _is_over(hashed: str) -> bool:
    if Report.objects.filter(address_hash=hashed).count() >= A_DAY_FROM_ONE_ADDRESS:
        return True
    return Report.objects.filter(created_at__gt=Now() - timedelta(days=1)).count() >= A_DAY_IN_ALL

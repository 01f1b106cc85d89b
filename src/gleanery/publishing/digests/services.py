"""Use cases of subscriptions: ask for one, confirm it, leave, delete all that is kept of a mailbox."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import parse_qsl
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import ComeAgain, Invalid, NotFound
from gleanery.publishing.digests import limits
from gleanery.publishing.digests.links import BROKEN, CONFIRMABLE_FOR
from gleanery.publishing.digests.models import LONGEST_ADDRESS, LONGEST_QUERY, Letter, Subscription
from gleanery.publishing.digests.rhythm import RHYTHMS, next_due
from gleanery.publishing.models import LANGUAGES
from gleanery.publishing.search.filters import Filters, read
from gleanery.roles import Role

LETTERS_KEPT = timedelta(days=90)
NO_MAILBOX = _("This is no e-mail address: it should look like name@example.org.")
TOO_MANY = _("Too many e-mails were asked for from your network today. Nothing was sent; try again tomorrow.")
TOO_LONG = _("This search is too long to be saved: use fewer words.")
NO_RHYTHM = _("Choose how often the e-mails should come.")


@dataclass(frozen=True, slots=True)
class Wish:
    email: str
    filters: Filters
    rhythm: str
    reminds: bool
    language: str


@dataclass(frozen=True, slots=True)
class Followed:
    search: str
    rhythm: str
    followers: int


def is_on() -> bool:
    return bool(settings.ENVIRONMENT.smtp_url)


def filters_of(subscription: Subscription) -> Filters:
    return read(dict(parse_qsl(subscription.query)))


def mailbox(given: str) -> str:
    """Return the address as it is kept: in small letters, its host as ASCII."""
    text = given.strip()[: 2 * LONGEST_ADDRESS]
    try:
        EmailValidator()(text)
        name, _, host = text.rpartition("@")
        email = f"{name}@{host.encode('idna').decode()}".lower()
    except (ValidationError, UnicodeError):
        raise Invalid(str(NO_MAILBOX)) from None
    if len(email) > LONGEST_ADDRESS or not email.isascii() or set(email) & set('"[]'):
        raise Invalid(str(NO_MAILBOX))
    return email


@transaction.atomic
def ask(wish: Wish, address: str) -> None:
    """Queue the e-mail that asks for confirmation. Whether the mailbox is known, or has had enough, is not said."""
    if wish.rhythm not in RHYTHMS or wish.language not in LANGUAGES:
        raise Invalid(str(NO_RHYTHM))
    email, query, now = mailbox(wish.email), wish.filters.address(), timezone.now()
    if len(query) > LONGEST_QUERY:
        raise Invalid(str(TOO_LONG))
    caller = limits.caller_hash(address, now)
    limits.take_turns(caller, email)
    if limits.caller_is_over(caller, now):
        raise ComeAgain(str(TOO_MANY), 429, int(limits.A_DAY.total_seconds()))
    if limits.mailbox_is_over(email, now):
        return
    subscription = Subscription.objects.create(
        email=email,
        query=query,
        rhythm=wish.rhythm,
        reminds=wish.reminds,
        language=wish.language,
        address_hash=caller,
    )
    Letter.objects.create(subscription=subscription, type="confirmation")


@transaction.atomic
def confirm(subscription: UUID) -> Subscription:
    """Begin to send; an earlier subscription of the same mailbox to the same search ends."""
    row = find(subscription, lock=True)
    if row.confirmed_at is None:
        row.confirmed_at = row.since = timezone.now()
        row.due_at = next_due(row.rhythm, row.confirmed_at)
        row.save(update_fields=["confirmed_at", "since", "due_at"])
        same = Subscription.objects.filter(email=row.email, query=row.query, confirmed_at__isnull=False)
        same.exclude(pk=row.pk).delete()
    return row


def find(subscription: UUID, *, lock: bool = False) -> Subscription:
    found = Subscription.objects.select_for_update() if lock else Subscription.objects
    row = found.filter(pk=subscription).first()
    if row is None:
        raise NotFound(str(BROKEN))
    return row


@transaction.atomic
def leave(subscription: UUID) -> None:
    """Delete it with its letters. Whoever left already has left."""
    Subscription.objects.filter(pk=subscription).delete()


@transaction.atomic
def leave_all(subscription: UUID) -> None:
    """Delete all that is kept of the mailbox of this subscription."""
    row = Subscription.objects.filter(pk=subscription).first()
    if row is not None:
        Subscription.objects.filter(email=row.email).delete()


@transaction.atomic
def forget_mailbox(actor: Actor, given: str) -> int:
    """Delete all that is kept of a mailbox whose owner asked the operator; return how many subscriptions."""
    actor.must_be(Role.ADMIN, "forget a subscriber")
    found = Subscription.objects.filter(email=mailbox(given))
    count = found.count()
    found.delete()
    journal.write_of_store(actor, "forget_subscriber", after={"subscriptions": count})
    return count


def followed() -> list[Followed]:
    """Return the searches that somebody follows, those of most followers first; without their mailboxes."""
    rows = Subscription.objects.filter(confirmed_at__isnull=False).values_list("query", "rhythm")
    counted = rows.annotate(followers=Count("id")).order_by("-followers", "query", "rhythm")
    return [Followed(f"/search?{query}" if query else "/search", rhythm, count) for query, rhythm, count in counted]


@transaction.atomic
def forget() -> None:
    """Delete what nobody confirmed in time, whose caller asked for it, and letters of long ago."""
    now = timezone.now()
    Subscription.objects.filter(confirmed_at=None, created_at__lt=now - CONFIRMABLE_FOR).delete()
    old = Subscription.objects.filter(created_at__lt=now - limits.KEPT_FOR)
    old.exclude(address_hash="").update(address_hash="")
    Letter.objects.filter(until__lt=now - LETTERS_KEPT).delete()

"""Sending: letter after letter, each composed when its turn comes, and marked just before the server could take it."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr
from itertools import islice

import structlog
from django.conf import settings
from django.utils import timezone, translation

from gleanery.errors import Conflict, MailProblem
from gleanery.net import mail
from gleanery.publishing.digests import items, queue, services, wording
from gleanery.publishing.digests.links import links_of, root
from gleanery.publishing.digests.models import Subscription
from gleanery.publishing.digests.queue import Taken
from gleanery.publishing.site import presentation
from gleanery.publishing.syndication.title import title_of

log = structlog.get_logger(__name__)

MOST_PROBLEMS = 5  # after so many it is the server, not a mailbox that wants to be asked later
MOST_AT_ONCE = 200  # the job comes back in a minute, and leaves room for others until then


def send_waiting() -> int:
    """Send what waits; return how many the server took. A server that does not answer is not asked for each letter."""
    sent = problems = 0
    for letter in islice(iter(queue.take, None), MOST_AT_ONCE):
        subscription = Subscription.objects.filter(pk=letter.subscription).first()
        if subscription is None:
            continue  # it went with its letters, after this one was taken
        try:
            sent += _send(letter, subscription)
        except MailProblem as problem:
            log.warning("an e-mail was not sent", letter=str(letter.id), reason=str(problem))
            _settle(letter, problem)
            problems += not problem.is_final
        if problems >= MOST_PROBLEMS:
            break
    return sent


def _send(letter: Taken, subscription: Subscription) -> int:
    with translation.override(subscription.language):
        message = _composed(letter, subscription)
    if message is None:
        queue.end(letter, "empty")
        return 0

    def mark() -> None:
        if not queue.begin_handing(letter):
            raise Conflict("Another worker has this letter by now.")

    sender = parseaddr(settings.ENVIRONMENT.smtp_from)[1]
    try:
        mail.send(mail.MailServer.at(settings.ENVIRONMENT.smtp_url), message, sender, subscription.email, mark)
    except Conflict:
        return 0
    queue.end(letter, "sent")
    if subscription.refused:
        Subscription.objects.filter(pk=subscription.pk).update(refused=0)
    return 1


def _settle(letter: Taken, problem: MailProblem) -> None:
    if problem.is_unsure:
        queue.end(letter, "unsure")
    elif not problem.is_final:
        queue.try_again(letter)
    elif queue.refuse(letter):
        services.leave(letter.subscription)


def _composed(letter: Taken, subscription: Subscription) -> EmailMessage | None:
    site, links = presentation.current().name, links_of(subscription.pk)
    if letter.type == "confirmation":
        text = wording.confirmation(site, links)
    elif (found := _digest(letter, subscription, site, letter.since)) is not None:
        text = found
    else:
        return None
    return wording.message(text, letter.id, settings.ENVIRONMENT.smtp_from, subscription.email, site)


def _digest(letter: Taken, subscription: Subscription, site: str, since: datetime | None) -> wording.Text | None:
    """Return nothing where there is nothing to report."""
    assert since is not None  # noqa: S101  # every digest has its window
    today, filters = timezone.now().date(), services.filters_of(subscription)
    window = items.Window(since, letter.until, subscription.rhythm, subscription.reminds)
    new, closing = items.new_entries(filters, window, today), items.closing_entries(filters, window, today)
    if not new.entries and not closing.entries:
        return None
    address = filters.address()
    search = f"{root()}/search?{address}" if address else f"{root()}/search"
    about = wording.About(site, title_of(filters), search, links_of(subscription.pk).leave)
    return wording.digest(about, new, closing, today)

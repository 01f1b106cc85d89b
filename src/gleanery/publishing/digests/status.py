"""State of e-mails about searches, for `gleanery doctor`."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parseaddr

from django.conf import settings
from django.utils import timezone

from gleanery.net import mail
from gleanery.publishing.digests.models import Letter, Subscription
from gleanery.text import counted

OFF = "off, so visitors cannot follow a search by e-mail; GLEANERY_SMTP_URL turns it on"
NO_ADDRESS = "Set GLEANERY_PUBLIC_URL: the links in the e-mails lead to this machine and to no other."
LOST = ("given_up", "unsure")


def standing() -> tuple[str, str]:
    """Return a sentence and a hint; a server that does not answer is an error."""
    environment = settings.ENVIRONMENT
    if not environment.smtp_url:
        return OFF, ""
    server = mail.MailServer.at(environment.smtp_url)
    mail.check(server, parseaddr(environment.smtp_from)[1])
    confirmed = Subscription.objects.filter(confirmed_at__isnull=False).count()
    recent = Letter.objects.filter(until__gt=timezone.now() - timedelta(days=7))
    sent, lost = recent.filter(status="sent").count(), recent.filter(status__in=LOST).count()
    says = (
        f"on: {server.host} takes them; {counted(confirmed, 'subscription')}, "
        f"{counted(sent, 'e-mail')} sent and {lost} lost within a week"
    )
    return says, "" if environment.public_url else NO_ADDRESS

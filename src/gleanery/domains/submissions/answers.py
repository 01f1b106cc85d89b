"""Answers to those who submit a source: one for each outcome, in one or two sentences, in the language of the page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.dateformat import format as formatted
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from gleanery.domains.models import Domain
from gleanery.domains.names import DomainName

# HTTP status of each outcome.
STATUS = {
    "submitted": 201,
    "approved_at_once": 201,
    "queued": 201,
    "unknown_domain": 200,
    "pending": 200,
    "approved": 200,
    "rejected": 409,
    "suspended": 409,
    "blacklisted": 409,
    "refused": 422,
    "limit": 429,
}


@dataclass(frozen=True, slots=True)
class Offer:
    """Action that happens if the submitter says yes."""

    action: str
    question: str
    button: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a submission. `token` is the secret of its link; `field` names the input to correct."""

    code: str
    message: str
    domain: str = ""
    offer: Offer | None = None
    token: str = ""
    warnings: tuple[str, ...] = ()
    field: str = ""
    retry_after: int = 0

    @property
    def status(self) -> int:
        return STATUS[self.code]


def submitted(name: DomainName, url: str) -> Outcome:
    message = _("Thank you. %(site)s now waits for a reviewer.") % {"site": name.display}
    then = _("The page that you gave is read as soon as it is approved.") if url else ""
    return Outcome("submitted", f"{message} {then}".strip(), name.name)


def approved_at_once(name: DomainName) -> Outcome:
    message = _("Thank you. %(site)s is trusted, so it is approved already and will be read soon.")
    return Outcome("approved_at_once", message % {"site": name.display}, name.name)


def queued(name: DomainName, url: str) -> Outcome:
    message = _("%(site)s is an approved source. %(page)s will be read soon.")
    page = url or _("Every page of %(site)s") % {"site": name.display}
    return Outcome("queued", message % {"site": name.display, "page": page}, name.name)


def unknown_domain(name: DomainName) -> Outcome:
    shown = {"site": name.display}
    question = _("Would you like to submit %(site)s for review?")
    offer = Offer("submit", question % shown, _("Yes, submit %(site)s") % shown)
    return Outcome("unknown_domain", _("%(site)s is not one of our sources yet.") % shown, name.name, offer)


def pending(name: DomainName, *, wrote: bool) -> Outcome:
    message = _("%(site)s was already submitted for review.") % {"site": name.display}
    added = _("What you wrote was added for the reviewer.") if wrote else _("Nothing more is needed.")
    return Outcome("pending", f"{message} {added}", name.name)


def approved(domain: Domain, *, may_rescrape: bool) -> Outcome:
    shown = domain.display
    if not may_rescrape:
        return Outcome("approved", _already_a_source(domain), domain.name)
    seen = f"was last looked at on {_day(domain.last_crawled_at)}" if domain.last_crawled_at else "will be read soon"
    offer = Offer("rescrape", f"Would you like to re-scrape {shown}?", f"Yes, re-scrape {shown}")
    return Outcome("approved", f"{shown} is already approved; it {seen}.", domain.name, offer)


def _already_a_source(domain: Domain) -> str:
    if not domain.last_crawled_at:
        return _("%(site)s is one of our sources already; it will be read soon.") % {"site": domain.display}
    message = _("%(site)s is one of our sources already; it was last looked at on %(day)s.")
    return message % {"site": domain.display, "day": _day(domain.last_crawled_at)}


def already_crawling(domain: Domain, why: str) -> Outcome:
    return Outcome("approved", why, domain.name)


def rejected(domain: Domain, *, staff: bool, may_resubmit: bool) -> Outcome:
    """Return the answer, with the reason only for staff, because it was not written for the public."""
    shown = domain.display
    if not staff:
        message = _("%(site)s was reviewed before and is not one of our sources.")
        return Outcome("rejected", message % {"site": shown}, domain.name)
    offer = Offer("resubmit", f"Would you like to have {shown} reviewed again?", f"Yes, review {shown} again")
    message = f"{shown} was rejected: {domain.rejection_reason}"
    return Outcome("rejected", message, domain.name, offer if may_resubmit else None)


def suspended(domain: Domain) -> Outcome:
    message = _("%(site)s is a source that is paused at the moment: nothing is read from it until it is resumed.")
    return Outcome("suspended", message % {"site": domain.display}, domain.name)


def blacklisted(domain: Domain, *, staff: bool) -> Outcome:
    shown = domain.display
    if not staff:
        return Outcome("blacklisted", _("%(site)s cannot be taken as a source.") % {"site": shown}, domain.name)
    message = f"{shown} is blacklisted: {domain.blacklist_reason} An admin can lift that."
    return Outcome("blacklisted", message, domain.name)


def refused(why: str, field: str) -> Outcome:
    return Outcome("refused", why, field=field)


def limit(seconds: int) -> Outcome:
    hours, minutes = divmod(-(-seconds // 60), 60)
    when = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    message = _(
        "That is more than we can take from here in one day. Please come again in %(when)s, after midnight UTC."
    )
    return Outcome("limit", message % {"when": when}, retry_after=seconds)


# Text of the page of a submission, by the current state of its domain.
STANDING: dict[str, str | Promise] = {
    "none": later("It is not being considered at the moment."),
    "pending_review": later("It waits for a reviewer. There is nothing more for you to do."),
    "approved": later("It was approved: its pages are read regularly."),
    "rejected": later("It was reviewed and not taken as a source."),
    "suspended": later("It was approved, and is paused at the moment."),
    "blacklisted": later("It cannot be taken as a source."),
}


def _day(moment: datetime) -> str:
    return formatted(moment, "j F Y")

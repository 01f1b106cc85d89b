"""What somebody who submits a source is told: one answer for each outcome, in one or two sentences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gleanery.domains.models import Domain
from gleanery.domains.names import DomainName

# What the web says to programs about each outcome.
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
    """What a yes would do."""

    action: str
    question: str
    button: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """`token` is the secret of the link to follow it by; `field` names what the sender should correct."""

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
    then = " The page that you gave is read as soon as it is approved." if url else ""
    return Outcome("submitted", f"Thank you. {name.display} now waits for a reviewer.{then}", name.name)


def approved_at_once(name: DomainName) -> Outcome:
    return Outcome(
        "approved_at_once",
        f"Thank you. {name.display} is trusted, so it is approved already and will be read soon.",
        name.name,
    )


def queued(name: DomainName, url: str) -> Outcome:
    what = url or f"Every page of {name.display}"
    return Outcome("queued", f"{name.display} is an approved source. {what} will be read soon.", name.name)


def unknown_domain(name: DomainName) -> Outcome:
    offer = Offer("submit", f"Would you like to submit {name.display} for review?", f"Yes, submit {name.display}")
    return Outcome("unknown_domain", f"{name.display} is not one of our sources yet.", name.name, offer)


def pending(name: DomainName, *, wrote: bool) -> Outcome:
    added = "What you wrote was added for the reviewer." if wrote else "Nothing more is needed."
    return Outcome("pending", f"{name.display} was already submitted for review. {added}", name.name)


def approved(domain: Domain, *, may_rescrape: bool) -> Outcome:
    shown = domain.display
    seen = f"was last looked at on {_day(domain.last_crawled_at)}" if domain.last_crawled_at else "will be read soon"
    if not may_rescrape:
        return Outcome("approved", f"{shown} is one of our sources already; it {seen}.", domain.name)
    offer = Offer("rescrape", f"Would you like to re-scrape {shown}?", f"Yes, re-scrape {shown}")
    return Outcome("approved", f"{shown} is already approved; it {seen}.", domain.name, offer)


def under_way(domain: Domain, why: str) -> Outcome:
    return Outcome("approved", why, domain.name)


def rejected(domain: Domain, *, staff: bool, may_resubmit: bool) -> Outcome:
    """Why is for staff: a reviewer's words were not written for the public."""
    shown = domain.display
    if not staff:
        return Outcome("rejected", f"{shown} was reviewed before and is not one of our sources.", domain.name)
    offer = Offer("resubmit", f"Would you like to have {shown} reviewed again?", f"Yes, review {shown} again")
    message = f"{shown} was rejected: {domain.rejection_reason}"
    return Outcome("rejected", message, domain.name, offer if may_resubmit else None)


def suspended(domain: Domain) -> Outcome:
    message = f"{domain.display} is a source that is paused at the moment: nothing is read from it until it is resumed."
    return Outcome("suspended", message, domain.name)


def blacklisted(domain: Domain, *, staff: bool) -> Outcome:
    shown = domain.display
    if not staff:
        return Outcome("blacklisted", f"{shown} cannot be taken as a source.", domain.name)
    message = f"{shown} is blacklisted: {domain.blacklist_reason} An admin can lift that."
    return Outcome("blacklisted", message, domain.name)


def refused(why: str, field: str) -> Outcome:
    return Outcome("refused", why, field=field)


def limit(seconds: int) -> Outcome:
    hours, minutes = divmod(-(-seconds // 60), 60)
    when = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    message = f"That is more than we can take from here in one day. Please come again in {when}, after midnight UTC."
    return Outcome("limit", message, retry_after=seconds)


# What the link of a submission says, whatever its domain has been through since.
STANDING = {
    "none": "It is not being considered at the moment.",
    "pending_review": "It waits for a reviewer. There is nothing more for you to do.",
    "approved": "It was approved: its pages are read regularly.",
    "rejected": "It was reviewed and not taken as a source.",
    "suspended": "It was approved, and is paused at the moment.",
    "blacklisted": "It cannot be taken as a source.",
}


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"

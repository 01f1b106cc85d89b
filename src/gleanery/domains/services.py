"""Use cases of domains: changes of state, blacklisting and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import ExtractYear, Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.domains import registry
from gleanery.domains.life import BACK_OFF, PROCESSING, YEARS
from gleanery.domains.models import Domain
from gleanery.errors import GleaneryError, Invalid
from gleanery.roles import Role
from gleanery.text import clean_text

Done = TypeVar("Done")
LONGEST_REASON = 2000
LONGEST_NOTES = 20_000


def update_status(
    actor: Actor, domain: Domain, action: str, *, reason: str = "", only_if: Q | None = None, **changes: Any
) -> Domain:
    """Apply an action of the processing table; Conflict if another writer was first."""
    return journal.move(domain, PROCESSING, action, actor, reason=reason, only_if=only_if, **changes)


def start(actor: Actor, domain: Domain) -> Domain:
    """Start processing, unless it is pausing after a failure or has no funds this year."""
    in_time = Q(retry_after=None) | Q(retry_after__lte=Now())
    in_a_new_year = ~Q(processing_status="no_funds_this_year") | Q(no_funds_year__lt=ExtractYear(Now()))
    return update_status(
        actor,
        domain,
        "start",
        only_if=in_time & in_a_new_year,
        processing_count=F("processing_count") + 1,
        no_funds_year=None,
    )


def finish(actor: Actor, domain: Domain, **changes: Any) -> Domain:
    """Finish processing and reset its failures."""
    forgotten: dict[str, Any] = {"failure_count": 0, "failure_reason": "", "retry_after": None}
    return update_status(actor, domain, "finish", last_processed_at=Now(), **forgotten, **changes)


def fail(actor: Actor, domain: Domain, reason: str) -> Domain:
    """Record a failure and pause the domain, longer after each failure in a row."""
    reason = _reason(reason)
    rest = Case(
        *(When(failure_count=count, then=Value(pause)) for count, pause in enumerate(BACK_OFF[:-1])),
        default=Value(BACK_OFF[-1]),
    )
    return update_status(
        actor,
        domain,
        "fail",
        reason=reason,
        failure_reason=reason,
        failure_count=F("failure_count") + 1,
        last_processed_at=Now(),
        retry_after=Now() + rest,
    )


def rate(actor: Actor, domain: Domain, *, high: bool) -> Domain:
    return update_status(actor, domain, "rate_high" if high else "rate_low")


def no_funds(actor: Actor, domain: Domain, year: int) -> Domain:
    """Mark a source as without funds this year; it is read again in the next one."""
    if year not in YEARS:
        raise Invalid(f"The year must be from {YEARS[0]} to {YEARS[-1]}. Nothing was changed.")
    return update_status(actor, domain, "no_funds", no_funds_year=year)


@transaction.atomic
def blacklist(actor: Actor, url_or_host: str, reason: str) -> Domain:
    """Blacklist a domain, known or not: it is never searched, shown or crawled until an admin lifts that."""
    return blacklist_row(actor, registry.register(url_or_host), reason)


@transaction.atomic
def blacklist_row(actor: Actor, domain: Domain, reason: str) -> Domain:
    reason = _reason(reason)
    domain = update_status(
        actor,
        domain,
        "blacklist",
        reason=reason,
        blacklisted_at=Now(),
        blacklisted_by=actor.user,
        blacklist_reason=reason,
    )
    domain.followed = pipeline.happened_to_domains("blacklisted", [domain.pk])
    return domain


@transaction.atomic
def lift(actor: Actor, domain: Domain, reason: str) -> Domain:
    """Take a domain off the blacklist; it starts over as discovered and without approval."""
    domain = update_status(
        actor,
        domain,
        "lift",
        reason=_reason(reason),
        approval_status="none",
        lifted_at=Now(),
        blacklisted_at=None,
        blacklisted_by=None,
        blacklist_reason="",
        failure_count=0,
        failure_reason="",
        retry_after=None,
        no_funds_year=None,
    )
    domain.followed = pipeline.happened_to_domains("lifted", [domain.pk])
    return domain


@transaction.atomic
def set_notes(actor: Actor, domain: Domain, notes: str) -> Domain:
    actor.must_be(Role.REVIEWER, "write notes")
    text = clean_text(notes, limit=LONGEST_NOTES, multiline=True)
    Domain.objects.filter(pk=domain.pk).update(notes=text)
    journal.write(actor, "set_notes", domain, after={"notes": text})
    return domain


@dataclass(frozen=True, slots=True)
class Refusal:
    given: str
    reason: str


def blacklist_many(actor: Actor, given: Iterable[str], reason: str) -> tuple[list[Domain], list[Refusal]]:
    """Blacklist each domain separately; refused ones are returned with their reasons."""
    reason = _reason(reason)
    return each_alone(given, lambda name: blacklist(actor, name, reason))


def each_alone(given: Iterable[str], act: Callable[[str], Done]) -> tuple[list[Done], list[Refusal]]:
    """Act on each name separately; return the results, and refused names with their reasons."""
    done, refused = [], []
    for name in given:
        try:
            done.append(act(name))
        except GleaneryError as problem:
            refused.append(Refusal(clean_text(name, limit=200), str(problem)))
    return done, refused


def _reason(reason: str) -> str:
    text = clean_text(reason, limit=LONGEST_REASON, multiline=True)
    if not text:
        raise Invalid("Nothing was changed, because there is no reason. Say why in a few words.")
    return text

"""Use cases of submissions: anybody proposes a source, gets a clear answer, and can follow what becomes of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.secrets import digest
from gleanery.domains import registry
from gleanery.domains.life import APPROVAL, BLACKLISTED, PROCESSING
from gleanery.domains.models import Domain, Submission
from gleanery.domains.names import DomainName
from gleanery.domains.submissions import answers, limits
from gleanery.domains.submissions.answers import Outcome
from gleanery.domains.submissions.proposal import Proposal, check_depth, proposal_of, warnings_about
from gleanery.domains.urls import LONGEST
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.roles import DECIDER, Scope, may_act
from gleanery.text import clean_text

LONGEST_CONTEXT = 2000
MOST_PAGES_WAITING = 100


@dataclass(frozen=True, slots=True)
class Wish:
    """A submission that makes sense, and who makes it."""

    given: str
    proposal: Proposal
    context: str
    depth: int | None
    by: Actor | None
    address_hash: str
    yes: bool

    @property
    def staff(self) -> bool:
        return is_staff(self.by)


def submit(
    given: str,
    *,
    context: str = "",
    depth: int | None = None,
    by: Actor | None = None,
    address: str = "",
    yes: bool = False,
) -> Outcome:
    """`yes` says yes to what an earlier answer offered. Without `by` it is the public, whose address has its limits."""
    try:
        proposal = _proposal(given, by)
    except Invalid as problem:
        return answers.refused(str(problem), "given")
    try:
        check_depth(depth)
    except Invalid as problem:
        return answers.refused(str(problem), "depth")
    hashed = "" if is_staff(by) else limits.address_hash(address, timezone.now())
    # Cut before it is cleaned, so that megabytes cost nothing.
    text = clean_text(context[: 4 * LONGEST_CONTEXT], limit=LONGEST_CONTEXT, multiline=True)
    wish = Wish(clean_text(given[: 2 * LONGEST], limit=LONGEST), proposal, text, depth, by, hashed, yes)
    return replace(_within_limits(wish), warnings=warnings_about(depth))


def pretend(given: str) -> Outcome:
    """For programs that fill in what people do not see: the usual answer, and nothing is stored."""
    try:
        proposal = _proposal(given, None)
    except Invalid as problem:
        return answers.refused(str(problem), "given")
    return replace(answers.submitted(proposal.name, proposal.url), token=_new_token())


def follow(token: str) -> Submission:
    found = Submission.objects.select_related("domain").filter(follow_hash=digest(token)).first()
    if found is None:
        raise NotFound("This link leads to no submission: check that it is complete.")
    return found


def standing_of(domain: Domain | None) -> str:
    """What people decided about it, as the public may know it."""
    if domain is None:
        return APPROVAL.first
    return BLACKLISTED if domain.processing_status == BLACKLISTED else domain.approval_status


def submissions_of(domain: Domain) -> QuerySet[Submission]:
    """All that anybody wrote about it, the newest first."""
    return Submission.objects.filter(domain=domain).select_related("submitted_by").order_by("-id")


def submitted_urls(domain_id: UUID) -> list[str]:
    """Pages that people asked for before the domain was approved: the crawl that follows its approval begins here."""
    waiting = Submission.objects.filter(domain=domain_id).exclude(url="").exclude(outcome="queued").order_by("-id")
    return list(dict.fromkeys(waiting.values_list("url", flat=True)[:MOST_PAGES_WAITING]))


def forget() -> None:
    """What is needed for the limits of a day is not kept longer; nor are questions to which nobody said yes."""
    old = Submission.objects.filter(created_at__lt=Now() - limits.KEPT_FOR)
    old.filter(domain=None).delete()
    old.exclude(address_hash="").update(address_hash="")


def is_staff(by: Actor | None) -> bool:
    return by is not None and not by.scopes.isdisjoint({Scope.INGEST, Scope.DECIDE})


def _proposal(given: str, by: Actor | None) -> Proposal:
    """Only staff may name what the operator has on an intranet; others would learn what is there."""
    return proposal_of(given, settings.ENVIRONMENT.net_resolve if is_staff(by) else ())


@transaction.atomic
def _within_limits(wish: Wish) -> Outcome:
    now = timezone.now()
    if not wish.staff:
        _forget_question(wish)
        if limits.is_over(wish.address_hash, now):
            return answers.limit(limits.seconds_left_today(now))
    return _answer(wish)


def _forget_question(wish: Wish) -> None:
    """A yes takes the place of the question that it answers, so that both count once."""
    if wish.yes:
        question = {"address_hash": wish.address_hash, "url": wish.proposal.url, "outcome": "unknown_domain"}
        Submission.objects.filter(**question).delete()


def _answer(wish: Wish) -> Outcome:
    """The row is locked, so that nothing changes between the answer and what is done about it."""
    name, url = wish.proposal.name, wish.proposal.url
    domain = _locked(name)
    if url and not wish.yes and standing_of(domain) == "none":
        _keep(wish, None, "unknown_domain")
        return answers.unknown_domain(name)
    domain = domain or _registered(name)
    return ANSWERS[standing_of(domain)](wish, domain)


def _locked(name: DomainName) -> Domain | None:
    return Domain.objects.select_for_update(no_key=True).filter(name=name.name).first()


def _registered(name: DomainName) -> Domain:
    """Registered by somebody else at the same moment, it is theirs, with whatever they made of it."""
    registry.register(name.name)
    return Domain.objects.select_for_update(no_key=True).get(name=name.name)


def _new(wish: Wish, domain: Domain) -> Outcome:
    return _into_review(wish, domain, "submit")


def _pending(wish: Wish, domain: Domain) -> Outcome:
    return _only_kept(wish, domain, answers.pending(domain.named, wrote=bool(wish.context)))


def _approved(wish: Wish, domain: Domain) -> Outcome:
    may_rescrape = wish.by is not None and may_act(wish.by.who, DECIDER)
    if wish.proposal.url:
        pipeline.pages_submitted(domain.pk, [wish.proposal.url])
    elif wish.by is not None and may_rescrape and wish.yes:
        try:
            pipeline.rescrape_asked(wish.by, domain.pk)
        except Conflict as problem:
            return _only_kept(wish, domain, answers.under_way(domain, str(problem)))
    else:
        return _only_kept(wish, domain, answers.approved(domain, may_rescrape=may_rescrape))
    return _only_kept(wish, domain, answers.queued(domain.named, wish.proposal.url))


def _rejected(wish: Wish, domain: Domain) -> Outcome:
    may_resubmit = wish.by is not None and "resubmit" in APPROVAL.allowed("rejected", wish.by.who)
    if wish.yes and may_resubmit:
        return _into_review(wish, domain, "resubmit")
    return _only_kept(wish, domain, answers.rejected(domain, staff=wish.staff, may_resubmit=may_resubmit))


def _suspended(wish: Wish, domain: Domain) -> Outcome:
    return _only_kept(wish, domain, answers.suspended(domain))


def _blacklisted(wish: Wish, domain: Domain) -> Outcome:
    return _only_kept(wish, domain, answers.blacklisted(domain, staff=wish.staff))


# What the domain is -> what is answered, and done.
ANSWERS: dict[str, Callable[[Wish, Domain], Outcome]] = {
    "none": _new,
    "pending_review": _pending,
    "approved": _approved,
    "rejected": _rejected,
    "suspended": _suspended,
    "blacklisted": _blacklisted,
}


def _into_review(wish: Wish, domain: Domain, action: str) -> Outcome:
    """It is kept first: whoever is told of the domain finds the page that was asked for."""
    token = _keep(wish, domain, "submitted")
    journal.move(domain, APPROVAL, action, wish.by or system(), **_facts(wish))
    if domain.processing_status == PROCESSING.first:
        journal.move(domain, PROCESSING, "propose", system())
    pipeline.happened_to_domains("submitted", [domain.pk])
    domain.refresh_from_db()
    if domain.approval_status != "approved":
        return replace(answers.submitted(domain.named, wish.proposal.url), token=token)
    outcome = answers.approved_at_once(domain.named)
    Submission.objects.filter(follow_hash=digest(token)).update(outcome=outcome.code)
    return replace(outcome, token=token)


def _facts(wish: Wish) -> dict[str, Any]:
    facts = {
        "submitted_by": wish.by.user if wish.by else None,
        "submitter_type": _submitter_type(wish),
        "submission_context": wish.context,
    }
    return facts if wish.depth is None else facts | {"max_crawl_depth": wish.depth}


def _only_kept(wish: Wish, domain: Domain, outcome: Outcome) -> Outcome:
    return replace(outcome, token=_keep(wish, domain, outcome.code))


def _keep(wish: Wish, domain: Domain | None, outcome: str) -> str:
    """Returns the secret by which it can be followed; only its digest is kept."""
    token = _new_token()
    Submission.objects.create(
        given=wish.given,
        url=wish.proposal.url,
        domain=domain,
        context=wish.context,
        depth=wish.depth,
        submitter_type=_submitter_type(wish),
        submitted_by=wish.by.user if wish.by else None,
        address_hash=wish.address_hash,
        outcome=outcome,
        follow_hash=digest(token),
    )
    return token


def _submitter_type(wish: Wish) -> str:
    return "admin" if wish.staff else limits.PUBLIC


def _new_token() -> str:
    return secrets.token_urlsafe(32)

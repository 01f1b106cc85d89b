"""Use cases of submissions: anybody can propose a source, gets an answer, and can follow its state."""

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
    """Valid submission with its sender."""

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
    """Submit a source. `yes` accepts an earlier offer; without `by` the sender is the public, limited by address."""
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
    """Return the usual answer without storing anything, for spam programs that fill in a hidden field."""
    try:
        proposal = _proposal(given, None)
    except Invalid as problem:
        return answers.refused(str(problem), "given")
    return replace(answers.submitted(proposal.name, proposal.url), token=_new_token())


def follow(token: str) -> Submission:
    found = Submission.objects.select_related("domain").filter(follow_hash=digest(token)).first()
    if found is None:
        raise NotFound("There is no submission with this link. Check that you have copied all of it.")
    return found


def standing_of(domain: Domain | None) -> str:
    """Return the approval state that the public may see."""
    if domain is None:
        return APPROVAL.first
    return BLACKLISTED if domain.processing_status == BLACKLISTED else domain.approval_status


def submissions_of(domain: Domain) -> QuerySet[Submission]:
    """Return all submissions of a domain, the newest first."""
    return Submission.objects.filter(domain=domain).select_related("submitted_by").order_by("-id")


def submitted_urls(domain_id: UUID) -> list[str]:
    """Return pages submitted before the domain was approved; its first crawl starts with them."""
    waiting = Submission.objects.filter(domain=domain_id).exclude(url="").exclude(outcome="queued").order_by("-id")
    return list(dict.fromkeys(waiting.values_list("url", flat=True)[:MOST_PAGES_WAITING]))


def forget() -> None:
    """Delete data kept for the daily limits, and questions that nobody said yes to."""
    old = Submission.objects.filter(created_at__lt=Now() - limits.KEPT_FOR)
    old.filter(domain=None).delete()
    old.exclude(address_hash="").update(address_hash="")


def is_staff(by: Actor | None) -> bool:
    return by is not None and not by.scopes.isdisjoint({Scope.INGEST, Scope.DECIDE})


def _proposal(given: str, by: Actor | None) -> Proposal:
    """Return the proposal; only staff may name intranet hosts, because others could probe for them."""
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
    """Delete the question that this yes answers, so that both count as one submission."""
    if wish.yes:
        question = {"address_hash": wish.address_hash, "url": wish.proposal.url, "outcome": "unknown_domain"}
        Submission.objects.filter(**question).delete()


def _answer(wish: Wish) -> Outcome:
    """Answer with the domain locked, so that it cannot change before the submission is stored."""
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
    """Register and lock the domain; if somebody else was first, return their row."""
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
            return _only_kept(wish, domain, answers.already_crawling(domain, str(problem)))
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


# State of the domain -> how to answer.
ANSWERS: dict[str, Callable[[Wish, Domain], Outcome]] = {
    "none": _new,
    "pending_review": _pending,
    "approved": _approved,
    "rejected": _rejected,
    "suspended": _suspended,
    "blacklisted": _blacklisted,
}


def _into_review(wish: Wish, domain: Domain, action: str) -> Outcome:
    """Move the domain into review. The submission is stored first, so that the review finds its page."""
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
    """Store the submission and return the secret of its link; only a digest of it is stored."""
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

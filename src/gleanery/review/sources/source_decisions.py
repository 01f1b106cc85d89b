"""Use cases of decisions about a source; each is one transaction over domain, candidate, item and journal."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.crawling import services as crawling
from gleanery.crawling.crawl_lifecycle import OPEN
from gleanery.crawling.models import Crawl
from gleanery.domains import services as domains
from gleanery.domains.effect import sentence
from gleanery.domains.models import Domain
from gleanery.errors import Conflict
from gleanery.feeds import services as feeds
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.sources import pace
from gleanery.review.sources.locked_source import Decision, Docket
from gleanery.review.sources.previewing import preview_some
from gleanery.roles import Role
from gleanery.text import clean_text

STARTED = "Crawling started. Check back in a few minutes."


@transaction.atomic
def approve(
    actor: Actor,
    domain: Domain,
    *,
    leave_out: Collection[UUID | str] = (),
    item: Item | None = None,
    **wanted: int | None,
) -> Decision:
    """Approve the source: crawl it and read its feeds from now on, except those left out.

    `wanted` may set depth, rate and frequency.
    """
    docket = Docket.take(actor, domain, item)
    docket.submit()
    return _approve(docket, leave_out, **wanted)


def _approve(docket: Docket, leave_out: Collection[UUID | str] = (), **wanted: int | None) -> Decision:
    docket.move("approve", reviewed_by=docket.actor.user, reviewed_at=Now(), rejection_reason="")
    pace.change(docket.actor, docket.domain, **wanted)
    docket.settle("approve")
    feeds.approve_found(docket.actor, docket.domain, leave_out)
    return docket.decided(f"{docket.domain.display} is approved. {STARTED}", _crawl(docket))


@transaction.atomic
def reject(
    actor: Actor,
    domain: Domain,
    reason: str,
    *,
    blacklist: bool = False,
    item: Item | None = None,
) -> Decision:
    """Reject the source. Only people may also blacklist it, because then it is never searched again."""
    if blacklist:
        actor.must_be(Role.REVIEWER, "blacklist")
    reason = _text(reason)
    docket = Docket.take(actor, domain, item)
    docket.submit()
    docket.move("reject", reason, reviewed_by=actor.user, reviewed_at=Now(), rejection_reason=reason)
    docket.settle("reject", reason)
    crawling.stop_crawls([domain.pk])
    if blacklist:
        docket.domain = domains.blacklist_row(actor, docket.domain, reason)
    said = f"{docket.domain.display} was rejected{' and blacklisted' if blacklist else ''}."
    return docket.decided(f"{said} {sentence(docket.domain.followed)}".strip())


@transaction.atomic
def suspend(actor: Actor, domain: Domain, reason: str = "") -> Decision:
    """Pause crawling; everything found stays."""
    docket = Docket.take(actor, domain)
    docket.move("suspend", _text(reason))
    crawling.stop_crawls([domain.pk])
    return docket.decided(f"{docket.domain.display} is suspended and is not crawled until somebody resumes it.")


@transaction.atomic
def resume(actor: Actor, domain: Domain) -> Decision:
    docket = Docket.take(actor, domain)
    docket.move("resume")
    return docket.decided(f"{docket.domain.display} is approved again. {STARTED}", _crawl(docket))


@transaction.atomic
def undo(actor: Actor, domain: Domain, *, item: Item | None = None) -> Decision:
    """Undo the decision; the source waits for review again."""
    docket = Docket.take(actor, domain, item)
    if docket.domain.approval_status == "none" and docket.item is not None and docket.item.status == "superseded":
        docket.submit()  # it was blacklisted while it waited, and taken off the blacklist since
    else:
        docket.move("undo", reviewed_by=None, reviewed_at=None, rejection_reason="")
    docket.reopen()
    crawling.stop_crawls([domain.pk])
    if not Crawl.objects.filter(domain=domain, status="completed").exists():
        preview_some([domain.pk])
    return docket.decided(f"{docket.domain.display} is waiting for review again.")


@transaction.atomic
def trust(actor: Actor, domain: Domain) -> Decision:
    """Trust the source: it needs no reviews any more, and a waiting one is approved."""
    actor.must_be(Role.ADMIN, "trust a domain")
    docket = Docket.take(actor, domain)
    docket.refuse_blacklisted()
    _set_trust(docket, trusted=True)
    if docket.domain.approval_status == "pending_review":
        return _approve(docket)
    return docket.decided(f"{docket.domain.display} is trusted.")


@transaction.atomic
def untrust(actor: Actor, domain: Domain) -> Decision:
    """Stop trusting the source; an approval stays."""
    actor.must_be(Role.ADMIN, "take back trust")
    docket = Docket.take(actor, domain)
    _set_trust(docket, trusted=False)
    return docket.decided(f"{docket.domain.display} is no longer trusted.")


@transaction.atomic
def crawl_now(actor: Actor, domain: Domain) -> Decision:
    """Crawl all pages, including those that are not due."""
    claims.must_decide(actor, "start a crawl")
    docket = Docket.take(actor, domain)
    crawl = crawling.request_crawl(actor, docket.domain, "deep")
    return docket.decided(f"{docket.domain.display}: {STARTED}", crawl)


@transaction.atomic
def configure(
    actor: Actor, domain: Domain, *, depth: int | None = None, rate: int | None = None, frequency: int | None = None
) -> Decision:
    claims.must_decide(actor, "change how a domain is crawled")
    locked = Domain.objects.select_for_update(no_key=True).get(pk=domain.pk)
    pace.change(actor, locked, depth=depth, rate=rate, frequency=frequency)
    now = pace.settings_of(locked)
    said = f"{now['depth']} links deep, {now['rate']} s between requests, every {now['frequency']} h"
    return Decision(locked, None, None, f"{locked.display} is crawled {said}.")


def _set_trust(docket: Docket, *, trusted: bool) -> None:
    if docket.domain.is_trusted != trusted:
        Domain.objects.filter(pk=docket.domain.pk).update(is_trusted=trusted)
        pipeline.happened_to_domains("trust_changed", [docket.domain.pk])
        before, after = {"is_trusted": not trusted}, {"is_trusted": trusted}
        journal.write(docket.actor, "trust" if trusted else "untrust", docket.domain, before=before, after=after)
        docket.domain.refresh_from_db()


def _crawl(docket: Docket) -> Crawl | None:
    """Start a crawl, or return the one that is already running."""
    try:
        return crawling.request_crawl(docket.actor, docket.domain, "full")
    except Conflict:
        return Crawl.objects.filter(domain=docket.domain, status__in=OPEN).first()


def _text(reason: str) -> str:
    return clean_text(reason, limit=domains.LONGEST_REASON, multiline=True)

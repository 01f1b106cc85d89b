"""Use cases of deciding about a source; each is one transaction over its domain, candidate, item and journal."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.crawling import services as crawling
from gleanery.crawling.life import OPEN
from gleanery.crawling.models import Crawl
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.errors import Conflict
from gleanery.review import claims, pace
from gleanery.review.desk import Decision, Desk
from gleanery.review.models import Item
from gleanery.review.previewing import preview_some
from gleanery.roles import Role
from gleanery.text import clean_text

STARTED = "Crawling started. Check back in a few minutes."


@transaction.atomic
def approve(
    actor: Actor,
    domain: Domain,
    *,
    depth: int | None = None,
    rate: int | None = None,
    frequency: int | None = None,
    item: Item | None = None,
) -> Decision:
    """The source is good: it is crawled in full from now on."""
    desk = Desk.take(actor, domain, item)
    desk.submit()
    return _approve(desk, depth=depth, rate=rate, frequency=frequency)


def _approve(desk: Desk, **wanted: int | None) -> Decision:
    desk.move("approve", reviewed_by=desk.actor.user, reviewed_at=Now(), rejection_reason="")
    pace.change(desk.actor, desk.domain, **wanted)
    desk.settle("approve")
    return desk.decided(f"{desk.domain.display} is approved. {STARTED}", _crawl(desk))


@transaction.atomic
def reject(
    actor: Actor,
    domain: Domain,
    reason: str,
    *,
    blacklist: bool = False,
    item: Item | None = None,
) -> Decision:
    """No source of ours, and why; blacklisting it as well is for people only, since then it is not even searched."""
    if blacklist:
        actor.must_be(Role.REVIEWER, "blacklist")
    reason = _text(reason)
    desk = Desk.take(actor, domain, item)
    desk.submit()
    desk.move("reject", reason, reviewed_by=actor.user, reviewed_at=Now(), rejection_reason=reason)
    desk.settle("reject", reason)
    crawling.stop_crawls([domain.pk])
    if blacklist:
        desk.domain = domains.blacklist_row(actor, desk.domain, reason)
    return desk.decided(f"{desk.domain.display} is rejected{' and blacklisted' if blacklist else ''}.")


@transaction.atomic
def suspend(actor: Actor, domain: Domain, reason: str = "") -> Decision:
    """Crawling pauses; what was found stays."""
    desk = Desk.take(actor, domain)
    desk.move("suspend", _text(reason))
    crawling.stop_crawls([domain.pk])
    return desk.decided(f"{desk.domain.display} is suspended: it is not crawled until somebody resumes it.")


@transaction.atomic
def resume(actor: Actor, domain: Domain) -> Decision:
    desk = Desk.take(actor, domain)
    desk.move("resume")
    return desk.decided(f"{desk.domain.display} is approved again. {STARTED}", _crawl(desk))


@transaction.atomic
def undo(actor: Actor, domain: Domain, *, item: Item | None = None) -> Decision:
    """The decision is taken back: the source waits in the queue as it did before."""
    desk = Desk.take(actor, domain, item)
    if desk.domain.approval_status == "none" and desk.item is not None and desk.item.status == "superseded":
        desk.submit()  # it was blacklisted while it waited, and lifted since
    else:
        desk.move("undo", reviewed_by=None, reviewed_at=None, rejection_reason="")
    desk.reopen()
    crawling.stop_crawls([domain.pk])
    if not Crawl.objects.filter(domain=domain, status="completed").exists():
        preview_some([domain.pk])
    return desk.decided(f"{desk.domain.display} is up for a decision again.")


@transaction.atomic
def trust(actor: Actor, domain: Domain) -> Decision:
    """From now on nobody is asked about it; if it waits for a decision, this is the decision."""
    actor.must_be(Role.ADMIN, "trust a domain")
    desk = Desk.take(actor, domain)
    desk.refuse_blacklisted()
    _set_trust(desk, trusted=True)
    if desk.domain.approval_status == "pending_review":
        return _approve(desk)
    return desk.decided(f"{desk.domain.display} is trusted.")


@transaction.atomic
def untrust(actor: Actor, domain: Domain) -> Decision:
    """What was approved stays approved."""
    actor.must_be(Role.ADMIN, "take back trust")
    desk = Desk.take(actor, domain)
    _set_trust(desk, trusted=False)
    return desk.decided(f"{desk.domain.display} is no longer trusted.")


@transaction.atomic
def crawl_now(actor: Actor, domain: Domain) -> Decision:
    """Every page afresh, also those that are not due."""
    claims.must_decide(actor, "start a crawl")
    desk = Desk.take(actor, domain)
    crawl = crawling.ask(actor, desk.domain, "deep")
    return desk.decided(f"{desk.domain.display}: {STARTED}", crawl)


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


def _set_trust(desk: Desk, *, trusted: bool) -> None:
    if desk.domain.is_trusted != trusted:
        Domain.objects.filter(pk=desk.domain.pk).update(is_trusted=trusted)
        pipeline.happened("trust_changed", [desk.domain.pk])
        before, after = {"is_trusted": not trusted}, {"is_trusted": trusted}
        journal.write(desk.actor, "trust" if trusted else "untrust", desk.domain, before=before, after=after)
        desk.domain.refresh_from_db()


def _crawl(desk: Desk) -> Crawl | None:
    """One that is under way already does as well."""
    try:
        return crawling.ask(desk.actor, desk.domain, "full")
    except Conflict:
        return Crawl.objects.filter(domain=desk.domain, status__in=OPEN).first()


def _text(reason: str) -> str:
    return clean_text(reason, limit=domains.LONGEST_REASON, multiline=True)

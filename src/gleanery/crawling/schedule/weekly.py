"""The weekly deep crawl: one session with a crawl of each approved domain, closed when all have ended."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q
from django.db.models.functions import Coalesce, Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.crawling.crawl_lifecycle import OPEN
from gleanery.crawling.models import Crawl
from gleanery.discovery.lifecycle import SESSION, WEEKLY
from gleanery.discovery.models import Session
from gleanery.errors import Conflict
from gleanery.text import counted

FILLED_WITHIN = timedelta(days=1)
QUIET = timedelta(minutes=5)
MOST_REASONS = 5


class End(NamedTuple):
    """The final action of a session, with the reason if some crawls failed."""

    action: str
    reason: str


@transaction.atomic
def session_of(actor: Actor) -> Session:
    """Return today's unfinished session (its worker may have been killed), or a new one."""
    running = Session.objects.filter(type=WEEKLY, status="running", started_at__gt=Now() - FILLED_WITHIN)
    session = running.order_by("-id").first()
    if session is None:
        session = Session.objects.create(type=WEEKLY, queries=[], providers=[], started_by=actor.user, alive_at=Now())
        session.refresh_from_db()
        journal.write(actor, "start", session)
    return session


def close_over() -> int:
    """Close each session that has no open crawl and got none for a while, as of the end of its last crawl."""
    open_ones = Crawl.objects.filter(session=OuterRef("pk"), status__in=OPEN)
    over = Session.objects.filter(~Exists(open_ones), type=WEEKLY, status="running", alive_at__lt=Now() - QUIET)
    sessions = list(over.annotate(ended=Coalesce(Max("crawls__completed_at"), Now())))
    for session in sessions:
        end = _end(session)
        changes = {"completed_at": session.ended, "error": end.reason}
        with suppress(Conflict):  # another worker closed it
            journal.move(session, SESSION, end.action, system(), reason=end.reason, **changes)
    return len(sessions)


def _end(session: Session) -> End:
    crawls = Crawl.objects.filter(session=session)
    done = crawls.aggregate(
        failed=Count("id", filter=Q(status="failed")),
        cancelled=Count("id", filter=Q(status="cancelled")),
        completed=Count("id", filter=Q(status="completed")),
    )
    if not (done["failed"] or done["cancelled"]):
        return End("complete", "") if done["completed"] else End("fail", "None of its crawls began.")
    failed = crawls.filter(status="failed").select_related("domain").order_by("id")[:MOST_REASONS]
    why = "".join(f" {each.domain.display}: {each.end_reason}" for each in failed)
    reason = f"{counted(done['failed'], 'crawl')} failed, {done['cancelled']} cancelled.{why}"
    return End("complete_in_part" if done["completed"] else "fail", reason)

"""Questions: each is written down before it is asked, so that the daily cap holds among all sessions and machines."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from gleanery.discovery.models import Question, Session
from gleanery.errors import ProviderFailure, ProviderProblem

# The lock is per provider and ends with the transaction: nobody counts while another is about to ask.
LOCK = "SELECT pg_advisory_xact_lock(hashtext('cap of ' || %(provider)s))"
# Index: question_of_the_day. A day begins at midnight UTC, by the clock of the database.
USED = """
    SELECT coalesce(sum(tries), 0)::int FROM question
    WHERE provider = %(provider)s AND asked_at >= date_trunc('day', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc'
"""


@dataclass(frozen=True, slots=True)
class Cap:
    provider: str
    most: int | None


@transaction.atomic
def reserve(session: Session, query: str, cap: Cap) -> Question | None:
    """The question to ask now; None if this session has its answer already, as when it is run again after a kill."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK, {"provider": cap.provider})
    Session.objects.filter(pk=session.pk).update(alive_at=Now())
    known = Question.objects.filter(session=session, provider=cap.provider, query=query).first()
    if known is not None and known.answered_at is not None:
        return None
    if cap.most is not None and used_today(cap.provider) >= cap.most:
        return _refused(session, query, cap, known)
    if known is not None:
        Question.objects.filter(pk=known.pk).update(tries=F("tries") + 1, asked_at=Now())
    return known or Question.objects.create(session=session, provider=cap.provider, query=query)


def _refused(session: Session, query: str, cap: Cap, known: Question | None) -> Question:
    """A question that is not asked is written down as well, with no try: the session's numbers must tell of it."""
    question = known or Question(session=session, provider=cap.provider, query=query, tries=0)
    question.answered_at, question.failure_kind = Now(), ProviderProblem.QUOTA
    question.failure = f"Today's cap of {cap.most} requests is used up; it begins anew at midnight UTC."
    question.save()
    question.refresh_from_db()
    return question


def used_today(provider: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(USED, {"provider": provider})
        (used,) = cursor.fetchone()
    return int(used)


def failures(session: Session) -> dict[str, str]:
    """The last failure of each provider that had one, from the rows: a run that was killed forgets nothing."""
    failed = Question.objects.filter(session=session).exclude(failure_kind="").order_by("asked_at")
    return dict(failed.values_list("provider", "failure"))


def answered(question: Question, seconds: float, tries: int) -> None:
    _close(question, tries, seconds=seconds, failure_kind="", failure="")


def failed(question: Question, failure: ProviderFailure) -> None:
    _close(question, failure.tries, seconds=failure.elapsed, failure_kind=failure.kind, failure=str(failure))


def _close(question: Question, tries: int, **facts: object) -> None:
    Question.objects.filter(pk=question.pk).update(answered_at=Now(), tries=F("tries") + tries - 1, **facts)

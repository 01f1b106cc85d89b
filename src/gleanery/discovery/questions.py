"""Queries to providers, recorded before they are sent, so that daily caps hold across sessions and machines."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from gleanery.discovery.models import Question, Session
from gleanery.errors import ProviderFailure, ProviderProblem

# A lock per provider until the end of the transaction, so that no two sessions count and send at the same time.
LOCK = "SELECT pg_advisory_xact_lock(hashtext('cap of ' || %(provider)s))"
# Index: question_of_the_day. A day begins at midnight UTC, by the database's clock.
USED = """
    SELECT coalesce(sum(tries), 0)::int FROM question
    WHERE provider = %(provider)s AND asked_at >= date_trunc('day', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc'
"""


@dataclass(frozen=True, slots=True)
class Cap:
    """Most requests to a provider per day."""

    provider: str
    most: int | None


@transaction.atomic
def reserve(session: Session, query: str, cap: Cap) -> Question | None:
    """Record a query before it is sent; None if this session already has its response, as after a restart."""
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
    """Record a query that is not sent because of the cap, so that it counts as a failure of the session."""
    question = known or Question(session=session, provider=cap.provider, query=query, tries=0)
    question.answered_at, question.failure_kind = Now(), ProviderProblem.QUOTA
    question.failure = f"Today's limit of {cap.most} requests is used up; it is reset at midnight UTC."
    question.save()
    question.refresh_from_db()
    return question


def used_today(provider: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(USED, {"provider": provider})
        (used,) = cursor.fetchone()
    return int(used)


def failures(session: Session) -> dict[str, str]:
    """Return the last failure of each provider; read from the database, so that it survives a restart."""
    failed = Question.objects.filter(session=session).exclude(failure_kind="").order_by("asked_at")
    return dict(failed.values_list("provider", "failure"))


def answered(question: Question, seconds: float, tries: int) -> None:
    _close(question, tries, seconds=seconds, failure_kind="", failure="")


def failed(question: Question, failure: ProviderFailure) -> None:
    _close(question, failure.tries, seconds=failure.elapsed, failure_kind=failure.kind, failure=str(failure))


def _close(question: Question, tries: int, **facts: object) -> None:
    Question.objects.filter(pk=question.pk).update(answered_at=Now(), tries=F("tries") + tries - 1, **facts)

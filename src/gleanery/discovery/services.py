"""Use cases of discovery: topics, sessions and the spam bin."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from croniter import croniter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Now

from gleanery import environment, pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.discovery import presets, queries, questions
from gleanery.discovery.lifecycle import FOUND, SESSION, THROWN_OUT, WEEKLY
from gleanery.discovery.models import Result, Session, Topic
from gleanery.discovery.providers.registry import enabled
from gleanery.discovery.weights import weights_of
from gleanery.domains import registry
from gleanery.domains.names import domain_of
from gleanery.errors import Conflict, Invalid, NotAllowed, NotFound
from gleanery.roles import Role, Scope

KEPT = timedelta(days=30)
DEAD_AFTER = timedelta(minutes=5)
LOST_AFTER = timedelta(days=1)


def find_topic(name: str) -> Topic:
    topic = Topic.objects.filter(name=name).first()
    if topic is None:
        raise NotFound(f"There is no topic called {name!r}; `gleanery topic list` shows all topics.")
    return topic


@transaction.atomic
def add_topic(
    actor: Actor, preset: str, place: str, *, name: str = "", languages: Sequence[str] = (), **changes: Any
) -> Topic:
    threshold = environment.read(os.environ).confidence_threshold
    topic = Topic(**{**presets.topic_fields(preset, place, name, languages), "threshold": threshold, **changes})
    return save_topic(actor, topic, "create")


@transaction.atomic
def save_topic(actor: Actor, topic: Topic, action: str) -> Topic:
    """Save a topic after checking it as a whole, so that errors do not surface only in a nightly run."""
    actor.must_be(Role.REVIEWER, "change a topic")
    try:
        topic.full_clean()
    except ValidationError as problem:
        raise Invalid(" ".join(problem.messages)) from None
    check_words(topic)
    if not queries_of(topic):
        raise Invalid("These templates, places and themes give no query.")
    topic.save()
    journal.write(actor, action, topic, after={"queries": len(queries_of(topic)), "schedule": topic.schedule})
    return topic


def check_words(topic: Topic) -> None:
    """Check the fields of a topic that no column constraint checks."""
    weights_of(topic.weights)
    if topic.schedule and not croniter.is_valid(topic.schedule):
        raise Invalid(f"{topic.schedule!r} is not a cron expression. For every night at 3:00 write 0 3 * * *.")
    for name, lists in (("keywords", topic.keywords), ("organization words", topic.organization_words)):
        fine = isinstance(lists, dict) and all(isinstance(each, list) for each in lists.values())
        if not (fine and all(isinstance(word, str) for each in lists.values() for word in each)):
            raise Invalid(f'The {name} must be lists of words by language, such as {{"en": ["grant"]}}.')
    for name, code in (("country", topic.country), ("language", topic.language)):
        if code and not re.fullmatch("[A-Za-z]{2}", code):
            raise Invalid(f"The {name} must have two letters, such as bg.")


def queries_of(topic: Topic, most: int | None = None) -> tuple[str, ...]:
    cap = topic.max_queries if most is None else min(most, topic.max_queries)
    return queries.expand(topic.query_templates, topic.places, topic.themes, cap)


@transaction.atomic
def start_session(
    actor: Actor, topic: Topic, type_: str, *, providers: Sequence[str] = (), most: int | None = None
) -> Session:
    """Create a running session; the caller must run it or defer a job that does."""
    if Scope.INGEST not in actor.scopes:
        raise NotAllowed("Starting a session requires the scope ingest.")
    return _session(actor, topic, type_, _chosen(providers), queries_of(topic, most))


def start_file_session(actor: Actor, topic: Topic) -> Session:
    """Create a session for results from a file; no provider is queried."""
    with transaction.atomic():
        return _session(actor, topic, "manual_search", ["manual_input"], ())


def _session(actor: Actor, topic: Topic, type_: str, providers: Sequence[str], asked: Sequence[str]) -> Session:
    session = Session.objects.create(
        topic=topic, type=type_, queries=list(asked), providers=list(providers), started_by=actor.user
    )
    session.refresh_from_db()
    journal.write(actor, "start", session, after={"queries": len(asked), "providers": list(providers)})
    return session


def _chosen(wanted: Sequence[str]) -> list[str]:
    on = [provider.name for provider in enabled(environment.read(os.environ))]
    if missing := sorted(set(wanted) - set(on)):
        raise Invalid(f"{missing[0]} is not enabled. Set its key (docs/settings.md), or leave it out.")
    if not on:
        raise Invalid(
            "No search provider is enabled. Set BRAVE_API_KEY, SERPER_API_KEY, TAVILY_API_KEY, PERPLEXITY_API_KEY "
            "or SEARXNG_URL, or import results from a file with --file."
        )
    return [name for name in on if not wanted or name in wanted]


def close_session(session: Session, missing: Collection[str] = ()) -> Session:
    """Close a session: completed, partial_success if some provider failed, failed if all did without results."""
    failures = questions.failures(session) | dict.fromkeys(missing, "It was not enabled where the session ran.")
    reason = " ".join(f"{name}: {failure}" for name, failure in sorted(failures.items()))
    if not failures:
        action = "complete"
    elif set(failures) >= set(session.providers) and not session.results.filter(outcome__in=FOUND).exists():
        action = "fail"
    else:
        action = "complete_in_part"
    return _close(session, action, reason)


def renew(session: Session) -> None:
    """Record that the process that runs the session is alive."""
    Session.objects.filter(pk=session.pk).update(alive_at=Now())


@transaction.atomic
def _close(session: Session, action: str, reason: str) -> Session:
    """Close a session and pass its results to the judges, even if incomplete."""
    journal.move(session, SESSION, action, system(), reason=reason, completed_at=Now(), error=reason)
    pipeline.finished("session", session=session.pk)
    return session


def close_dead_sessions() -> int:
    """Close searches not renewed for five minutes, or not begun for a day; their results are kept."""
    reason = "The process that ran it died; the results found by then are kept."
    never_run = Q(alive_at=None, started_at__lt=Now() - LOST_AFTER)
    searches = Session.objects.exclude(type=WEEKLY)
    dead = list(searches.filter(Q(alive_at__lt=Now() - DEAD_AFTER) | never_run, status="running"))
    for session in dead:
        has_results = session.results.filter(outcome__in=FOUND).exists()
        with suppress(Conflict):  # it ended on its own in the meantime
            _close(session, "complete_in_part" if has_results else "fail", reason)
    return len(dead)


@transaction.atomic
def rescue(actor: Actor, result: Result) -> Result:
    """Turn a result filtered as spam into a normal one; it still counts as a mistake of the rule."""
    actor.must_be(Role.REVIEWER, "rescue a result")
    result = Result.objects.select_for_update().get(pk=result.pk)
    if result.outcome != "spam":
        raise Conflict(f"Only spam can be rescued, and this result is {result.outcome}.")
    if result.emptied_at is not None:
        raise Conflict("The text of this result was deleted after 30 days, so it cannot be rescued.")
    name = domain_of(result.domain_name)
    seen = registry.see([name], result.session_id, result.discovered_at).get(name.name)
    if seen is None:
        raise Conflict(f"{result.domain_name} is blacklisted. An admin must lift that first.")
    result.domain_id = seen.id
    result.outcome = "new" if seen.is_new else "duplicate"
    result.rescued_at, result.rescued_by = Now(), actor.user
    result.save(update_fields=["domain", "outcome", "rescued_at", "rescued_by"])
    journal.write(actor, "rescue", result, before={"outcome": "spam", "rule": result.rule}, reason=result.reason)
    pipeline.finished("session", session=result.session_id)
    result.refresh_from_db()
    return result


def empty_spam_bin() -> int:
    """Delete the text of filtered hits after 30 days; the rows stay, so that counts do not change."""
    old = Result.objects.filter(outcome__in=THROWN_OUT, emptied_at=None, discovered_at__lt=Now() - KEPT)
    return old.update(url="", title="", description="", reason="", emptied_at=Now())


def mistakes_of_rules() -> list[dict[str, Any]]:
    """Return how often each spam rule hit, and how often its hits were rescued."""
    rules = Result.objects.exclude(rule="").values("rule").order_by("rule")
    rows = rules.annotate(hits=Count("id"), rescued=Count("id", filter=Q(rescued_at__isnull=False)))
    return [dict(row) for row in rows]

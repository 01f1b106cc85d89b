"""Runs a session: queries all providers concurrently and stores each page of results as it arrives."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from asgiref.sync import sync_to_async
from django.db import connections

from gleanery import environment
from gleanery.database import failures
from gleanery.discovery import questions, services
from gleanery.discovery.intake import store_hits
from gleanery.discovery.models import Session
from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Provider, Query
from gleanery.discovery.providers.registry import enabled
from gleanery.discovery.providers.retrying import search_with_retries
from gleanery.discovery.questions import Cap
from gleanery.discovery.screening import screen
from gleanery.errors import ProviderFailure, ProviderProblem
from gleanery.net.client import Client

log = structlog.get_logger(__name__)

# After these failures every further query of the day would fail too, so none is sent.
FINAL = {ProviderProblem.AUTH, ProviderProblem.QUOTA}
MOST_FAILURES = 3
PACING = Pacing()


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of one provider, for display."""

    provider: str
    done: int
    outcomes: Counter[str]
    failure: str = ""


OnProgress = Callable[[Progress], None]


def run(session: Session, on_progress: OnProgress = lambda progress: None) -> Session:
    return asyncio.run(_run(session, on_progress))


async def _run(session: Session, on_progress: OnProgress) -> Session:
    try:
        return await run_async(session, on_progress)
    finally:
        # The database thread outlives the session; its connection must not.
        await sync_to_async(connections.close_all)()


async def run_async(session: Session, on_progress: OnProgress) -> Session:
    """Run a session; a slow or failing provider only affects its own results."""
    settings = environment.read(os.environ)
    providers = [provider for provider in enabled(settings) if provider.name in session.providers]
    topic = await sync_to_async(lambda: session.subject)()
    await sync_to_async(services.renew)(session)
    async with Client(settings) as client:
        runs = [ProviderRun(client, provider, session, on_progress) for provider in providers]
        await asyncio.gather(*(each.all(topic.country.upper(), topic.language.lower()) for each in runs))
    missing = set(session.providers) - {provider.name for provider in providers}
    return await sync_to_async(services.close_session)(session, missing)


class ProviderRun:
    """One provider's part of a session."""

    def __init__(self, client: Client, provider: Provider, session: Session, on_progress: OnProgress) -> None:
        self.client = client
        self.provider = provider
        self.session = session
        self.on_progress = on_progress
        self.failure = ""
        self._in_a_row = 0

    async def all(self, country: str, language: str) -> None:
        for number, text in enumerate(self.session.queries, 1):
            outcomes: Counter[str] = Counter()
            try:
                outcomes = await self._one(text, country, language)
                self._in_a_row = 0
            except ProviderFailure as failure:
                self._record_failure(failure)
            self.on_progress(Progress(self.provider.name, number, outcomes, self.failure))
            if self._in_a_row >= MOST_FAILURES:
                return

    def _record_failure(self, failure: ProviderFailure) -> None:
        self.failure = str(failure)
        self._in_a_row += MOST_FAILURES if failure.kind in FINAL else 1

    async def _one(self, text: str, country: str, language: str) -> Counter[str]:
        """Send one query; any failure is recorded with it, so that it counts in the session's numbers."""
        cap = Cap(self.provider.name, self.provider.daily_cap)
        question = await sync_to_async(questions.reserve)(self.session, text, cap)
        if question is None:
            return Counter()
        if question.failure_kind:
            raise ProviderFailure(ProviderProblem(question.failure_kind), question.failure)
        try:
            query = Query(text=text, country=country, language=language)
            response = await search_with_retries(self.client, self.provider, query, pacing=PACING)
            hits = [screen(hit) for hit in response.page.hits]
            outcomes = await sync_to_async(store_hits)(self.session.pk, self.provider.name, hits)
        except Exception as problem:
            if failures.of(problem):
                raise  # not the provider's fault: the job is run again and continues here
            failure = problem if isinstance(problem, ProviderFailure) else self._unexpected()
            await sync_to_async(questions.failed)(question, failure)
            raise failure from None
        await sync_to_async(questions.answered)(question, response.elapsed, response.tries)
        return outcomes

    def _unexpected(self) -> ProviderFailure:
        log.exception("a provider failed unexpectedly", provider=self.provider.name)
        return ProviderFailure(ProviderProblem.BAD_RESPONSE, "It failed unexpectedly. The log says more.")

"""Runs a session: all providers side by side, each page of results taken in as it comes."""

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
from gleanery.discovery.intake import take_in
from gleanery.discovery.models import Session
from gleanery.discovery.providers.asking import ask
from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Provider, Query
from gleanery.discovery.providers.registry import enabled
from gleanery.discovery.questions import Cap
from gleanery.discovery.sifting import sift
from gleanery.errors import ProviderFailure, ProviderProblem
from gleanery.net.client import Client

log = structlog.get_logger(__name__)

# These mean the same for every further question of the day, so none is asked.
HOPELESS = {ProviderProblem.AUTH, ProviderProblem.QUOTA}
PATIENCE = 3
PACING = Pacing()


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of one provider, for whoever watches."""

    provider: str
    done: int
    outcomes: Counter[str]
    failure: str = ""


Tell = Callable[[Progress], None]


def run(session: Session, tell: Tell = lambda progress: None) -> Session:
    return asyncio.run(_run(session, tell))


async def _run(session: Session, tell: Tell) -> Session:
    try:
        return await run_async(session, tell)
    finally:
        # The thread in which the database is asked outlives the session; its connection must not.
        await sync_to_async(connections.close_all)()


async def run_async(session: Session, tell: Tell) -> Session:
    """A provider that is slow, broken or lying costs only its own results."""
    settings = environment.read(os.environ)
    providers = [provider for provider in enabled(settings) if provider.name in session.providers]
    topic = await sync_to_async(lambda: session.subject)()
    await sync_to_async(services.renew)(session)
    async with Client(settings) as client:
        runs = [Run(client, provider, session, tell) for provider in providers]
        await asyncio.gather(*(each.all(topic.country.upper(), topic.language.lower()) for each in runs))
    missing = set(session.providers) - {provider.name for provider in providers}
    return await sync_to_async(services.close_session)(session, missing)


class Run:
    """One provider's part of a session."""

    def __init__(self, client: Client, provider: Provider, session: Session, tell: Tell) -> None:
        self.client = client
        self.provider = provider
        self.session = session
        self.tell = tell
        self.failure = ""
        self._in_a_row = 0

    async def all(self, country: str, language: str) -> None:
        for number, text in enumerate(self.session.queries, 1):
            outcomes: Counter[str] = Counter()
            try:
                outcomes = await self._one(text, country, language)
                self._in_a_row = 0
            except ProviderFailure as failure:
                self._note(failure)
            self.tell(Progress(self.provider.name, number, outcomes, self.failure))
            if self._in_a_row >= PATIENCE:
                return

    def _note(self, failure: ProviderFailure) -> None:
        self.failure = str(failure)
        self._in_a_row += PATIENCE if failure.kind in HOPELESS else 1

    async def _one(self, text: str, country: str, language: str) -> Counter[str]:
        """Whatever goes wrong is written down with the question, so that the numbers tell of it."""
        cap = Cap(self.provider.name, self.provider.daily_cap)
        question = await sync_to_async(questions.reserve)(self.session, text, cap)
        if question is None:
            return Counter()
        if question.failure_kind:
            raise ProviderFailure(ProviderProblem(question.failure_kind), question.failure)
        try:
            query = Query(text=text, country=country, language=language)
            asked = await ask(self.client, self.provider, query, pacing=PACING)
            hits = [sift(hit) for hit in asked.page.hits]
            outcomes = await sync_to_async(take_in)(self.session.pk, self.provider.name, hits)
        except Exception as problem:
            if failures.of(problem):
                raise  # no fault of the provider: the job is run again, and goes on here
            failure = problem if isinstance(problem, ProviderFailure) else self._unforeseen()
            await sync_to_async(questions.failed)(question, failure)
            raise failure from None
        await sync_to_async(questions.answered)(question, asked.elapsed, asked.tries)
        return outcomes

    def _unforeseen(self) -> ProviderFailure:
        log.exception("a provider failed in a way that nobody foresaw", provider=self.provider.name)
        return ProviderFailure(ProviderProblem.BAD_RESPONSE, "It failed in an unforeseen way; the log says how.")

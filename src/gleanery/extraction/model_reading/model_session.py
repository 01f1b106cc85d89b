"""Asks the language model within daily caps, records every question, and turns failures into notes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import structlog
from django.db import connection, transaction
from django.db.models.functions import Now, TruncDate

from gleanery.discovery.models import Topic
from gleanery.domains.models import Domain
from gleanery.environment import Environment
from gleanery.extraction.country import country_of
from gleanery.extraction.draft import Draft
from gleanery.extraction.model_reading.form import LONGEST_TEXT, Answer, ModelAnswer, Opinion
from gleanery.extraction.model_reading.grounding import GroundingPage, grounded_drafts
from gleanery.extraction.models import ModelCall
from gleanery.extraction.storing.statements import WaitingPage
from gleanery.text import clean_text

if TYPE_CHECKING:
    from gleanery.extraction.model_reading.model_client import ModelClient

log = structlog.get_logger(__name__)

PER_DOMAIN = 20  # questions per domain and day
PER_DAY = 200


def open_session(environment: Environment, domain: Domain, runner: asyncio.Runner) -> ModelSession | None:
    """Return a session, or None if no model is configured."""
    if not environment.llm_model:
        return None
    if find_spec("pydantic_ai") is None:
        log.warning("a model is configured, but its client is not installed: pip install 'gleanery[llm]'")
        return None
    from gleanery.extraction.model_reading.model_client import ModelClient  # noqa: PLC0415 - installed only with the extra

    return ModelSession(ModelClient(environment), domain, runner)


def page_for_model(page: WaitingPage, domain: Domain, topic: Topic | None) -> GroundingPage:
    """Return the text and facts of a page as shown to the model."""
    return GroundingPage(
        page.url,
        f"{page.title}\n{page.text[:LONGEST_TEXT]}",
        fetched=page.fetched_at.date(),
        country=country_of(domain.name, topic.country if topic else ""),
        language=page.language[:2].lower(),
    )


@dataclass(frozen=True, slots=True)
class ModelSession:
    asker: ModelClient
    domain: Domain
    runner: asyncio.Runner

    def judge(self, page: WaitingPage, topic: Topic) -> Opinion | None:
        """Ask if the page is relevant to the topic. Return None if a cap is reached or no answer came."""

        def ask() -> Coroutine[Any, Any, ModelAnswer[Opinion]]:
            return self.asker.judge(topic.title, page.url, page.title, page.text)

        opinion = self._ask("relevance", page, ask)
        return opinion and Opinion(relevant=opinion.relevant, reason=clean_text(opinion.reason, limit=300))

    def extract(self, page: WaitingPage, topic: Topic | None) -> list[Draft]:
        """Return drafts from the answer of the model, limited to values on the page and kinds of the topic."""
        form = self._ask("extraction", page, lambda: self.asker.extract(page.url, page.title, page.text))
        if form is None:
            return []
        wanted = set(topic.kinds) if topic else set()
        found = grounded_drafts(form.model_dump(), page_for_model(page, self.domain, topic))
        return [each for each in found if not wanted or each.kind in wanted]

    def _ask(
        self, purpose: str, page: WaitingPage, ask: Callable[[], Coroutine[Any, Any, ModelAnswer[Answer]]]
    ) -> Answer | None:
        call = reserve_call(self.domain, page, purpose, self.asker.name)
        if call is None:
            return None
        started = time.perf_counter()
        facts: dict[str, Any] = {}
        try:
            answered = self.runner.run(ask())
        except Exception as problem:  # any failure of vendor or library: the page is stored without the model
            log.warning("the model gave no answer", url=page.url, problem=str(problem)[:300])
            facts["problem"] = clean_text(f"{type(problem).__name__}: {problem}", limit=500)
            return None
        else:
            facts |= {
                "input_tokens": answered.input_tokens,
                "output_tokens": answered.output_tokens,
                "cost": answered.cost,
            }
            return answered.output
        finally:
            facts["ms"] = round(1000 * (time.perf_counter() - started))
            ModelCall.objects.filter(pk=call.pk).update(**facts)


@transaction.atomic
def reserve_call(domain: Domain, page: WaitingPage, purpose: str, model: str) -> ModelCall | None:
    """Record a question under a lock, so that the caps hold across workers. Return None if a cap is reached."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('questions to the model', 0))")
    today = ModelCall.objects.filter(asked_at__gte=TruncDate(Now()))
    if today.count() >= PER_DAY or today.filter(domain=domain).count() >= PER_DOMAIN:
        return None
    return ModelCall.objects.create(domain=domain, snapshot_id=page.snapshot, purpose=purpose, model=model[:120])

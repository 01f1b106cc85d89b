"""The desk at which the model is asked: within its caps, every question written down, every failure only a note."""

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
from gleanery.extraction.model_reading.form import LONGEST_TEXT, Answer, Answered, Opinion
from gleanery.extraction.model_reading.grounding import Page, drafts_of
from gleanery.extraction.models import ModelCall
from gleanery.extraction.storing.statements import Waiting
from gleanery.text import clean_text

if TYPE_CHECKING:
    from gleanery.extraction.model_reading.model import Asker

log = structlog.get_logger(__name__)

PER_DOMAIN = 20  # questions about one domain in a day
PER_DAY = 200


def desk_for(environment: Environment, domain: Domain, runner: asyncio.Runner) -> Desk | None:
    """None where no model is set: everything works without."""
    if not environment.llm_model:
        return None
    if find_spec("pydantic_ai") is None:
        log.warning("a model is set, but what speaks to it is not installed: pip install 'gleanery[llm]'")
        return None
    from gleanery.extraction.model_reading.model import Asker  # noqa: PLC0415 - an extra: there only where a model is wanted

    return Desk(Asker(environment), domain, runner)


def as_shown(page: Waiting, domain: Domain, topic: Topic | None) -> Page:
    """The page in the form in which the model saw it."""
    return Page(
        page.url,
        f"{page.title}\n{page.text[:LONGEST_TEXT]}",
        fetched=page.fetched_at.date(),
        country=country_of(domain.name, topic.country if topic else ""),
        language=page.language[:2].lower(),
    )


@dataclass(frozen=True, slots=True)
class Desk:
    asker: Asker
    domain: Domain
    runner: asyncio.Runner

    def judge(self, page: Waiting, topic: Topic) -> Opinion | None:
        """Whether the page matters to the topic; None if the model may not be asked, or gave no answer."""

        def ask() -> Coroutine[Any, Any, Answered[Opinion]]:
            return self.asker.judge(topic.title, page.url, page.title, page.text)

        opinion = self._ask("relevance", page, ask)
        return opinion and Opinion(relevant=opinion.relevant, reason=clean_text(opinion.reason, limit=300))

    def extract(self, page: Waiting, topic: Topic | None) -> list[Draft]:
        """What the page offers, in the model's reading; only what stands on the page, and only what is wanted."""
        form = self._ask("extraction", page, lambda: self.asker.extract(page.url, page.title, page.text))
        if form is None:
            return []
        wanted = set(topic.kinds) if topic else set()
        found = drafts_of(form.model_dump(), as_shown(page, self.domain, topic))
        return [each for each in found if not wanted or each.kind in wanted]

    def _ask(
        self, purpose: str, page: Waiting, ask: Callable[[], Coroutine[Any, Any, Answered[Answer]]]
    ) -> Answer | None:
        call = reserve(self.domain, page, purpose, self.asker.name)
        if call is None:
            return None
        started = time.perf_counter()
        facts: dict[str, Any] = {}
        try:
            answered = self.runner.run(ask())
        except Exception as problem:  # whatever a vendor or a library does, the page is kept without the model
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
def reserve(domain: Domain, page: Waiting, purpose: str, model: str) -> ModelCall | None:
    """One at a time counts and writes, so that the caps hold among any number of workers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('questions to the model', 0))")
    today = ModelCall.objects.filter(asked_at__gte=TruncDate(Now()))
    if today.count() >= PER_DAY or today.filter(domain=domain).count() >= PER_DOMAIN:
        return None
    return ModelCall.objects.create(domain=domain, snapshot_id=page.snapshot, purpose=purpose, model=model[:120])

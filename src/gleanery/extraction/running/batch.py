"""Extracts a batch of pages in child processes and judges their relevance by rules, or by the model if unsure."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from gleanery.crawling.pages.page_reader import CALENDAR
from gleanery.discovery.models import Topic
from gleanery.domains.models import Domain
from gleanery.errors import Unreadable
from gleanery.extraction.contacts.deduplication import unique_contacts
from gleanery.extraction.country import country_of
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, PageSource
from gleanery.extraction.model_reading import earlier_answers, model_session
from gleanery.extraction.payload import external_id, normalised, payload_hash
from gleanery.extraction.relevance import Reason, Relevance, RelevanceInput, assess
from gleanery.extraction.running.extractor_pool import Extractor
from gleanery.extraction.storing.statements import FlagRow, PassRow, WaitingPage
from gleanery.extraction.storing.versions import PreparedDraft
from gleanery.judging.lexicon import Lexicon
from gleanery.judging.models import Candidate
from gleanery.judging.services import words_of

UNSURE = Decimal("0.15")  # distance from the threshold
UNSTRUCTURED = ("plain", "model")  # extractors that read text, not structured data
NO_TOPIC = Relevance(
    Decimal("1.00"), (Reason("topic", Decimal("1.00"), "No topic is set, so every page is relevant."),)
)


class PageResult(NamedTuple):
    """Everything that is stored about one page."""

    url: str
    done: PassRow
    flag: FlagRow
    prepared: list[PreparedDraft]
    contacts: dict[str, ContactDraft]


class TopicLexicon(NamedTuple):
    """A topic with its compiled word list."""

    topic: Topic
    lexicon: Lexicon


@dataclass(slots=True)
class _PageState:
    """Intermediate state of a page during extraction."""

    page: WaitingPage
    found: Extracted
    ms: int
    problem: str
    failed: bool
    topic: Topic | None
    relevance: Relevance
    by: str = "rules"
    model_opinion: bool | None = None

    @property
    def threshold(self) -> Decimal:
        return self.topic.page_threshold if self.topic else Decimal("0.00")

    @property
    def relevant(self) -> bool:
        return self.relevance.score >= self.threshold if self.model_opinion is None else self.model_opinion

    @property
    def is_unsure(self) -> bool:
        return self.topic is not None and abs(self.relevance.score - self.threshold) <= UNSURE

    @property
    def drafts(self) -> list[Draft]:
        """Drafts to store: all of a relevant page, else only structured data of a wanted kind."""
        if self.relevant:
            return list(self.found.drafts)
        wanted = set(self.topic.kinds) if self.topic else set()
        structured = [each for each in self.found.drafts if not each.extractor.startswith(UNSTRUCTURED)]
        return [each for each in structured if not wanted or each.kind in wanted]


class BatchExtractor:
    """Extracts batches of pages of one domain with the topics of that domain."""

    def __init__(
        self, domain: Domain, extractor: Extractor, runner: asyncio.Runner, *, asks_model: bool = True
    ) -> None:
        self.domain = domain
        self.extractor = extractor
        self.runner = runner
        self.lexicons = [TopicLexicon(topic, Lexicon.of(words_of(topic))) for topic in topics_of(domain)]
        country = self.lexicons[0].topic.country if len(self.lexicons) == 1 else ""
        self.country = country_of(domain.name, otherwise=country)
        self.model_session = model_session.open_session(settings.ENVIRONMENT, domain, runner) if asks_model else None

    def extract_pages(self, batch: list[WaitingPage]) -> list[PageResult]:
        states = self.runner.run(self._extract_all(batch))
        for state in states:
            self._ask_model(state)
        return [self._result(each) for each in states]

    async def _extract_all(self, batch: list[WaitingPage]) -> list[_PageState]:
        return [await self._extract_page(page) for page in batch]

    async def _extract_page(self, page: WaitingPage) -> _PageState:
        started, problem, failed = time.perf_counter(), "", False
        try:
            found = await self.extractor.extract(page.raw, page.charset, self._source(page))
            problem = " ".join(found.problems)[:2000]
        except Unreadable as error:
            found, problem, failed = Extracted(), str(error), True
        ms = round(1000 * (time.perf_counter() - started))
        topic, relevance = self._relevance(page)
        return _PageState(page, found, ms, problem, failed, topic, relevance)

    def _source(self, page: WaitingPage) -> PageSource:
        return PageSource(
            html="",
            url=page.url,
            media_type=page.content_type,
            fetched=page.fetched_at.date(),
            country=self.country,
            language=page.language[:2].lower(),
        )

    def _relevance(self, page: WaitingPage) -> tuple[Topic | None, Relevance]:
        """Return the topic that the page matches best, with its relevance."""
        words = RelevanceInput(
            url=page.url,
            title=page.title,
            text=page.text,
            types=[each for each in page.types if isinstance(each, str)],
            calendar=page.content_type == CALENDAR,
        )
        assessed = [(each.topic, assess(words, each.lexicon, each.topic.kinds)) for each in self.lexicons]
        if not assessed:
            return None, NO_TOPIC
        return max(assessed, key=lambda pair: (pair[1].score - pair[0].page_threshold, pair[0].name))

    def _ask_model(self, state: _PageState) -> None:
        """Ask about relevance if the rules are unsure, and for drafts if a relevant page gave none."""
        if state.is_unsure and state.topic is not None and (opinion := self._opinion(state.page, state.topic)):
            state.by, state.model_opinion = "model", opinion[0]
            state.relevance = replace(state.relevance, reasons=(*state.relevance.reasons, opinion[1]))
        if state.relevant and not state.found.drafts and not state.failed:
            state.found = replace(state.found, drafts=tuple(self._drafts_from_model(state.page, state.topic)))

    def _opinion(self, page: WaitingPage, topic: Topic) -> tuple[bool, Reason] | None:
        """Return the opinion of the model, reusing an earlier one about the same content."""
        earlier = earlier_answers.earlier_opinion(page, topic)
        opinion = self.model_session.judge(page, topic) if earlier is None and self.model_session is not None else None
        if opinion is None:
            return earlier
        sentence = f"The model {'finds' if opinion.relevant else 'does not find'} it relevant: {opinion.reason}"
        return opinion.relevant, Reason("model", Decimal("0.00"), sentence)

    def _drafts_from_model(self, page: WaitingPage, topic: Topic | None) -> list[Draft]:
        drafts = earlier_answers.earlier_drafts(
            page, self.domain, model_session.page_for_model(page, self.domain, topic)
        )
        if drafts is None and self.model_session is not None:
            return self.model_session.extract(page, topic)
        return drafts or []

    def _result(self, state: _PageState) -> PageResult:
        page = state.page
        prepared = {
            each.key: each for draft in reversed(state.drafts) if (each := _prepared(page.page, page.snapshot, draft))
        }
        done = PassRow(
            page=page.page,
            snapshot=page.snapshot,
            ms=state.ms,
            problem=state.problem,
            said=[f"{kind} {key}" for kind, key in prepared],
            failed=state.failed,
        )
        reasons = [{**each._asdict(), "points": str(each.points)} for each in state.relevance.reasons]
        flag = FlagRow(
            snapshot=page.snapshot,
            topic=state.topic.pk if state.topic else None,
            score=state.relevance.score,
            threshold=state.threshold,
            relevant=state.relevant,
            reasons=reasons,
            by=state.by,
        )
        contacts = unique_contacts(state.found.contacts) if state.relevant or prepared else {}
        return PageResult(page.url, done, flag, list(prepared.values()), contacts)


def _prepared(page: UUID, snapshot: UUID, draft: Draft) -> PreparedDraft | None:
    payload, key = normalised(draft.fields), external_id(draft.external_id)
    if not key or not payload.get("name"):
        return None
    return PreparedDraft(page, snapshot, replace(draft, external_id=key), payload, payload_hash(draft.kind, payload))


def topics_of(domain: Domain) -> list[Topic]:
    """Return the topic of the candidate, or all topics for a domain that was never judged."""
    candidate = Candidate.objects.select_related("topic").filter(domain=domain).first()
    return [candidate.topic] if candidate else list(Topic.objects.order_by("name"))

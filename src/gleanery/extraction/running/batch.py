"""What becomes of a batch of pages: extracted where it can be killed, flagged by rules, and by the model if need be."""

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
from gleanery.extraction.contacts.identity import distinct
from gleanery.extraction.country import country_of
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.model_reading import asking, remembering
from gleanery.extraction.payload import external_id, normalised, payload_hash
from gleanery.extraction.relevance import PageWords, Reason, Relevance, assess
from gleanery.extraction.running.extractor_pool import Extractor
from gleanery.extraction.storing.changes import Said
from gleanery.extraction.storing.statements import Done, Flagged, Waiting
from gleanery.judging.lexicon import Lexicon
from gleanery.judging.models import Candidate
from gleanery.judging.services import words_of

UNSURE = Decimal("0.15")  # on either side of the threshold
UNSTRUCTURED = ("plain", "model")  # extractors that read what was written for people
NO_TOPIC = Relevance(Decimal("1.00"), (Reason("topic", Decimal("1.00"), "There is no topic, so every page counts."),))


class Finding(NamedTuple):
    """All that is kept of one page."""

    url: str
    done: Done
    flag: Flagged
    said: list[Said]
    contacts: dict[str, ContactDraft]


class Reader(NamedTuple):
    """A topic with its words compiled."""

    topic: Topic
    lexicon: Lexicon


@dataclass(slots=True)
class _Look:
    """A page while it is looked at."""

    page: Waiting
    found: Extracted
    ms: int
    problem: str
    failed: bool
    topic: Topic | None
    relevance: Relevance
    by: str = "rules"
    by_model: bool | None = None

    @property
    def threshold(self) -> Decimal:
        return self.topic.page_threshold if self.topic else Decimal("0.00")

    @property
    def relevant(self) -> bool:
        return self.relevance.score >= self.threshold if self.by_model is None else self.by_model

    @property
    def unsure(self) -> bool:
        return self.topic is not None and abs(self.relevance.score - self.threshold) <= UNSURE

    @property
    def kept(self) -> list[Draft]:
        """Structured data of a wanted kind is kept even if the words say little."""
        if self.relevant:
            return list(self.found.drafts)
        wanted = set(self.topic.kinds) if self.topic else set()
        structured = [each for each in self.found.drafts if not each.extractor.startswith(UNSTRUCTURED)]
        return [each for each in structured if not wanted or each.kind in wanted]


class Worker:
    """Reads the topics of a domain once, then looks at batches of its pages."""

    def __init__(
        self, domain: Domain, extractor: Extractor, runner: asyncio.Runner, *, asks_model: bool = True
    ) -> None:
        self.domain = domain
        self.extractor = extractor
        self.runner = runner
        self.readers = [Reader(topic, Lexicon.of(words_of(topic))) for topic in topics_of(domain)]
        country = self.readers[0].topic.country if len(self.readers) == 1 else ""
        self.country = country_of(domain.name, otherwise=country)
        self.desk = asking.desk_for(settings.ENVIRONMENT, domain, runner) if asks_model else None

    def look_at(self, batch: list[Waiting]) -> list[Finding]:
        looks = self.runner.run(self._read(batch))
        for look in looks:
            self._ask_the_model(look)
        return [self._finding(each) for each in looks]

    async def _read(self, batch: list[Waiting]) -> list[_Look]:
        return [await self._look(page) for page in batch]

    async def _look(self, page: Waiting) -> _Look:
        started, problem, failed = time.perf_counter(), "", False
        try:
            found = await self.extractor.extract(page.raw, page.charset, self._source(page))
            problem = " ".join(found.problems)[:2000]
        except Unreadable as lost:
            found, problem, failed = Extracted(), str(lost), True
        ms = round(1000 * (time.perf_counter() - started))
        topic, relevance = self._relevance(page)
        return _Look(page, found, ms, problem, failed, topic, relevance)

    def _source(self, page: Waiting) -> Source:
        return Source(
            html="",
            url=page.url,
            media_type=page.content_type,
            fetched=page.fetched_at.date(),
            country=self.country,
            language=page.language[:2].lower(),
        )

    def _relevance(self, page: Waiting) -> tuple[Topic | None, Relevance]:
        """Of several topics the one that it passes best."""
        words = PageWords(
            url=page.url,
            title=page.title,
            text=page.text,
            types=[each for each in page.types if isinstance(each, str)],
            calendar=page.content_type == CALENDAR,
        )
        assessed = [(each.topic, assess(words, each.lexicon, each.topic.kinds)) for each in self.readers]
        if not assessed:
            return None, NO_TOPIC
        return max(assessed, key=lambda pair: (pair[1].score - pair[0].page_threshold, pair[0].name))

    def _ask_the_model(self, look: _Look) -> None:
        """Only where the rules are not sure, and only where a page that matters gave nothing."""
        if look.unsure and look.topic is not None and (opinion := self._opinion(look.page, look.topic)):
            look.by, look.by_model = "model", opinion[0]
            look.relevance = replace(look.relevance, reasons=(*look.relevance.reasons, opinion[1]))
        if look.relevant and not look.found.drafts and not look.failed:
            look.found = replace(look.found, drafts=tuple(self._things(look.page, look.topic)))

    def _opinion(self, page: Waiting, topic: Topic) -> tuple[bool, Reason] | None:
        """What it said of this content once stands, also where there is no model any more."""
        told = remembering.opinion_on(page, topic)
        opinion = self.desk.judge(page, topic) if told is None and self.desk is not None else None
        if opinion is None:
            return told
        sentence = f"The model {'finds' if opinion.relevant else 'does not find'} it relevant: {opinion.reason}"
        return opinion.relevant, Reason("model", Decimal("0.00"), sentence)

    def _things(self, page: Waiting, topic: Topic | None) -> list[Draft]:
        told = remembering.things_on(page, self.domain, asking.as_shown(page, self.domain, topic))
        if told is None and self.desk is not None:
            return self.desk.extract(page, topic)
        return told or []

    def _finding(self, look: _Look) -> Finding:
        page = look.page
        said = {each.key: each for draft in reversed(look.kept) if (each := _said(page.page, page.snapshot, draft))}
        done = Done(
            page=page.page,
            snapshot=page.snapshot,
            ms=look.ms,
            problem=look.problem,
            said=[f"{kind} {key}" for kind, key in said],
            failed=look.failed,
        )
        reasons = [{**each._asdict(), "points": str(each.points)} for each in look.relevance.reasons]
        flag = Flagged(
            snapshot=page.snapshot,
            topic=look.topic.pk if look.topic else None,
            score=look.relevance.score,
            threshold=look.threshold,
            relevant=look.relevant,
            reasons=reasons,
            by=look.by,
        )
        contacts = distinct(look.found.contacts) if look.relevant or said else {}
        return Finding(page.url, done, flag, list(said.values()), contacts)


def _said(page: UUID, snapshot: UUID, draft: Draft) -> Said | None:
    payload, key = normalised(draft.fields), external_id(draft.external_id)
    if not key or not payload.get("name"):
        return None
    return Said(page, snapshot, replace(draft, external_id=key), payload, payload_hash(draft.kind, payload))


def topics_of(domain: Domain) -> list[Topic]:
    """That of its candidate; a domain that nobody judged may be of use to any."""
    candidate = Candidate.objects.select_related("topic").filter(domain=domain).first()
    return [candidate.topic] if candidate else list(Topic.objects.order_by("name"))

"""Use cases of judging: judges results and turns their domains into candidates."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import system
from gleanery.accounts.journal import Naming
from gleanery.discovery.hit import Hit
from gleanery.discovery.models import Session, Topic
from gleanery.discovery.screening import screen
from gleanery.domains.life import PROCESSING
from gleanery.domains.models import Domain
from gleanery.domains.names import DomainName, domain_of
from gleanery.ids import hex7
from gleanery.judging import storage
from gleanery.judging.evidence.case import Case, History, TopicWords
from gleanery.judging.judgement import Judgement, judge
from gleanery.judging.lexicon import Lexicon
from gleanery.judging.life import CANDIDATE
from gleanery.judging.models import Candidate, Run
from gleanery.judging.models import Judgement as StoredJudgement
from gleanery.judging.storage import Unjudged
from gleanery.sql import exclusive

log = structlog.get_logger(__name__)

AT_ONCE = 20_000
NOTHING = {"scores": [], "organization": "", "programme": ""}
# Lock order: domains by name, candidates by domain.
DOMAIN = Naming(Domain, "domain.name", order="name")
CANDIDATE_OF = Naming(Candidate, "(SELECT name FROM domain WHERE domain.id = candidate.domain_id)", order="domain_id")


def words_of(topic: Topic) -> TopicWords:
    return TopicWords(
        keywords=topic.keywords,
        organization_words=topic.organization_words,
        geography=topic.geography,
        country=topic.country,
        weights=topic.weights,
        threshold=topic.threshold,
    )


def explain(topic: Topic, url: str, title: str, text: str) -> dict[str, Any]:
    """Judge one result with the history of its domain, without storing anything."""
    clean, domain = screen(Hit("", url, title, text, 1)), domain_of(url)
    known = Domain.objects.filter(name=domain.name).values_list("pk", flat=True).first()
    past = storage.history(None, [known]).get(known) if known else None
    case = Case(
        title=clean.title,
        description=clean.description,
        query="",
        domain=domain,
        history=History(*past) if past else None,
    )
    said = judge(case, Lexicon.of(words_of(topic)))
    return {
        "domain_name": domain.name,
        **as_facts(said),
        "reasoning": said.explanation,
        "threshold": topic.threshold,
        "should_crawl": said.should_crawl,
    }


def evidence_of(candidate: Candidate) -> list[StoredJudgement]:
    """Return the judgements of a candidate's domain, most convincing first."""
    said = StoredJudgement.objects.select_related("result").filter(domain=candidate.domain_id)
    return list(said.order_by(F("confidence").desc(nulls_last=True), "id"))


def judge_session(session: Session, progress: Callable[[int], None] = lambda count: None) -> Run | None:
    """Judge all results of a session that have no judgement; return None if there are none.

    Only one call per session runs at a time; a second one waits and then judges what is left.
    """
    with exclusive("judging", session.pk):
        if not storage.unjudged(session.pk, 1):
            return None
        run = Run.objects.create(session=session)
        judging = SessionJudging(session, run)
        while count := judging.judge_batch():
            progress(count)
        Run.objects.filter(pk=run.pk).update(completed_at=Now())
    run.refresh_from_db()
    return run


class SessionJudging:
    """Judging of one session in batches; the words of its topic are compiled once."""

    def __init__(self, session: Session, run: Run) -> None:
        self.session = session
        self.run = run
        self.topic = session.subject
        self.lexicon = Lexicon.of(words_of(self.topic))
        self.last = storage.FIRST

    @transaction.atomic
    def judge_batch(self) -> int:
        """Judge one batch and apply its consequences in the same transaction."""
        batch = storage.unjudged(self.session.pk, AT_ONCE, self.last)
        if not batch:
            return 0
        histories = storage.history(self.session.pk, (each.domain for each in batch))
        rows = [self._row(each, histories.get(each.domain)) for each in batch]
        domains = sorted({each.domain for each in batch})
        storage.lock(domains)
        storage.store(
            rows,
            run=self.run.pk,
            topic=self.topic.pk,
            threshold=self.topic.threshold,
            domains=domains,
            new_ids=[hex7() for _ in domains],
        )
        good = {each.domain for each, row in zip(batch, rows, strict=True) if self._is_good(row)}
        _move_domains(good, set(domains) - good, self.topic)
        self.last = batch[-1].result
        return len(batch)

    def _is_good(self, row: dict[str, Any]) -> bool:
        return not row["skipped"] and Decimal(row["confidence"]) >= self.topic.threshold

    def _row(self, each: Unjudged, history: tuple[int, int] | None) -> dict[str, Any]:
        row = {"id": hex7(), "result_id": each.result.hex, "domain_id": each.domain.hex}
        case = Case(
            title=each.title,
            description=each.description,
            query=each.query,
            domain=DomainName(each.name, each.registrable),
            history=History(*history) if history else None,
        )
        try:
            said = {"skipped": each.skip, **NOTHING} if each.skip else as_facts(judge(case, self.lexicon))
        except Exception:
            log.exception("the judges failed on a result", result=str(each.result))
            said = {"skipped": "failed", **NOTHING}
        return {**row, **said}


def as_facts(said: Judgement) -> dict[str, Any]:
    return {
        "confidence": str(said.confidence),
        "scores": [
            {"name": each.name, "score": str(each.score), "weight": str(each.weight), "explanation": each.explanation}
            for each in said.scores
        ],
        "organization": said.organization[:500],
        "programme": said.programme[:500],
        "skipped": "",
    }


def _move_domains(proven: set[UUID], doubtful: set[UUID], topic: Topic) -> None:
    """Propose domains with good evidence and lift skipped candidates; decisions of people are never changed."""
    good, actor = storage.good(list(proven)), system()
    reason = f"The judges rated it above the threshold for {topic}."
    lift, propose = CANDIDATE.step("skipped_low_confidence", "lift"), PROCESSING.step("discovered", "propose")
    skipped = {each.candidate for each in good if each.status == lift.before}
    journal.move_many(skipped, CANDIDATE, lift, actor, reason=reason, naming=CANDIDATE_OF)
    open_ones = {each.domain for each in good if each.status in (lift.before, lift.after)}
    journal.move_many(open_ones, PROCESSING, propose, actor, reason=reason, naming=DOMAIN)
    pipeline.happened_to_domains("proposed", open_ones)
    rate_low = PROCESSING.step("discovered", "rate_low")
    reason = "Three or more of its pages were judged low and none high."
    journal.move_many(storage.low(list(doubtful)), PROCESSING, rate_low, actor, reason=reason, naming=DOMAIN)

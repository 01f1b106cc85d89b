"""The order of the stages: what each event starts. This is the one module that knows it.

Stages never import later ones; they announce here what happened. What must be true at the same moment is called at
once, in the transaction of the event; what takes long is a job, which starts if that transaction commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from django.utils.module_loading import import_string
from procrastinate.contrib.django import app

if TYPE_CHECKING:
    from gleanery.accounts.actor import Actor

Job = Literal["session", "crawl", "preview", "extraction", "trust"]
DomainEvent = Literal["proposed", "submitted", "blacklisted", "trust_changed", "lifted"]
RecordEvent = Literal[
    "compared",
    "weighed",
    "doubtful",
    "clear",
    "undone",
    "published",
    "settled",
    "withdrawn",
    "told_apart",
    "changed",
    "edited",
]

#     what finished -> the jobs that start, with the ids that they take by these names
JOBS: dict[Job, tuple[str, ...]] = {
    "session": ("gleanery.judging.tasks.judge_session",),
    "crawl": ("gleanery.feeds.tasks.look_for_feeds", "gleanery.extraction.tasks.extract_crawl"),
    "preview": ("gleanery.feeds.tasks.look_for_feeds", "gleanery.extraction.tasks.extract_preview"),
    "extraction": ("gleanery.resolution.tasks.resolve_domain",),
    "trust": ("gleanery.resolution.tasks.follow_trust",),
}

#     what happened to domains -> what follows in the same transaction
DOMAINS: dict[DomainEvent, tuple[str, ...]] = {
    "proposed": ("gleanery.review.opening.open_sources",),
    "submitted": ("gleanery.review.opening.open_sources",),
    "blacklisted": (
        "gleanery.review.opening.supersede_sources",
        "gleanery.crawling.services.stop_crawls",
        "gleanery.resolution.intake.blacklisting.withdraw_records",
    ),
    "trust_changed": ("gleanery.extraction.services.follow_trust",),
    "lifted": ("gleanery.review.opening.begin_anew", "gleanery.resolution.intake.blacklisting.bring_back_records"),
}

#     what happened to records -> what follows in the same transaction
RECORDS: dict[RecordEvent, tuple[str, ...]] = {
    "compared": ("gleanery.review.opening.drop_likenesses",),
    "weighed": ("gleanery.review.opening.release",),
    "doubtful": ("gleanery.review.opening.open_records",),
    "clear": ("gleanery.review.opening.clear_records",),
    "undone": ("gleanery.review.records.reasons.ask_again",),
    "published": ("gleanery.review.records.reasons.end_doubts",),
    "settled": (
        "gleanery.review.opening.supersede_records",
        "gleanery.review.records.reasons.look_again",
        "gleanery.review.records.reasons.forget",
    ),
    "withdrawn": (
        "gleanery.review.opening.supersede_withdrawn",
        "gleanery.review.records.reasons.look_again",
        "gleanery.review.records.reasons.forget",
    ),
    "told_apart": ("gleanery.review.records.reasons.drop_likeness",),
    "changed": ("gleanery.review.records.reasons.look_again",),
    "edited": ("gleanery.review.reports.services.settle",),
}

SOURCE_CHANGED = "gleanery.resolution.intake.trust.follow_trust"
BLACKLISTING_FORESEEN = "gleanery.resolution.intake.blacklisting.count_affected"
IS_ASKED = "gleanery.review.records.reasons.is_asked"
SUBMITTED_PAGES = "gleanery.crawling.services.submitted_pages"
RESCRAPE = "gleanery.crawling.services.rescrape"


def ids_of(what: Job) -> tuple[str, ...]:
    """Return the names of the ids that the jobs take: that of what finished, but for a trust that is half followed."""
    return ("source", "after") if what == "trust" else (what,)


def finished(what: Job, **ids: UUID) -> None:
    """Start the next jobs if, and only if, the transaction commits."""
    if tuple(ids) != ids_of(what):
        raise TypeError(f"{what} is announced with {', '.join(ids_of(what))}")
    for task in JOBS[what]:
        app.configure_task(task).defer(**{name: str(value) for name, value in ids.items()})


def happened_to_domains(event: DomainEvent, domains: Collection[UUID]) -> Counter[str]:
    """Return what followed, as far as that is counted."""
    followed: Counter[str] = Counter()
    for handler in DOMAINS[event] if domains else ():
        followed.update(_handler(handler)(list(domains)) or {})
    return followed


def happened_to_records(event: RecordEvent, records: Collection[UUID]) -> None:
    """A mapping says of each record what was found about it."""
    for handler in RECORDS[event] if records else ():
        _handler(handler)(records)


def sources_changed(sources: Collection[UUID]) -> None:
    """The trust of these sources, or what they are asked about, is another now."""
    _handler(SOURCE_CHANGED)(sources)


def foresee_blacklisting(domains: Collection[UUID]) -> dict[str, int]:
    """Return the counts that blacklisting these domains would give."""
    counts: dict[str, int] = _handler(BLACKLISTING_FORESEEN)(list(domains))
    return counts


def is_asked(one: UUID, other: UUID) -> bool:
    """Return True if somebody is being asked whether these two records are one."""
    return bool(_handler(IS_ASKED)(one, other))


def pages_submitted(domain: UUID, urls: Collection[str]) -> None:
    """Hand single addresses of an approved domain to the crawler."""
    _handler(SUBMITTED_PAGES)(domain, list(urls))


def rescrape_asked(actor: Actor, domain: UUID) -> None:
    """Staff want every page of an approved domain read once more."""
    _handler(RESCRAPE)(actor, domain)


def _handler(path: str) -> Callable[..., Any]:
    handler: Callable[..., Any] = import_string(path)
    return handler

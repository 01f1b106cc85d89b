"""What finishes, and what starts then: the one place that knows the order of the stages.

Stages do not import later ones; they say here that something is done. What must be true at the same moment is called
at once, in the transaction of what finished; what takes long is a job, which starts if that transaction ends well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.module_loading import import_string
from procrastinate.contrib.django import app

if TYPE_CHECKING:
    from gleanery.accounts.actor import Actor

#         what finished -> the jobs that start
NEXT: dict[str, tuple[str, ...]] = {
    "session": ("gleanery.judging.tasks.judge_session",),
    "crawl": ("gleanery.feeds.tasks.look_for_feeds", "gleanery.extraction.tasks.extract_crawl"),
    "preview": ("gleanery.feeds.tasks.look_for_feeds", "gleanery.extraction.tasks.extract_preview"),
    "extraction": ("gleanery.resolution.tasks.resolve_domain",),
    "trust": ("gleanery.resolution.tasks.follow_trust",),
}

SILENCE = "gleanery.resolution.intake.blacklisting.silence"
#         what happened to domains -> what is done about them in the same transaction
AT_ONCE: dict[str, tuple[str, ...]] = {
    "proposed": ("gleanery.review.opening.open_sources",),
    "submitted": ("gleanery.review.opening.open_sources",),
    "blacklisted": ("gleanery.review.opening.supersede_sources", "gleanery.crawling.services.stop_crawls", SILENCE),
    "trust_changed": ("gleanery.extraction.services.follow_trust",),
    "lifted": ("gleanery.review.opening.begin_anew", "gleanery.resolution.intake.blacklisting.hear"),
}

#         what might happen to domains -> who counts what would follow
FORESEEN: dict[str, str] = {"blacklisted": "gleanery.resolution.intake.blacklisting.foresee"}

#         what was found about records -> who is told in the same transaction
ABOUT_RECORDS: dict[str, tuple[str, ...]] = {
    "records_compared": ("gleanery.review.opening.drop_likenesses",),
    "records_weighed": ("gleanery.review.opening.release",),
    "records_doubtful": ("gleanery.review.opening.open_records",),
    "records_clear": ("gleanery.review.opening.clear_records",),
    "records_undone": ("gleanery.review.records.reasons.ask_again",),
    "records_published": ("gleanery.review.records.reasons.end_doubts",),
    "records_settled": (
        "gleanery.review.opening.supersede_records",
        "gleanery.review.records.reasons.look_again",
        "gleanery.review.records.reasons.forget",
    ),
    "records_withdrawn": (
        "gleanery.review.opening.supersede_withdrawn",
        "gleanery.review.records.reasons.look_again",
        "gleanery.review.records.reasons.forget",
    ),
    "records_told_apart": ("gleanery.review.records.reasons.drop_likeness",),
    "records_changed": ("gleanery.review.records.reasons.look_again",),
    "source_changed": ("gleanery.resolution.intake.trust.follow_trust",),
}


def finished(what: str, which: str) -> None:
    """Belongs into the transaction of what finished: then the next job starts if, and only if, it did."""
    for task in NEXT[what]:
        app.configure_task(task).defer(**{what: which})


def happened(what: str, domains: Collection[UUID]) -> Counter[str]:
    """Belongs into the transaction of what happened. Return what followed, as far as that is counted."""
    followed: Counter[str] = Counter()
    for handler in AT_ONCE[what] if domains else ():
        followed.update(import_string(handler)(list(domains)) or {})
    return followed


def foreseen(what: str, domains: Collection[UUID]) -> dict[str, int]:
    """Return the same counts, of what has not happened."""
    counts: dict[str, int] = import_string(FORESEEN[what])(list(domains))
    return counts


def told(what: str, about: Collection[UUID]) -> None:
    """Belongs into the transaction of what was found. A mapping says of each record what was found about it."""
    for handler in ABOUT_RECORDS[what] if about else ():
        import_string(handler)(about)


def is_asked(one: UUID, other: UUID) -> bool:
    """Return True if somebody is being asked whether these two records are one."""
    return bool(import_string("gleanery.review.records.reasons.is_asked")(one, other))


def happened_to_pages(domain: UUID, urls: Collection[str]) -> None:
    """Single addresses of an approved domain were submitted: they are handed over in the same transaction."""
    import_string("gleanery.crawling.services.submitted_pages")(domain, list(urls))


def asked_again(actor: Actor, domain: UUID) -> None:
    """Staff want every page of an approved domain read once more."""
    import_string("gleanery.crawling.services.rescrape")(actor, domain)

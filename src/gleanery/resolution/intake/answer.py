"""The answer to each thing that is taken in: what became of it, its record, and why it waits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gleanery.resolution.intake.observation_draft import Observation
from gleanery.resolution.records.quality import Doubt

OUTCOMES = ("created", "updated", "unchanged", "merged", "in_review", "refused")


@dataclass(frozen=True, slots=True)
class Answer:
    """`record` is the id of its record; `reason` says why it was refused."""

    outcome: str
    record: str | None = None
    warnings: tuple[Doubt, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()


def answers_to_copies(copies: Iterable[Observation], last: Answer, before: bytes | None) -> Iterator[Answer]:
    """Return an answer for each copy of one thing in a batch, as if each had come alone. Only the last is stored.

    `last` is the answer to that one, `before` the digest of what was known of it before the batch.
    """
    if last.outcome not in ("updated", "unchanged"):
        before = None
    for copy in copies:
        if before is None or last.outcome == "refused":
            yield last
        elif copy.digest == before:
            yield Answer("unchanged", last.record)
        else:
            yield replace(last, outcome="updated")
        before = copy.digest

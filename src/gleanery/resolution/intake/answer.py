"""Result of intake for one observation: outcome, record, warnings, and the reason for a refusal. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gleanery.resolution.intake.observation_draft import Observation
from gleanery.resolution.records.quality import Doubt

OUTCOMES = ("created", "updated", "unchanged", "merged", "in_review", "refused")


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcome of one observation. `record` is the id of its record; `reason` says why it was refused."""

    outcome: str
    record: str | None = None
    warnings: tuple[Doubt, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()


def answers_to_copies(copies: Iterable[Observation], last: Answer, before: bytes | None) -> Iterator[Answer]:
    """Yield an answer for each copy of one thing in a batch, as if each had come alone. Only the last is stored.

    `last` is the answer to the last copy, `before` the digest of the version stored before the batch.
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

"""Use cases of deciding about all pairs of a cause; each pair is decided separately."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, GleaneryError, Invalid, NotFound
from gleanery.resolution import services as resolution
from gleanery.review import services
from gleanery.review.queue import claims
from gleanery.review.together.causes import Cause, Pair, Side, grouped
from gleanery.sql import rows
from gleanery.text import counted

SAME, DIFFERENT = "same", "different"
# Each record is represented by the source that first reported it. Indexes: review_pending, that of the warnings
# of an item, record_pkey, observation_of_record.
PAIRS = """
    SELECT item.id, (detail ->> 'probability')::float, record.id, record.name, record.start_date, mine.name,
           other.id, other.name, other.start_date, theirs.name
    FROM review_item AS item
         JOIN review_warning AS warning ON warning.item_id = item.id
         JOIN record ON record.id = item.record_id
         JOIN record AS other ON other.id = (detail ->> 'duplicate_of')::uuid
         CROSS JOIN LATERAL (
             SELECT source.name FROM observation JOIN source ON source.id = source_id
             WHERE record = record.id AND superseded_at IS NULL ORDER BY first_observed, observation.id LIMIT 1
         ) AS mine
         CROSS JOIN LATERAL (
             SELECT source.name FROM observation JOIN source ON source.id = source_id
             WHERE record = other.id AND superseded_at IS NULL ORDER BY first_observed, observation.id LIMIT 1
         ) AS theirs
    WHERE item.status = 'pending' AND item.kind = 'record' AND detail ? 'probability'
      AND other.status IN ('in_review', 'published')
    ORDER BY item.id, warning.id
"""


@dataclass(slots=True)
class JointResult:
    """Pairs that were decided, and those refused with the reason."""

    said: str
    done: list[Pair] = field(default_factory=list)
    refused: list[tuple[Pair, str]] = field(default_factory=list)


def causes() -> list[Cause]:
    return grouped(_pairs())


def find(cause_id: str) -> Cause:
    for cause in causes():
        if cause.id == cause_id:
            return cause
    raise NotFound("This cause no longer exists: its pairs were decided or are no longer similar.")


def decide(actor: Actor, cause_id: str, answer: str, seen: str) -> JointResult:
    """Decide about all pairs, each in its own transaction; `seen` is the digest of the pairs that were shown."""
    claims.must_decide(actor, "decide about pairs")
    if answer not in DECIDED:
        raise Invalid(f"{answer!r} is not an answer. Choose {' or '.join(DECIDED)}.")
    cause = find(cause_id)
    if cause.seen != seen:
        raise Conflict(
            "The pairs have changed since you opened the page, so nothing was decided. Reload it and try again."
        )
    result = JointResult("")
    for pair in cause.pairs:
        try:
            DECIDED[answer](actor, pair)
            result.done.append(pair)
        except GleaneryError as problem:
            result.refused.append((pair, str(problem)))
    many = counted(len(result.done), "pair")
    done = f"{many} merged" if answer == SAME else f"{many} kept separate"
    left = f"; {counted(len(result.refused), 'pair')} could not be decided" if result.refused else ""
    result.said = f"{done}{left}."
    return result


def _merge(actor: Actor, pair: Pair) -> None:
    services.decide(actor, claims.find(pair.item), "merge", merge_into=pair.other.record)


def _keep_separate(actor: Actor, pair: Pair) -> None:
    claims.must_be_free(claims.find(pair.item), actor)
    one, other = (resolution.find_record(side.record) for side in (pair.one, pair.other))
    resolution.give_verdict(actor, one, other, "different")


DECIDED: dict[str, Callable[[Actor, Pair], None]] = {SAME: _merge, DIFFERENT: _keep_separate}


def _pairs() -> list[Pair]:
    return [_pair(*row) for row in rows(PAIRS)]


def _pair(item: UUID, probability: float, *sides: object) -> Pair:
    return Pair(item, Side(*sides[:4]), Side(*sides[4:]), probability)  # type: ignore[arg-type]  # as PAIRS gives them

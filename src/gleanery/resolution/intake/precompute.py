"""Work that needs no write lock and is done before it is taken, so that several processes do it side by side.

All of it is a hint: whatever others write meanwhile, the batch looks again under the lock and does what is missing.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

from gleanery.ids import text7
from gleanery.matching.facts import Facts
from gleanery.matching.live import stored
from gleanery.matching.live.candidates import Precomputed
from gleanery.resolution.intake import storage
from gleanery.resolution.intake.assignment import Assignment
from gleanery.resolution.intake.observation_draft import Key, Observation, named, version_after
from gleanery.resolution.near import flagging


def precompute(source: str, observations: Collection[Observation]) -> dict[str, Precomputed]:
    """Return the near duplicates of those that will be new records, by the ids of the observations."""
    known = storage.look(source, [each.key for each in observations])
    news = []
    for each in observations:
        before = known.get(each.key)
        if before is None or before.payload_hash != each.digest or before.record is None:
            derive(each)
            if before is None or before.record is None:
                news.append(each)
    return foresee(source, news)


def derive(observation: Observation) -> None:
    """Compute what it keeps: its payload as it is stored, what it names, its features for matching, their digests."""
    _ = observation.stored_payload, observation.names
    stored.digests(observation.facts)


def foresee(source: str, news: Collection[Observation]) -> dict[str, Precomputed]:
    """Return their near duplicates, if what they name are the records that it is now."""
    if not news:
        return {}
    records = _named(source, news)
    asked: dict[str, Facts] = {}
    for each in news:
        refers = {name.reference: records[key] or "" for name, key, _ in each.names}
        asked[each.id] = each.facts._replace(at=refers.get("place", ""), by=refers.get("organization", ""))
    return flagging.foresee(asked)


def _named(source: str, news: Collection[Observation]) -> dict[Key, str | None]:
    """Return the records of the places and organisations that these name, as far as there are some."""
    children = {key: named(key, fields, text7()) for each in news for _, key, fields in each.names}
    known, now = storage.look(source, children), datetime.now(UTC)
    versions = {key: version_after(known.get(key), child, now) for key, child in children.items()}
    assignment = Assignment(list(versions.values()))
    return {key: assignment.guess(version) for key, version in versions.items()}

"""Work that is done before the write lock is taken, so that several processes can do it in parallel.

The results are only hints: under the lock the batch checks what others wrote meanwhile, and computes what is missing.
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
    """Return near duplicates of the observations that will become new records, by observation id."""
    known = storage.current_versions(source, [each.key for each in observations])
    news = []
    for each in observations:
        before = known.get(each.key)
        if before is None or before.payload_hash != each.digest or before.record is None:
            derive(each)
            if before is None or before.record is None:
                news.append(each)
    return near_if_new(source, news)


def derive(observation: Observation) -> None:
    """Fill the cached properties of an observation: stored payload, names, matching features, their digests."""
    _ = observation.stored_payload, observation.names
    stored.digests(observation.facts)


def near_if_new(source: str, news: Collection[Observation]) -> dict[str, Precomputed]:
    """Return near duplicates, given that these observations name the records that they would name now."""
    if not news:
        return {}
    records = _named(source, news)
    asked: dict[str, Facts] = {}
    for each in news:
        refers = {name.reference: records[key] or "" for name, key, _ in each.names}
        asked[each.id] = each.facts._replace(at=refers.get("place", ""), by=refers.get("organization", ""))
    return flagging.precompute_near(asked)


def _named(source: str, news: Collection[Observation]) -> dict[Key, str | None]:
    """Return the existing records of the places and organisations that these observations name."""
    children = {key: named(key, fields, text7()) for each in news for _, key, fields in each.names}
    known, now = storage.current_versions(source, children), datetime.now(UTC)
    versions = {key: version_after(known.get(key), child, now) for key, child in children.items()}
    assignment = Assignment(list(versions.values()))
    return {key: assignment.guess(version) for key, version in versions.items()}

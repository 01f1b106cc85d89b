"""Intake: stores observations of a source and assigns them to records, one transaction per batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.domains.life import BLACKLISTED
from gleanery.errors import Conflict, Invalid
from gleanery.extraction.models import Source
from gleanery.extraction.write_lock import take_write_lock
from gleanery.gc_pause import gc_paused
from gleanery.ids import text7
from gleanery.kinds import KINDS, REFERENCED
from gleanery.matching.live.candidates import Precomputed
from gleanery.resolution.intake import precompute, reprojection, storage, withdrawal
from gleanery.resolution.intake.answer import Answer, answers_to_copies
from gleanery.resolution.intake.assignment import Assignment
from gleanery.resolution.intake.observation_draft import (
    Assigned,
    Given,
    Key,
    Observation,
    Version,
    named,
    named_by,
    read,
    version_after,
)
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.near import auto_merge
from gleanery.resolution.records.projection import SourceInfo
from gleanery.sql import rows

MOST = 1_000
Copies = dict[Key, list[tuple[int, Observation]]]  # copies of each thing, with their positions in the batch

# Current versions of a source that have no record yet, oldest first. Index: observation_unresolved.
UNRESOLVED = """
    SELECT id::text, kind, external_id, payload, payload_hash, version, record::text, first_observed, extractor
    FROM observation WHERE source_id = %(source)s AND superseded_at IS NULL AND resolved_at IS NULL
    ORDER BY id LIMIT %(most)s
"""


@gc_paused()
def intake(source: Source, drafts: Sequence[Given], actor: Actor | None = None) -> list[Answer]:
    """Take in observations and return an answer for each, in order. A refused one does not affect the others.

    Sending a batch twice changes nothing, so a sender who is not sure that it arrived can send it again.
    """
    if len(drafts) > MOST:
        raise Invalid(
            f"A batch may have at most {MOST:,} observations. Nothing was stored; send them in smaller batches."
        )
    copies, answers = _read(drafts)
    last = [each[-1][1] for each in copies.values()]
    precomputed = precompute.precompute(str(source.pk), last)
    with transaction.atomic():
        take_write_lock()
        if is_blacklisted(source):
            raise Conflict(
                f"The domain of {source.name} is blacklisted. Nothing was stored; lift the blacklisting first."
            )
        batch = Batch.begin(source, precomputed)
        batch.take(last)
        answers |= _answers(batch, copies)
        counts = Counter(each.outcome for each in answers.values())
        if counts.keys() - {"unchanged", "refused"}:
            journal.write(actor or system(), "intake", source, after=dict(counts))
    return [answers[index] for index in range(len(drafts))]


def _read(drafts: Sequence[Given]) -> tuple[Copies, dict[int, Answer]]:
    """Return the copies of each thing, and an answer for each refused draft."""
    refused: dict[int, Answer] = {}
    copies: Copies = {}
    for index, given in enumerate(drafts):
        try:
            observation = read(given, text7())
        except Invalid as refusal:
            refused[index] = Answer("refused", reason=str(refusal))
            continue
        copies.setdefault(observation.key, []).append((index, observation))
    return copies, refused


def _answers(batch: Batch, copies: Copies) -> dict[int, Answer]:
    answers: dict[int, Answer] = {}
    for key, listed in copies.items():
        indexes, observations = zip(*listed, strict=True)
        found = answers_to_copies(observations, batch.answer(key), batch.before.get(key))
        answers.update(zip(indexes, found, strict=True))
    return answers


def resolve(source: Source) -> int:
    """Assign records to stored observations of this source, a batch at a time, and return their number."""
    count = 0
    while many := _resolve_some(source):
        count += many
    return count


@gc_paused()
def _resolve_some(source: Source) -> int:
    found = _waiting(source)
    before = {version.id: version.observation for version in found}
    for observation in before.values():
        precompute.derive(observation)
    precomputed = precompute.near_if_new(str(source.pk), [each.observation for each in found if each.record is None])
    with transaction.atomic():
        take_write_lock()
        waiting = [] if is_blacklisted(source) else _waiting(source)
        if waiting:
            batch = Batch.begin(source)
            batch.resolve([_prepared(version, before, precomputed) for version in waiting])
            counts = Counter(batch.answer(version.key).outcome for version in waiting)
            journal.write(system(), "resolve", source, after=dict(counts))
    return len(waiting)


def _prepared(version: Version, before: dict[str, Observation], precomputed: dict[str, Precomputed]) -> Version:
    """Return the version as read under the write lock, with what was computed before the lock."""
    observation = before.get(version.id, version.observation)
    return replace(version, observation=observation, precomputed=precomputed.get(version.id))


def _waiting(source: Source) -> list[Version]:
    return [_stored(row) for row in rows(UNRESOLVED, source=source.pk, most=MOST)]


def _stored(row: tuple[Any, ...]) -> Version:
    row_id, kind, key, payload, digest, version, record, first, extractor = row
    observation = Observation(
        kind=kind,
        external_id=key,
        payload=storage.loaded(payload),
        digest=bytes(digest),
        id=row_id,
        extractor=extractor,
    )
    return Version(observation=observation, id=row_id, first=first, number=version, is_stored=True, record=record)


@dataclass(slots=True)
class Batch:
    """Intake of one source at one moment, under the write lock."""

    source_info: SourceInfo
    now: datetime
    precomputed: Mapping[str, Precomputed]
    rows: dict[str, RecordDraft] = field(default_factory=dict)
    assigned: dict[Key, Assigned] = field(default_factory=dict)
    unchanged: dict[Key, str | None] = field(default_factory=dict)
    before: dict[Key, bytes] = field(default_factory=dict)

    @classmethod
    def begin(cls, source: Source, precomputed: Mapping[str, Precomputed] | None = None) -> Batch:
        trust, asks = Source.objects.values_list("trust", "asks").get(pk=source.pk)
        return cls(SourceInfo(str(source.pk), trust, tuple(asks)), storage.batch_time(), precomputed or {})

    @property
    def source(self) -> str:
        return self.source_info.source

    def take(self, observations: Sequence[Observation]) -> None:
        """Mark unchanged observations as seen again, and store the rest with their records."""
        self.resolve(self._news(observations))

    def resolve(self, news: list[Version]) -> None:
        """Store places and organisations first, then what names them; mark those that are no longer named."""
        given = {version.key for version in news}
        children = {
            key: named(key, fields, text7())
            for version in news
            for _, key, fields in version.observation.names
            if key not in given
        }
        gone = self._named_before(news) - children.keys() - given
        changed = self._news(list(children.values()))
        self._settle([*changed, *(version for version in news if version.kind in REFERENCED)])
        self._settle([self._referring(version) for version in news if version.kind not in REFERENCED])
        storage.mark_not_seen(self.source, gone - self.unchanged.keys(), self.now)

    def answer(self, key: Key) -> Answer:
        if key in self.unchanged:
            return Answer("unchanged", self.unchanged[key])
        assigned = self.assigned[key]
        row = self.rows[assigned.record]
        warnings, notes = (*row.doubts, *row.flags), tuple(row.notes)
        if assigned.outcome == "created" and row.status == "in_review":
            return Answer("in_review", row.id, warnings, notes=notes)
        return Answer(assigned.outcome, row.id, warnings, assigned.reason, notes)

    def _named_before(self, news: list[Version]) -> set[Key]:
        """Return the keys of the places and organisations that the previous versions named."""
        observations = {version.id: version.observation for version in news if KINDS[version.kind].names}
        said = storage.previous_payloads(self.source, [version for version in news if version.id in observations])
        return {key for row_id, payload in said.items() for _, key, _ in named_by(*observations[row_id].key, payload)}

    def _referring(self, version: Version) -> Version:
        refers = {name.reference: self._record_of(key) for name, key, _ in version.observation.names}
        return replace(version, place=refers.get("place"), organization=refers.get("organization"))

    def _record_of(self, key: Key) -> str | None:
        return self.assigned[key].record if key in self.assigned else self.unchanged.get(key)

    def _news(self, observations: Sequence[Observation]) -> list[Version]:
        """Return versions for new and changed observations, and mark the others as seen again."""
        known = storage.current_versions(self.source, [each.key for each in observations])
        news, again = [], []
        for each in observations:
            before = known.get(each.key)
            if before is not None:
                self.before[each.key] = before.payload_hash
                if before.payload_hash == each.digest and before.record is not None:
                    again.append(before.id)
                    self.unchanged[each.key] = before.record
                    continue
            version = version_after(before, each, self.now)
            found = self.precomputed.get(each.id)
            news.append(replace(version, precomputed=found) if found else version)
        storage.mark_seen(again, self.now)
        return news

    def _settle(self, versions: list[Version]) -> None:
        """Assign records to these versions and store both."""
        if not versions:
            return
        assignment = Assignment(versions)
        rows = assignment.assign(versions)
        withdrawal.bring_back(rows)
        reprojection.begin(rows, self.source_info, self.now)
        joined = auto_merge.assign_sure_matches([row for row in rows if row.is_new], assignment.rows)
        assigned = _assigned([*rows, *(each.survivor for each in joined)])
        rows = list({each.record: assignment.rows[each.record] for each in assigned.values()}.values())
        storage.store(self.source, list(assigned.values()), self.now)
        reprojection.follow(rows, self.source_info, self.now)
        reprojection.settle(rows, self.now, withdraw=True)
        auto_merge.write(joined, self.source, self.now)
        self.rows.update((row.id, row) for row in rows)
        self.assigned.update((each.version.key, each) for each in assigned.values())


def _assigned(rows: Iterable[RecordDraft]) -> dict[str, Assigned]:
    """Return assignments by version id; the last one counts, so survivors must come after the losers."""
    return {each.version.id: each for row in rows for each in row.joined}


def is_blacklisted(source: Source) -> bool:
    """Return True if the domain of the source is blacklisted, so that its observations wait."""
    return Source.objects.filter(pk=source.pk, domain__processing_status=BLACKLISTED).exists()


def source_named(name: str, *, kind: str = "import", trust: int | None = None) -> Source:
    """Return the source of this name, created if there is none; `trust` counts only on creation."""
    facts = {"kind": kind, "name": name} | ({"trust": trust, "is_trust_set": True} if trust is not None else {})
    Source.objects.bulk_create([Source(**facts)], ignore_conflicts=True)
    return Source.objects.get(name=name)

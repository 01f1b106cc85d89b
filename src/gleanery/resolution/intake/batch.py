"""Intake: what a source tells becomes observations, and each of them gets its record; a batch is one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.domains.life import BLACKLISTED
from gleanery.errors import Conflict, Invalid
from gleanery.extraction.models import Source
from gleanery.extraction.turn import take_turn
from gleanery.ids import text7
from gleanery.kinds import KINDS, REFERENCED
from gleanery.resolution.intake import precompute, reprojection, storage, withdrawal
from gleanery.resolution.intake.assignment import Matching
from gleanery.resolution.intake.observation_draft import Answer, Given, Key, Told, answered, named_by, read
from gleanery.resolution.intake.observation_draft import named as child
from gleanery.resolution.intake.record_draft import Row
from gleanery.resolution.near import joining
from gleanery.resolution.records.projection import Voice
from gleanery.sql import rows
from gleanery.uncollected import uncollected

MOST = 1_000
Things = dict[Key, list[tuple[int, Told]]]  # by their places in the batch

# Current versions of a source that have no record yet, the oldest first. Index: observation_unresolved.
UNRESOLVED = """
    SELECT id::text, kind, external_id, payload, payload_hash, version, record::text, first_observed, extractor
    FROM observation WHERE source_id = %(source)s AND superseded_at IS NULL AND resolved_at IS NULL
    ORDER BY id LIMIT %(most)s
"""


@uncollected()
def intake(source: Source, drafts: Sequence[Given], actor: Actor | None = None) -> list[Answer]:
    """An answer for each, in their order. What is refused says why, and costs the others nothing.

    The same once more changes nothing: whoever is not sure that a batch arrived sends it again.
    """
    if len(drafts) > MOST:
        raise Invalid(f"At most {MOST} at a time: send the rest in another batch.")
    things, answers = _read(drafts)
    last = [copies[-1][1] for copies in things.values()]
    precompute.prepare(str(source.pk), last)
    with transaction.atomic():
        take_turn()
        if is_silent(source):
            raise Conflict(f"The domain of {source.name} is blacklisted, so nothing is taken from it: lift that first.")
        batch = Batch.begin(source)
        batch.take(last)
        answers |= _answers(batch, things)
        counts = Counter(each.outcome for each in answers.values())
        if counts.keys() - {"unchanged", "refused"}:
            journal.write(actor or system(), "intake", source, after=dict(counts))
    return [answers[index] for index in range(len(drafts))]


def _read(drafts: Sequence[Given]) -> tuple[Things, dict[int, Answer]]:
    """Each thing with all that is told of it, and an answer for what is refused."""
    refused: dict[int, Answer] = {}
    things: Things = {}
    for index, given in enumerate(drafts):
        try:
            told = read(given, text7())
        except Invalid as refusal:
            refused[index] = Answer("refused", reason=str(refusal))
            continue
        things.setdefault(told.key, []).append((index, told))
    return things, refused


def _answers(batch: Batch, things: Things) -> dict[int, Answer]:
    answers: dict[int, Answer] = {}
    for key, copies in things.items():
        indexes, told_of = zip(*copies, strict=True)
        answers.update(zip(indexes, answered(told_of, batch.answer(told_of[-1]), batch.before.get(key)), strict=True))
    return answers


def resolve(source: Source) -> int:
    """What the stages before have stored of this source gets its records, a batch at a time; how many it was."""
    count = 0
    while many := _resolve_some(source):
        count += many
    return count


@uncollected()
def _resolve_some(source: Source) -> int:
    seen = {told.id: told for told in _waiting(source)}
    for told in seen.values():
        precompute.prepare_new(told)
    precompute.foresee(str(source.pk), [told for told in seen.values() if told.record is None])
    with transaction.atomic():
        take_turn()
        waiting = [] if is_silent(source) else _waiting(source)
        if waiting:
            precompute.take_over(waiting, seen)
            batch = Batch.begin(source)
            batch.resolve(waiting)
            counts = Counter(batch.answer(told).outcome for told in waiting)
            journal.write(system(), "resolve", source, after=dict(counts))
    return len(waiting)


def _waiting(source: Source) -> list[Told]:
    return [_stored(row) for row in rows(UNRESOLVED, source=source.pk, most=MOST)]


def _stored(row: tuple[Any, ...]) -> Told:
    row_id, kind, key, payload, digest, version, record, first, extractor = row
    return Told(
        kind=kind,
        external_id=key,
        payload=storage.loaded(payload),
        digest=bytes(digest),
        id=row_id,
        extractor=extractor,
        stored=True,
        version=version,
        first=first,
        record=record,
    )


@dataclass(slots=True)
class Batch:
    """One source at one moment."""

    voice: Voice
    now: datetime
    rows: dict[str, Row] = field(default_factory=dict)
    unchanged: dict[Key, str | None] = field(default_factory=dict)
    before: dict[Key, bytes] = field(default_factory=dict)

    @classmethod
    def begin(cls, source: Source) -> Batch:
        trust, asks = Source.objects.values_list("trust", "asks").get(pk=source.pk)
        return cls(Voice(str(source.pk), trust, tuple(asks)), storage.moment())

    @property
    def source(self) -> str:
        return self.voice.source

    def take(self, told: list[Told]) -> None:
        """What is as it was before is only seen again; the rest is stored with its records."""
        self.resolve(self._news(told))

    def resolve(self, news: list[Told]) -> None:
        """First what is named, then what names it; what is named no longer is marked."""
        before = storage.said_before(self.source, [each for each in news if KINDS[each.kind].names])
        told = {each.id: each for each in news}
        gone = {
            key
            for each, payload in before.items()
            for _, key, _ in named_by(told[each].kind, told[each].external_id, payload)
        }
        given = {each.key: each for each in news}
        named = [(each, name, key, fields) for each in news for name, key, fields in each.names()]
        children = {key: child(key, fields, text7()) for _, _, key, fields in named if key not in given}
        changed = self._news(list(children.values()))
        self._settle([*changed, *(each for each in news if each.kind in REFERENCED)])
        for each, name, key, _ in named:
            setattr(each, name.reference, (children.get(key) or given[key]).record)
        self._settle([each for each in news if each.kind not in REFERENCED])
        storage.not_seen(self.source, gone - children.keys() - given.keys() - self.unchanged.keys(), self.now)

    def answer(self, told: Told) -> Answer:
        if told.key in self.unchanged:
            return Answer("unchanged", self.unchanged[told.key])
        row = self.rows[str(told.record)]
        if told.outcome == "created" and row.status == "in_review":
            return Answer("in_review", row.id, (*row.doubts, *row.flags), notes=tuple(row.notes))
        return Answer(told.outcome, row.id, (*row.doubts, *row.flags), told.reason, tuple(row.notes))

    def _news(self, told: list[Told]) -> list[Told]:
        """Those that are new or say something new; each knows then what it follows."""
        known = storage.look(self.source, [each.key for each in told])
        news, again = [], []
        for each in told:
            before = known.get(each.key)
            if before is None:
                each.first = self.now
            else:
                self.before[each.key] = before.payload_hash
                each.record, each.first = before.record, before.first
                if before.payload_hash != each.digest:
                    each.supersedes, each.version = before.id, before.version + 1
                elif before.record is None:  # stored by a stage before, and not resolved yet
                    each.stored, each.id, each.version = True, before.id, before.version
                else:
                    again.append(before.id)
                    self.unchanged[each.key] = each.record = before.record
                    continue
            news.append(each)
        storage.seen_again(again, self.now)
        return news

    def _settle(self, told: list[Told]) -> None:
        if not told:
            return
        matching = Matching(told)
        rows = matching.assign(told)
        withdrawal.bring_back(rows)
        reprojection.begin(rows, self.voice, self.now)
        joined = joining.join([row for row in rows if row.is_new], matching.rows)
        rows = list({matching.rows[str(each.record)].id: matching.rows[str(each.record)] for each in told}.values())
        storage.store(self.source, told, self.now)
        reprojection.follow(rows, self.voice, self.now)
        reprojection.settle(rows, self.now, withdraw=True)
        joining.write(joined, self.source, self.now)
        self.rows.update((row.id, row) for row in rows)


def is_silent(source: Source) -> bool:
    """Within the turn: what it says waits until its domain is lifted from the blacklist."""
    return Source.objects.filter(pk=source.pk, domain__processing_status=BLACKLISTED).exists()


def source_named(name: str, *, kind: str = "import", trust: int | None = None) -> Source:
    """The source of this name, made if there is none; its trust is only set when it is made."""
    facts = {"kind": kind, "name": name} | ({"trust": trust, "is_trust_set": True} if trust is not None else {})
    Source.objects.bulk_create([Source(**facts)], ignore_conflicts=True)
    return Source.objects.get(name=name)

"""A record in work: what is stored, the observations that join it, and the result. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from gleanery.extraction.values import clock
from gleanery.kinds import KINDS
from gleanery.matching.facts import Facts
from gleanery.resolution.intake.observation_draft import Assigned, Version, answers_of
from gleanery.resolution.records.identity import Answered, Subject, identity
from gleanery.resolution.records.life import LIVE
from gleanery.resolution.records.projection import Projection, Seen, Span
from gleanery.resolution.records.quality import Doubt, doubts, holding, notes

NAMELESS = "(no name)"
LONGEST_NAME = 500
CONFLICTING = ("venue_name", "locality", "address", "lat", "lon", "official_id")  # what may speak against two being one
MODEL = "model"
RULES = 4  # number of the rules that make records of observations: those of older rules are computed again by a job


@dataclass(slots=True, eq=False)
class RecordDraft:
    """`before` is what is stored; a row that ends as it began is not written."""

    id: str
    kind: str
    status: str = ""
    name: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, dict[str, Any]] = field(default_factory=dict)
    identity: bytes | None = None
    also: frozenset[Answered] = frozenset()  # of its observations, where these are others than its own
    also_before: frozenset[Answered] = frozenset()
    place: str | None = None
    organization: str | None = None
    start_date: date | None = None
    deadline: date | None = None
    was_published: bool = False
    updated_at: datetime | None = None
    merged_into: str | None = None
    notes: list[str] = field(default_factory=list)
    rules: int = RULES
    is_new: bool = False
    is_back: bool = False  # it was withdrawn until now
    joined: list[Assigned] = field(default_factory=list)
    become_of: int = 0  # how many of these it was projected from, if it is new
    facts: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] | None = None
    spans_before: list[Span] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    changed: bool = False
    says_other: bool = False  # than before, or by other rules; else only who says it changed
    identity_changed: bool = False  # it answers to one to which it did not answer before
    compared: Facts | None = None  # of what it has become
    near: list[Any] | None = None  # its near duplicates, if they were looked for
    flags: list[Doubt] = field(default_factory=list)  # that it is like others

    @property
    def is_live(self) -> bool:
        return self.status in LIVE

    @property
    def identities(self) -> set[bytes]:
        """All that it answers to."""
        return {each.identity for each in self.also} | ({self.identity} if self.identity else set())

    @property
    def firm(self) -> set[bytes]:
        """Those that make it the same as any other that has one of them."""
        return {each.identity for each in self.also if not each.loose} | ({self.identity} if self.identity else set())

    def join(self, assigned: Assigned) -> None:
        self.joined.append(assigned)
        if KINDS[self.kind].may_conflict or KINDS[self.kind].ties:
            for name in CONFLICTING:
                if name in assigned.payload:
                    self.facts.setdefault(name, assigned.payload[name])

    def become(self, made: Projection, said: Collection[Seen], today: date, *, adds: bool = False) -> None:
        """What the projection makes of it: columns, identity, doubts. A new one is published if nobody doubts it.

        `adds`: what is said comes beside what the record was made of before.
        """
        self.compared = None
        before = (self.fields, self.provenance, self.place, self.organization, self.identity)
        country = str(made.fields.get("country") or "")
        self.fields, self.provenance = made.fields, made.provenance
        self.place, self.organization = made.place, made.organization
        self.name = str(made.fields.get("name") or NAMELESS)[:LONGEST_NAME]
        self.start_date = clock.day_of(made.fields.get("start"), country)
        self.deadline = clock.day_of(made.fields.get("deadline"), country)
        known = self.firm
        if not self.is_new or len(self.joined) > 1:  # what one alone says was looked up by its identity
            self.identity = identity(self.kind, Subject(made.fields, made.place, made.organization))
        found = {each for seen in said for each in answers_of(self.kind, seen.subject)}
        kept = self.also.union(found) if adds else found
        self.also = frozenset(each for each in kept if each.identity != self.identity)
        self.identity_changed = not self.firm <= known
        self.spans = made.occurrences
        after = (self.fields, self.provenance, self.place, self.organization, self.identity)
        noted = self.notes
        self._look_twice(said, today)
        self.changed = (
            self.is_new
            or before != after
            or self.spans != self.spans_before
            or self.notes != noted
            or self.rules != RULES
        )
        self.says_other = (
            self.is_new
            or self.is_back
            or self.rules != RULES
            or (before[0], *before[2:4]) != (self.fields, self.place, self.organization)
        )
        if self.is_new:
            self.status = "in_review" if self.doubts else "published"

    def _look_twice(self, said: Collection[Seen], today: date) -> None:
        """Notes stay with a record for good; what holds it back does so until it was published once."""
        readers = {seen.extractor.partition(":")[0] for seen in said}
        found = doubts(self.kind, self.fields, today, by_model=readers == {MODEL})
        self.notes = [note.code for note in notes(found)]
        if not self.was_published:
            self.doubts = holding(found, set.intersection(*(set(seen.asks) for seen in said)) if said else ())


def new_row(row_id: str, version: Version, identity_hash: bytes | None) -> RecordDraft:
    return RecordDraft(row_id, version.kind, status="in_review", identity=identity_hash, is_new=True)

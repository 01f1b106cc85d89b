"""A record in work: what is stored of it, what joins it, and what becomes of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from gleanery.resolution import clock
from gleanery.resolution.identity import Subject, identity
from gleanery.resolution.kinds import KINDS
from gleanery.resolution.life import LIVE
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.projection import Projection, Seen, Span
from gleanery.resolution.quality import Doubt, doubts
from gleanery.resolution.told import Told

NAMELESS = "(no name)"
LONGEST_NAME = 500
TELLING = ("address", "lat", "lon", "official_id")  # what may speak against two being one
MODEL = "model"


@dataclass(slots=True, eq=False)
class Row:
    """`before` is what is stored; a row that ends as it began is not written."""

    id: str
    kind: str
    status: str = ""
    name: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, dict[str, Any]] = field(default_factory=dict)
    identity: bytes | None = None
    place: str | None = None
    organization: str | None = None
    start_date: date | None = None
    deadline: date | None = None
    was_published: bool = False
    updated_at: datetime | None = None
    merged_into: str | None = None
    is_new: bool = False
    joined: list[Told] = field(default_factory=list)
    become_of: int = 0  # how many of these it was projected from, if it is new
    facts: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] | None = None
    spans_before: list[Span] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    changed: bool = False
    says_other: bool = False  # than before; else only who says it changed
    identity_changed: bool = False
    traits: Traits | None = None  # of what it has become
    near: list[Any] | None = None  # its near duplicates, if they were looked for
    flags: list[Doubt] = field(default_factory=list)  # that it is like others

    @property
    def is_live(self) -> bool:
        return self.status in LIVE

    def join(self, told: Told) -> None:
        told.record = self.id
        self.joined.append(told)
        if KINDS[self.kind].may_conflict:
            for name in TELLING:
                if name in told.payload:
                    self.facts.setdefault(name, told.payload[name])

    def become(self, made: Projection, said: Iterable[Seen], today: date) -> None:
        """What the projection makes of it: columns, identity, doubts. A new one is published if nobody doubts it."""
        self.traits = None
        before = (self.fields, self.provenance, self.place, self.organization, self.identity)
        country = str(made.fields.get("country") or "")
        self.fields, self.provenance = made.fields, made.provenance
        self.place, self.organization = made.place, made.organization
        self.name = str(made.fields.get("name") or NAMELESS)[:LONGEST_NAME]
        self.start_date = clock.day_of(made.fields.get("start"), country)
        self.deadline = clock.day_of(made.fields.get("deadline"), country)
        known = self.identity
        if not self.is_new or len(self.joined) > 1:  # what one alone says was looked up by its identity
            self.identity = identity(self.kind, Subject(made.fields, made.place, made.organization))
        self.identity_changed = self.identity is not None and self.identity != known
        self.spans = made.occurrences
        after = (self.fields, self.provenance, self.place, self.organization, self.identity)
        self.changed = self.is_new or before != after or self.spans != self.spans_before
        self.says_other = self.is_new or (before[0], *before[2:4]) != (self.fields, self.place, self.organization)
        readers = {seen.extractor.partition(":")[0] for seen in said}
        if not self.was_published:
            self.doubts = doubts(self.kind, self.fields, today, by_model=readers == {MODEL})
        if self.is_new:
            self.status = "in_review" if self.doubts else "published"


def new_row(row_id: str, told: Told, identity_hash: bytes | None) -> Row:
    return Row(row_id, told.kind, status="in_review", identity=identity_hash, is_new=True)

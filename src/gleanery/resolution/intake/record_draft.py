"""A record being computed: its stored state, the observations that a batch adds, and the result. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from gleanery.extraction.values import clock
from gleanery.kinds import KINDS
from gleanery.matching.facts import Facts
from gleanery.resolution.intake.observation_draft import Assigned, Version, lookup_identities_of
from gleanery.resolution.records.identity import LookupIdentity, Subject, identity
from gleanery.resolution.records.life import LIVE
from gleanery.resolution.records.projection import CurrentObservation, Projection, Span
from gleanery.resolution.records.quality import Doubt, blocking, doubts, notes

NAMELESS = "(no name)"
LONGEST_NAME = 500
CONFLICTING = (
    "venue_name",
    "locality",
    "address",
    "lat",
    "lon",
    "official_id",
)  # fields that can show that two are different
MODEL = "model"
RULES = 4  # version of the projection rules; a job recomputes records of older versions


@dataclass(slots=True, eq=False)
class RecordDraft:
    """Working copy of a record. A row that ends as it began is not written."""

    id: str
    kind: str
    status: str = ""
    name: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, dict[str, Any]] = field(default_factory=dict)
    identity: bytes | None = None
    other_identities: frozenset[LookupIdentity] = frozenset()  # identities of its observations that differ from its own
    other_identities_before: frozenset[LookupIdentity] = frozenset()
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
    is_brought_back: bool = False  # it was withdrawn before this batch
    joined: list[Assigned] = field(default_factory=list)
    projected_from: int = 0  # how many of `joined` a new record was projected from
    facts: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] | None = None
    spans_before: list[Span] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    changed: bool = False
    content_changed: bool = False  # the content or the rules changed, not just the provenance
    identity_changed: bool = False  # it gained a firm identity
    compared: Facts | None = None  # matching features of the current fields
    near: list[Any] | None = None  # its near duplicates, if they were searched for
    flags: list[Doubt] = field(default_factory=list)  # warnings about near duplicates

    @property
    def is_live(self) -> bool:
        return self.status in LIVE

    @property
    def identities(self) -> set[bytes]:
        """All identities by which it is found."""
        return {each.identity for each in self.other_identities} | ({self.identity} if self.identity else set())

    @property
    def firm(self) -> set[bytes]:
        """Identities that alone are enough to make two records the same."""
        return {each.identity for each in self.other_identities if not each.loose} | (
            {self.identity} if self.identity else set()
        )

    def join(self, assigned: Assigned) -> None:
        self.joined.append(assigned)
        if KINDS[self.kind].may_conflict or KINDS[self.kind].ties:
            for name in CONFLICTING:
                if name in assigned.payload:
                    self.facts.setdefault(name, assigned.payload[name])

    def apply(
        self, made: Projection, observations: Collection[CurrentObservation], today: date, *, adds: bool = False
    ) -> None:
        """Take over a projection: columns, identity, doubts. A new record without doubts is published.

        `adds`: the given observations come in addition to those that the record was made of before.
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
        if not self.is_new or len(self.joined) > 1:  # the identity of a single observation is known from the look-up
            self.identity = identity(self.kind, Subject(made.fields, made.place, made.organization))
        found = {one for each in observations for one in lookup_identities_of(self.kind, each.subject)}
        kept = self.other_identities.union(found) if adds else found
        self.other_identities = frozenset(each for each in kept if each.identity != self.identity)
        self.identity_changed = not self.firm <= known
        self.spans = made.occurrences
        after = (self.fields, self.provenance, self.place, self.organization, self.identity)
        noted = self.notes
        self._set_doubts(observations, today)
        self.changed = (
            self.is_new
            or before != after
            or self.spans != self.spans_before
            or self.notes != noted
            or self.rules != RULES
        )
        self.content_changed = (
            self.is_new
            or self.is_brought_back
            or self.rules != RULES
            or (before[0], *before[2:4]) != (self.fields, self.place, self.organization)
        )
        if self.is_new:
            self.status = "in_review" if self.doubts else "published"

    def _set_doubts(self, observations: Collection[CurrentObservation], today: date) -> None:
        """Set notes and doubts. Notes always apply; doubts hold a record back only until it was first published."""
        readers = {each.extractor.partition(":")[0] for each in observations}
        found = doubts(self.kind, self.fields, today, by_model=readers == {MODEL})
        self.notes = [note.code for note in notes(found)]
        if not self.was_published:
            self.doubts = blocking(
                found, set.intersection(*(set(each.asks) for each in observations)) if observations else ()
            )


def new_row(row_id: str, version: Version, identity_hash: bytes | None) -> RecordDraft:
    return RecordDraft(row_id, version.kind, status="in_review", identity=identity_hash, is_new=True)

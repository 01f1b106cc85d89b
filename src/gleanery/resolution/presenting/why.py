"""Explains a pair of records: their current match, and the decision of a person about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from gleanery.errors import Invalid
from gleanery.matching.explaining import Explained, explain
from gleanery.matching.facts import Facts, facts
from gleanery.matching.live import counting
from gleanery.matching.scoring import compare
from gleanery.resolution.models import Merge, Record, Verdict
from gleanery.resolution.near.flagging import bounds


@dataclass(frozen=True, slots=True)
class Decision:
    verdict: str
    by: str
    at: datetime

    @property
    def sentence(self) -> str:
        decision = {"same": "the same", "different": "different"}.get(self.verdict, "uncertain")
        return f"{self.by} marked them as {decision} on {self.at:%a} {self.at.day} {self.at:%b %Y, %H:%M} UTC."


@dataclass(frozen=True, slots=True)
class Why:
    one: Record
    other: Record
    explained: Explained
    judged: Decision | None
    as_merged: bool  # they are merged now, so their fields before the merge are compared

    @property
    def records(self) -> tuple[Record, Record]:
        return self.one, self.other

    def as_dict(self) -> dict[str, Any]:
        judged = self.judged
        return {
            "records": [{"id": each.pk, "name": each.name, "status": each.status} for each in self.records],
            "kind": self.one.kind,
            **self.explained.as_dict(),
            "as_merged": self.as_merged,
            "verdict": {"verdict": judged.verdict, "by": judged.by, "at": judged.at, "sentence": judged.sentence}
            if judged
            else None,
        }


def why(one: Record, other: Record) -> Why:
    if one.pk == other.pk:
        raise Invalid("This is the same record. Choose another one to compare with.")
    if one.kind != other.kind:
        raise Invalid(
            f"Only records of the same kind can be compared: this is of kind {one.kind}, the other {other.kind}."
        )
    merge = merge_of(one, other)
    here, there = sides_of(one, other, merge)
    limits = bounds(one.kind)
    match = compare(here, there, counting.rarities((here, there))[one.kind])
    explained = explain(match, one.kind, limits.auto, limits.review)
    return Why(one, other, explained, current_decision(one, other), merge is not None)


def merge_of(one: Record, other: Record) -> Merge | None:
    """Return the latest merge of the two that is not undone."""
    pair = Q(loser=one.pk, survivor=other.pk) | Q(loser=other.pk, survivor=one.pk)
    return Merge.objects.filter(pair, undone_at=None).order_by("-id").first()


def sides_of(one: Record, other: Record, merge: Merge | None) -> tuple[Facts, Facts]:
    """Return the features of both; those of merged records are from before the merge."""

    def of(record: Record) -> Facts:
        fields: Mapping[str, Any] = record.fields
        if merge is not None:
            role = "loser" if record.pk == merge.loser_id else "survivor"
            fields = (merge.moved.get(role) or {}).get("fields") or record.fields
        place, organization = _text(record.place_id), _text(record.organization_id)
        return facts(record.kind, fields, place=place, organization=organization)

    return of(one), of(other)


def current_decision(one: Record, other: Record) -> Decision | None:
    low, high = sorted((one.pk, other.pk))
    row = Verdict.objects.select_related("by").filter(low=low, high=high, superseded_at=None).first()
    return Decision(row.verdict, str(row.by), row.at) if row else None


def _text(record_id: UUID | None) -> str | None:
    return str(record_id) if record_id else None

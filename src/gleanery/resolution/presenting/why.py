"""Why two records are taken for one, or not: their match now, and what somebody said about them."""

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
class Judged:
    verdict: str
    by: str
    at: datetime

    @property
    def sentence(self) -> str:
        said = {"same": "that they are one", "different": "that they are two"}.get(self.verdict, "to be unsure")
        return f"{self.by} said {said}, {self.at:%Y-%m-%d %H:%M} UTC."


@dataclass(frozen=True, slots=True)
class Why:
    one: Record
    other: Record
    explained: Explained
    judged: Judged | None
    as_merged: bool  # they are one by now; this is what each was then

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
        raise Invalid("Name two records: this is one.")
    if one.kind != other.kind:
        raise Invalid(f"They cannot be one: one is of kind {one.kind}, the other of kind {other.kind}.")
    merge = merge_of(one, other)
    here, there = sides_of(one, other, merge)
    limits = bounds(one.kind)
    match = compare(here, there, counting.rarities((here, there))[one.kind])
    told = explain(match, one.kind, limits.auto, limits.review)
    return Why(one, other, told, judged_about(one, other), merge is not None)


def merge_of(one: Record, other: Record) -> Merge | None:
    """The last by which one of them went into the other, if they are still one."""
    pair = Q(loser=one.pk, survivor=other.pk) | Q(loser=other.pk, survivor=one.pk)
    return Merge.objects.filter(pair, undone_at=None).order_by("-id").first()


def sides_of(one: Record, other: Record, merge: Merge | None) -> tuple[Facts, Facts]:
    """As they are; merged ones as they were before, since what either said is in the survivor now."""

    def of(record: Record) -> Facts:
        fields: Mapping[str, Any] = record.fields
        if merge is not None:
            role = "loser" if record.pk == merge.loser_id else "survivor"
            fields = (merge.moved.get(role) or {}).get("fields") or record.fields
        place, organization = _text(record.place_id), _text(record.organization_id)
        return facts(record.kind, fields, place=place, organization=organization)

    return of(one), of(other)


def judged_about(one: Record, other: Record) -> Judged | None:
    low, high = sorted((one.pk, other.pk))
    row = Verdict.objects.select_related("by").filter(low=low, high=high, superseded_at=None).first()
    return Judged(row.verdict, str(row.by), row.at) if row else None


def _text(record_id: UUID | None) -> str | None:
    return str(record_id) if record_id else None

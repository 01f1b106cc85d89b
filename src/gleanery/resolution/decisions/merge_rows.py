"""Rows of merges and the journal entries of their survivors, written alike for people and for the machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.accounts.journal import Entry
from gleanery.ids import text7
from gleanery.resolution.models import Record
from gleanery.sql import cell, copy, line

COLUMNS = ("id", "loser_id", "survivor_id", "by_id", "at", "moved")


class State(Protocol):
    """A record before a merge, stored or in work."""

    status: str
    fields: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Everything that one merge moved or made, and both records as they were: what undoing it takes back."""

    chains: list[tuple[str, str]]
    loser: dict[str, Any]
    survivor: dict[str, Any]
    edits: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)  # edits that took over fields of the loser
    asked: bool = False  # somebody was being asked about the pair
    gave: bool = False  # the survivor is public because the loser was
    match: Any = None  # the points, where the machine merged


class NewMerge(NamedTuple):
    loser: str
    loser_name: str
    survivor: str
    survivor_name: str
    moved: Moved
    reason: str


def state(record: State, identity: bytes | memoryview | None) -> dict[str, Any]:
    return {
        "status": record.status,
        "identity": bytes(identity).hex() if identity else None,
        "fields": record.fields,
    }


def write(actor: Actor, merges: Sequence[NewMerge], now: datetime) -> list[str]:
    """Return the ids of the new rows, in the same order. The losers are moved to `merged` by whoever calls this."""
    ids = [text7() for _ in merges]
    rows = zip(ids, merges, strict=True)
    copy("merge", COLUMNS, [_line(row_id, each, actor, now) for row_id, each in rows])
    journal.write_many(actor, Record, map(_absorbed, merges))
    return ids


def _line(row_id: str, each: NewMerge, actor: Actor, now: datetime) -> str:
    document = cell(json.dumps(asdict(each.moved), ensure_ascii=False))
    return line((row_id, each.loser, each.survivor, actor.user.pk, now, document))


def _absorbed(each: NewMerge) -> Entry:
    after = {"merged": each.loser, "name": each.loser_name}
    return Entry("absorb", each.survivor, each.survivor_name, after, each.reason)

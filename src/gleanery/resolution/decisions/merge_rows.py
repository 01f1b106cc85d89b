"""Writes the rows and journal entries of merges, both by people and automatic ones."""

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
    """A record before a merge, either stored or a draft."""

    status: str
    fields: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Everything that one merge moved or created, and both records before it, so that it can be undone."""

    chains: list[tuple[str, str]]
    loser: dict[str, Any]
    survivor: dict[str, Any]
    edits: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)  # edits created from fields of the loser
    asked: bool = False  # the pair was in review
    gave: bool = False  # the survivor became public because the loser was
    match: Any = None  # match details of an automatic merge


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
    """Write merges and return their ids, in the same order. The caller moves the losers to `merged`."""
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

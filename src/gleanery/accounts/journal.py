"""Writes the journal and moves things from state to state; no other module does either."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, LiteralString, NamedTuple, TypeVar
from uuid import UUID

from django.db import connection, models, transaction
from django.db.models import Q
from psycopg import sql

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.errors import Conflict
from gleanery.ids import text7, uuid7
from gleanery.sql import cell, copy, line
from gleanery.states import Machine, Move

Row = TypeVar("Row", bound=models.Model)
Facts = dict[str, Any] | None


def write(
    actor: Actor, action: str, subject: models.Model, *, before: Facts = None, after: Facts = None, reason: str = ""
) -> JournalEntry:
    """Write an entry; call it in the transaction of the action, so that neither exists without the other."""
    return JournalEntry.objects.create(
        actor=actor.user,
        key=actor.key,
        action=action,
        subject_kind=str(subject._meta.verbose_name),
        subject_id=str(subject.pk),
        subject_name=str(subject),
        before=before,
        after=after,
        reason=reason,
    )


def write_of_store(actor: Actor, action: str, *, after: Facts = None) -> JournalEntry:
    """Write an entry about the whole store."""
    store = {"subject_kind": "store", "subject_id": "store", "subject_name": "store"}
    return JournalEntry.objects.create(actor=actor.user, key=actor.key, action=action, after=after, **store)


def move(
    row: Row, machine: Machine, action: str, actor: Actor, *, reason: str = "", only_if: Q | None = None, **changes: Any
) -> Row:
    """Move a row to another state if it is still in the state the actor saw (compare and swap)."""
    step = machine.move(getattr(row, machine.column), action, actor.who, reason)
    same_state = type(row)._default_manager.filter(pk=row.pk, **{machine.column: step.before})
    with transaction.atomic(savepoint=False):
        moved = same_state.filter(only_if or Q()).update(**{machine.column: step.after}, **changes)
        if moved:
            before, after = {machine.column: step.before}, {machine.column: step.after}
            write(actor, action, row, before=before, after=after, reason=reason)
    if not moved:  # raised outside, so that the caller's transaction stays usable
        raise Conflict(f"{row} is no longer {step.before}, or it is too early to {action}. Reload it and try again.")
    row.refresh_from_db()
    return row


class Entry(NamedTuple):
    """An entry about one of many things of a kind."""

    action: str
    subject_id: str
    subject_name: str
    after: dict[str, Any]
    reason: str


ENTRY = ("id", "actor_id", "key_id", "action", "subject_kind", "subject_id", "subject_name", "after", "reason")


def write_many(actor: Actor, kind: type[models.Model], entries: Iterable[Entry]) -> None:
    """One entry for each of many things of one kind."""
    key = str(actor.key.pk) if actor.key else None
    subject_kind = str(kind._meta.verbose_name)
    copy(
        "journal",
        ENTRY,
        [
            line(
                (
                    text7(),
                    actor.user.pk,
                    key,
                    each.action,
                    subject_kind,
                    each.subject_id,
                    cell(each.subject_name),
                    cell(json.dumps(each.after, ensure_ascii=False)),
                    cell(each.reason),
                )
            )
            for each in entries
        ],
    )


@dataclass(frozen=True, slots=True)
class Naming:
    """The table of the rows, the SQL expression for their names in the journal, and the order of locking.

    Everything that locks many rows of a table must use the same order, to avoid deadlocks.
    """

    model: type[models.Model]
    name: LiteralString
    order: LiteralString


# One statement moves the rows and writes the journal; rows that have left the state are skipped in both.
MOVE_MANY = """
    WITH wanted AS (
        SELECT id FROM {table} WHERE id = ANY(%(ids)s) AND {column} = %(before)s ORDER BY {order} FOR NO KEY UPDATE
    ), moved AS (
        UPDATE {table} SET {column} = %(after)s FROM wanted WHERE {table}.id = wanted.id
        RETURNING {table}.id, {name} AS name
    ), entries AS (
        INSERT INTO journal (id, actor_id, key_id, action, subject_kind, subject_id, subject_name, before, after,
                             reason)
        SELECT (%(new_ids)s::uuid[])[row_number() OVER (ORDER BY id)], %(actor)s, %(key)s, %(action)s, %(kind)s,
               id::text, name,
               jsonb_build_object(%(column)s::text, %(before)s::text),
               jsonb_build_object(%(column)s::text, %(after)s::text), %(reason)s
        FROM moved
    )
    SELECT id FROM moved
"""


def move_many(
    ids: Collection[UUID], machine: Machine, move: Move, actor: Actor, *, reason: str, naming: Naming
) -> set[UUID]:
    """Move many rows of one table; return the ids of those that were moved."""
    step = machine.move(move.before, move.action, actor.who, reason)
    statement = sql.SQL(MOVE_MANY).format(
        table=sql.Identifier(naming.model._meta.db_table),
        column=sql.Identifier(machine.column),
        name=sql.SQL(naming.name),
        order=sql.SQL(naming.order),
    )
    values: dict[str, Any] = {
        "ids": sorted(ids),
        "new_ids": [uuid7() for _ in ids],
        "before": step.before,
        "after": step.after,
        "column": machine.column,
        "action": step.action,
        "actor": actor.user.pk,
        "key": actor.key.pk if actor.key else None,
        "kind": str(naming.model._meta.verbose_name),
        "reason": reason,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return {row_id for (row_id,) in cursor.fetchall()}

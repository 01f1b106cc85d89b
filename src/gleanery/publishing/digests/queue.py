"""The queue of letters: those due, the next one to send, and what became of each. Every step is one statement."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from gleanery.ids import uuid7
from gleanery.publishing.digests.rhythm import next_due
from gleanery.sql import array, rows

AT_ONCE = 500
MOST_TRIES = 8
MOST_REFUSALS = 3
DEAD_AFTER = timedelta(minutes=15)  # longer than all that one letter may take
# Nothing that is published later can have an earlier time than this: what a transaction writes has a time after its
# beginning. So windows miss nothing that is committed late.
SETTLED = """
    SELECT least(now(), min(xact_start)) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
"""
# The window is closed, the next one dated, and the letter queued, all or nothing. Index: subscription_due.
QUEUE = """
    WITH due AS (
        SELECT id, since FROM subscription WHERE due_at <= statement_timestamp() AND since < %(until)s
        ORDER BY due_at LIMIT %(most)s FOR NO KEY UPDATE SKIP LOCKED
    ), moved AS (
        UPDATE subscription SET since = %(until)s,
               due_at = CASE rhythm WHEN 'daily' THEN %(daily)s::timestamptz ELSE %(weekly)s::timestamptz END
        FROM due WHERE subscription.id = due.id RETURNING subscription.id, due.since
    )
    INSERT INTO letter (id, subscription_id, type, since, until)
    SELECT (%(ids)s::uuid[])[row_number() OVER (ORDER BY id)], id, 'digest', since, %(until)s FROM moved
    RETURNING id
"""
# Index: letter_waiting.
TAKE = """
    UPDATE letter SET status = 'sending', taken_at = clock_timestamp(), tries = tries + 1
    WHERE id = (SELECT id FROM letter WHERE status = 'waiting' AND try_at <= clock_timestamp()
                ORDER BY try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, subscription_id, type, since, until, tries
"""
# A worker that was taken for dead may still live: only who has the letter moves it.
MOVE = """
    UPDATE letter SET status = %(after)s, try_at = clock_timestamp() + %(wait)s
    WHERE id = %(id)s AND status = ANY(%(before)s) AND tries = %(tries)s RETURNING id
"""
# What a dead worker had not begun to hand over goes out again, unless it is what kills workers; of the rest nobody
# knows. Index: letter_taken.
REVIVE = """
    UPDATE letter SET status = CASE WHEN status = 'handed' THEN 'unsure'
                                    WHEN tries < %(most)s THEN 'waiting' ELSE 'given_up' END
    WHERE status IN ('sending', 'handed') AND taken_at < clock_timestamp() - %(dead_after)s RETURNING status
"""
# Index: letter_pkey.
REFUSED = """
    WITH ended AS (
        UPDATE letter SET status = 'given_up' WHERE id = %(id)s AND tries = %(tries)s RETURNING subscription_id
    )
    UPDATE subscription SET refused = refused + 1 FROM ended WHERE id = ended.subscription_id
    RETURNING refused >= %(most)s
"""


class Taken(NamedTuple):
    id: UUID
    subscription: UUID
    type: str
    since: datetime | None
    until: datetime
    tries: int


def queue_due() -> int:
    """Queue a letter for each subscription that is due; return how many."""
    ((until,),) = rows(SETTLED)
    due = {rhythm: next_due(rhythm, until) for rhythm in ("daily", "weekly")}
    queued = 0
    while found := rows(QUEUE, until=until, most=AT_ONCE, ids=array(uuid7() for _ in range(AT_ONCE)), **due):
        queued += len(found)
    return queued


def take() -> Taken | None:
    found = rows(TAKE)
    return Taken._make(found[0]) if found else None


def begin_handing(letter: Taken) -> bool:
    """Return False if somebody else has it by now."""
    return _move(letter, ("sending",), "handed")


def end(letter: Taken, status: str) -> None:
    _move(letter, ("sending", "handed"), status)


def try_again(letter: Taken) -> None:
    """Wait 5 minutes, then twice as long each time: about half a day in all."""
    if letter.tries >= MOST_TRIES:
        end(letter, "given_up")
    else:
        _move(letter, ("sending", "handed"), "waiting", timedelta(minutes=5 * 2 ** (letter.tries - 1)))


def refuse(letter: Taken) -> bool:
    """Give up a letter that its mailbox refuses; return True if that happened too often."""
    return any(tired for (tired,) in rows(REFUSED, id=letter.id, tries=letter.tries, most=MOST_REFUSALS))


def revive() -> list[str]:
    return [status for (status,) in rows(REVIVE, dead_after=DEAD_AFTER, most=MOST_TRIES)]


def _move(letter: Taken, before: tuple[str, ...], after: str, wait: timedelta = timedelta()) -> bool:
    return bool(rows(MOVE, id=letter.id, tries=letter.tries, before=list(before), after=after, wait=wait))

"""Conditions of the search over `search_entry AS entry`: one clause for each filter that is set."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final, NamedTuple

from gleanery.publishing import freshness
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.positions import box_around, located
from gleanery.publishing.site import presentation
from gleanery.sql import rows

ENOUGH = 20  # hits of the very words: then nobody looks for slips


class Clause(NamedTuple):
    """A condition, which names the parameters that it needs."""

    sql: str
    values: dict[str, Any]


QUERY = "websearch_to_tsquery('simple', folded(%(q)s))"
# Index: search_words.
BY_WORDS = f"entry.words @@ {QUERY}"
# Names with which the words share six of ten trigrams: one slip in a longer word. Indexes: search_words, search_name.
BY_WORDS_OR_SLIPS = f"({BY_WORDS} OR folded(%(q)s) <%% entry.name)"
# Words that many entries have are found at once, in whatever order the table is read; others by search_words.
HITS_OF_WORDS = f"SELECT count(*) FROM (SELECT FROM search_entry AS entry WHERE {BY_WORDS} LIMIT {ENOUGH}) AS found"  # noqa: S608
# What is over is reached by its address and by asking for its days, and is in no list.
IN_TIME = "entry.last_day >= %(today)s"
# From today on, what takes place next by the last of the days is on. Yesterday's next day may not be renewed yet, and
# the next day of other kinds may be the one on which they close. Indexes: search_kind_soonest, occurrence_once.
UNTIL = """
    entry.soon <= %(last)s AND entry.next_day IS NOT NULL
    AND (entry.soon >= %(first)s AND entry.kind = 'event' OR EXISTS (
        SELECT FROM occurrence AS o WHERE o.record_id = entry.record_id AND o.start_date <= %(last)s
        AND (o.start_date >= %(first)s OR o."end" >= %(first)s)))
"""
# What began before lasts into these days only if it goes on for more than half a day: a night's end is no day of its
# own. Indexes: occurrence_day, occurrence_lasting.
ON_DAYS = """
    entry.record_id IN (
        SELECT o.record_id FROM occurrence AS o WHERE o.start_date BETWEEN %(first)s AND %(last)s
        UNION ALL SELECT o.record_id FROM occurrence AS o
        WHERE o.start_date < %(first)s AND o."end" >= %(first)s AND o."end" - o.start > interval '12 hours')
"""
# Index: observation_of_record.
_SAID_BY = """
    EXISTS (SELECT FROM observation JOIN source ON source.id = source_id {more}
            WHERE record = entry.record_id AND superseded_at IS NULL AND {condition})
"""
OF_SOURCE = _SAID_BY.format(more="", condition="source.name = %(source)s")
OF_TOPIC = _SAID_BY.format(
    more="JOIN candidate ON candidate.domain_id = source.domain_id JOIN topic ON topic.id = candidate.topic_id",
    condition="topic.name = %(topic)s",
)
# Index: search_position.
NEAR = """
    entry.lat IS NOT NULL
    AND point(entry.lon, entry.lat) <@ box(point(%(west)s, %(south)s), point(%(east)s, %(north)s))
    AND km_between(entry.lat, entry.lon, %(lat)s, %(lon)s) <= %(within)s
"""


def _words(filters: Filters, today: date) -> Clause | None:
    if not filters.q:
        return None
    ((many,),) = rows(HITS_OF_WORDS, q=filters.q)
    return Clause(BY_WORDS if many == ENOUGH else BY_WORDS_OR_SLIPS, {"q": filters.q})


def _on_days(filters: Filters, today: date) -> Clause | None:
    first, last = filters.days(today)
    if first is None and last is None:
        return None
    first, last = first or today, last or date.max
    return Clause(UNTIL if first == today else ON_DAYS, {"first": first, "last": last})


def _in_time(filters: Filters, today: date) -> Clause | None:
    asks_for_past = filters.past or (filters.first and filters.first < today)
    return None if asks_for_past else Clause(IN_TIME, {})


def _near(filters: Filters, today: date) -> Clause | None:
    at = filters.position
    if at is None:
        return None
    box = box_around(at, filters.within)._asdict()
    return Clause(NEAR, {**box, "lat": at.lat, "lon": at.lon, "within": filters.within})


def _not_hidden(filters: Filters, today: date) -> Clause | None:
    if filters.confirmed:
        return Clause(freshness.CONFIRMED, {})
    before = freshness.hidden_before(presentation.current(), today)
    return Clause(freshness.NOT_HIDDEN, {"hidden_before": before}) if before else None


CLAUSES: Final[tuple[Callable[[Filters, date], Clause | None], ...]] = (
    _words,
    lambda f, _: Clause("entry.kind = %(kind)s", {"kind": f.kind}) if f.kind else None,
    lambda f, _: Clause("entry.folded_town = folded(%(place)s)", {"place": f.place}) if f.place else None,
    _near,
    lambda f, _: Clause(OF_TOPIC, {"topic": f.topic}) if f.topic else None,
    lambda f, _: Clause("entry.language = %(language)s", {"language": f.language}) if f.language else None,
    lambda f, _: Clause("entry.is_free", {}) if f.free else None,
    lambda f, _: Clause("entry.is_accessible", {}) if f.accessible else None,
    lambda f, _: Clause("entry.is_online", {}) if f.online else None,
    lambda f, _: Clause("entry.is_cancelled = %(off)s", {"off": f.cancelled}) if f.cancelled is not None else None,
    lambda f, _: Clause(OF_SOURCE, {"source": f.source}) if f.source else None,
    lambda f, _: Clause("entry.deadline <= %(closes)s", {"closes": f.deadline}) if f.deadline else None,
    _on_days,
    _in_time,
    _not_hidden,
)


def conditions(filters: Filters, today: date) -> tuple[str, dict[str, Any]]:
    """Return the WHERE clause over `search_entry AS entry`, and its parameters."""
    filters = located(filters)
    clauses = [clause for make in CLAUSES if (clause := make(filters, today))]
    values: dict[str, Any] = {"today": today, "q": filters.q}
    for clause in clauses:
        values |= clause.values
    return " AND ".join(clause.sql for clause in clauses) or "true", values

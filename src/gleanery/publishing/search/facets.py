"""Counts beside the hits: how many there are of each kind, in each town and language, were that filter not set.

Counting stops where nobody reads on: a million matches take no longer than one thousand. Then kinds and towns are
named without a number.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from gleanery.kinds import KINDS
from gleanery.publishing.search.clauses import conditions
from gleanery.publishing.search.filters import Filters
from gleanery.sql import rows

MOST_COUNTED = 1_000
MOST_FACETS = 12

TOTAL = "SELECT count(*) FROM (SELECT FROM search_entry AS entry WHERE {where} LIMIT %(most)s) AS found"
OF_KINDS = """
    SELECT kind, count(*) FROM (SELECT kind FROM search_entry AS entry WHERE {where} LIMIT %(most)s) AS found
    GROUP BY kind ORDER BY count(*) DESC, kind
"""
# Index: search_kind_soonest.
KINDS_THERE = """
    SELECT kind FROM unnest(%(kinds)s::text[]) AS kind WHERE EXISTS (SELECT FROM search_entry WHERE kind = kind.kind)
"""
# Each town as most write it, whichever letters others use.
TOWNS = """
    SELECT mode() WITHIN GROUP (ORDER BY town), count(*), folded_town = folded(%(place)s), sum(count(*)) OVER ()
    FROM (SELECT town, folded_town FROM search_entry AS entry
          WHERE {where} AND entry.folded_town <> '' LIMIT %(most)s) AS found
    GROUP BY folded_town ORDER BY count(*) DESC, folded_town LIMIT %(shown)s
"""
LANGUAGES = """
    SELECT language, count(*) FROM (
        SELECT language FROM search_entry AS entry WHERE {where} AND entry.language <> '' LIMIT %(most)s) AS found
    GROUP BY language ORDER BY count(*) DESC, language LIMIT %(shown)s
"""
# Topics of the sources that are known, whatever they say. Few rows.
TOPICS = """
    SELECT name, title FROM topic WHERE EXISTS (
        SELECT FROM candidate JOIN source ON source.domain_id = candidate.domain_id WHERE topic_id = topic.id)
    ORDER BY title
"""


class Town(NamedTuple):
    name: str
    many: int  # 0 where there are too many to count
    is_asked: bool


def total_of(filters: Filters, today: date) -> int:
    where, values = conditions(filters, today)
    ((count,),) = rows(TOTAL.format(where=where), **values, most=MOST_COUNTED)
    return int(count)


def kinds_of(filters: Filters, today: date) -> list[tuple[str, int]]:
    """Return those of which there are any, the most frequent first; too many to count: all, each with 0."""
    where, values = conditions(replace(filters, kind=""), today)
    found = rows(OF_KINDS.format(where=where), **values, most=MOST_COUNTED)
    if sum(count for _, count in found) >= MOST_COUNTED:
        return [(kind, 0) for (kind,) in rows(KINDS_THERE, kinds=list(KINDS))]
    return [(kind, count) for kind, count in found]


def towns_of(filters: Filters, today: date) -> list[Town]:
    where, values = conditions(replace(filters, place=""), today)
    values |= {"place": filters.place, "most": MOST_COUNTED, "shown": MOST_FACETS}
    found = rows(TOWNS.format(where=where), **values)
    return [Town(town, count if whole < MOST_COUNTED else 0, is_asked) for town, count, is_asked, whole in found]


def languages_of(filters: Filters, today: date) -> list[str]:
    where, values = conditions(replace(filters, language=""), today)
    found = rows(LANGUAGES.format(where=where), **values, most=MOST_COUNTED, shown=MOST_FACETS)
    return [language for language, _ in found]


def topics() -> dict[str, str]:
    """Title of each topic by its name."""
    return dict(rows(TOPICS))

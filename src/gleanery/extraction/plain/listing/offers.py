"""Lists of calls and of services: entries that each have a name and what such a thing must have, as scopes."""

from __future__ import annotations

from collections.abc import Hashable

from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.listing.entries import Entry, Grouping, Mark
from gleanery.extraction.plain.listing.lines import Line, lines_of
from gleanery.extraction.plain.listing.titles import own_title
from gleanery.extraction.plain.listing.years import Years
from gleanery.extraction.plain.scopes import Scope
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.phones import find_phones

FEWEST = 2


def listed_offers(sight: Sight, marks: Mark) -> list[tuple[Scope, Entry]]:
    """The entries whose line is marked and that have a name of their own; none if there is but one."""
    lines = lines_of(sight.page.content, Years(sight.reader, f"{sight.page.title[:120]} {sight.main.name}"))
    grouping = Grouping(lines, marks)
    found = []
    for index, line in enumerate(lines):
        if marks(line):
            entry = grouping.entry(index, line.deadlines or line.dates)
            title, block = own_title(sight, entry)
            if title:
                found.append((Scope(title, _blocks(entry), block), entry))
    names = {scope.name for scope, _ in found}
    return found if len(names) == len(found) >= FEWEST else []


def _blocks(entry: Entry) -> tuple[Block, ...]:
    """What the entry tells, with its days; a row as a text with a line for each cell."""
    own: dict[int, list[Line]] = {}
    for line in entry.lines:
        own.setdefault(id(line.block), []).append(line)
    return tuple(
        lines[0].block._replace(kind="text", lines=lines[0].block.cells, cells=(), headers=())
        if lines[0].block.kind == "row"
        else lines[0].block._replace(lines=tuple(line.written for line in lines))
        for lines in own.values()
    )


def closing_days(line: Line) -> frozenset[Hashable]:
    return frozenset(each.start for each in (*line.deadlines, *line.dates))


def numbers_in(country: str) -> Mark:
    """What each service in a list has: its own number to ring."""
    return lambda line: frozenset(each.e164 for each in find_phones(line.written, country))

"""Listed calls and services: entries with a name and a required detail, as scopes."""

from __future__ import annotations

from collections.abc import Hashable

from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.entries import Entry, EntryGrouping, FindMarks
from gleanery.extraction.plain.listing.page_lines import Line, lines_of
from gleanery.extraction.plain.listing.titles import own_title
from gleanery.extraction.plain.listing.years import Years
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope
from gleanery.extraction.values.phones import find_phones

FEWEST = 2


def listed_offers(view: PageView, marks: FindMarks) -> list[tuple[Scope, Entry]]:
    """Return marked entries with different names, or none if there are fewer than two."""
    lines = lines_of(view.page.content, Years(view.reader, f"{view.page.title[:120]} {view.main.name}"))
    grouping = EntryGrouping(lines, marks)
    found = []
    for index, line in enumerate(lines):
        if marks(line):
            entry = grouping.entry(index, line.deadlines or line.dates)
            title, block = own_title(view, entry)
            if title:
                found.append((Scope(title, _blocks(entry), block), entry))
    names = {scope.name for scope, _ in found}
    return found if len(names) == len(found) >= FEWEST else []


def _blocks(entry: Entry) -> tuple[Block, ...]:
    """Return the blocks of an entry with dates; a row becomes text with a line per cell."""
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


def numbers_in(country: str) -> FindMarks:
    """Return a function that finds phone numbers, which mark services."""
    return lambda line: frozenset(each.e164 for each in find_phones(line.written, country))

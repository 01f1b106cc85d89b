"""Entries: parts of a list that each describe one thing, found as rows, boxes, sections or lines."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.page_lines import Line
from gleanery.extraction.values.dates import Dates

MOST_LINES = 12  # after a dated line that may belong to it
MOST_IN_A_BOX = 60


@dataclass(frozen=True)
class Entry:
    """One entry. `line` holds the day, `lines` the whole text; `heading` is not shared with other entries."""

    line: Line
    days: tuple[Dates, ...]
    lines: tuple[Line, ...]
    heading: Block | None = None
    before: Line | None = None  # line above it that belongs to no other entry

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Blocks of the entry, with its own lines only and without dates."""
        own: dict[int, list[Line]] = {}
        for line in self.lines:
            own.setdefault(id(line.block), []).append(line)
        return tuple(_of(lines[0].block, lines) for lines in own.values())

    @cached_property
    def blocks_without_date(self) -> tuple[Block, ...]:
        """Blocks without the line that holds the day, which is the title."""
        return replace(self, lines=tuple(line for line in self.lines if line is not self.line)).blocks


def _of(block: Block, lines: Sequence[Line]) -> Block:
    if block.kind == "row":
        return block
    texts = [line.text for line in lines]
    return block._replace(
        kind="text" if block.kind == "pair" and len(block.lines) > 1 else block.kind,
        lines=tuple(line.value for line in lines),
        strong=tuple(next((bold for bold in block.strong if bold and bold in text), "") for text in texts),
        links=tuple(link for link in block.links if link.text and any(link.text in text for text in texts)),
    )


FindMarks = Callable[[Line], frozenset[Hashable]]


def entries_of(lines: Sequence[Line], today: date) -> list[Entry]:
    """Return an entry per line with an upcoming day."""
    grouped = EntryGrouping(lines, days_in, times_in)
    found = []
    for index, line in enumerate(lines):
        days = tuple(each for each in line.dates if (each.end or each.start) >= today)
        if days:
            found.append(grouped.entry(index, days))
    return found


def days_in(line: Line) -> frozenset[Hashable]:
    return frozenset(each.start for each in line.dates)


def times_in(line: Line) -> frozenset[Hashable]:
    return frozenset(each.times.start for each in line.dates if each.times)


def no_marks(line: Line) -> frozenset[Hashable]:
    return frozenset()


class EntryGrouping:
    """Finds the text that belongs to each marked line. Parts with two different details describe two things."""

    def __init__(self, lines: Sequence[Line], marks: FindMarks, details: FindMarks = no_marks) -> None:
        self._lines = lines
        self._marks = [marks(line) for line in lines]
        self._boxes = _Boxes(lines, self._marks, [details(line) for line in lines])
        self._sections = _sections(lines)

    def entry(self, index: int, days: tuple[Dates, ...] = ()) -> Entry:
        line = self._lines[index]
        if line.block.kind == "row":
            return Entry(line, days, (line,))
        if inside := self._boxes.around(index):
            own = [self._lines[each] for each in inside]
            heading = next((each.block for each in own if each.block.kind == "heading"), None)
            return Entry(line, days, tuple(own), heading)
        section = self._sections[index]
        if line.heading is not None and len(section) <= MOST_IN_A_BOX and self._marked(section) == [index]:
            return Entry(line, days, tuple(self._lines[each] for each in section), line.heading)
        above = self._lines[index - 1] if index and not self._marks[index - 1] else None
        return Entry(line, days, tuple(self._from(index)), None, above)

    def _marked(self, section: Sequence[int]) -> list[int]:
        return [each for each in section if self._marks[each]]

    def _from(self, index: int) -> Iterator[Line]:
        """Yield the line and those below it, up to the next marked one."""
        line = self._lines[index]
        yield line
        for at in range(index + 1, min(index + MOST_LINES, len(self._lines))):
            each = self._lines[at]
            if self._marks[at] or each.heading is not line.heading or each.block.kind in ("heading", "row"):
                return
            yield each


def _sections(lines: Sequence[Line]) -> list[list[int]]:
    """Return for each line the lines under the same heading."""
    found: list[list[int]] = []
    heading: Block | None = None
    for index, line in enumerate(lines):
        found.append(found[-1] if found and line.heading is heading else [])
        heading = line.heading
        found[-1].append(index)
    return found


class _Boxes:
    """Boxes with similar siblings, and the lines in each."""

    def __init__(
        self, lines: Sequence[Line], marks: Sequence[frozenset[Hashable]], details: Sequence[frozenset[Hashable]]
    ) -> None:
        self._cards = [line.block.cards for line in lines]
        self._marks = marks
        self._lines: dict[int, list[int]] = {}
        self._marks_in: dict[int, set[Hashable]] = {}
        self._details_in: dict[int, set[Hashable]] = {}
        self._marked_twins: dict[int, dict[int, set[int]]] = {}
        for index, cards in enumerate(self._cards):
            for depth, (_, card) in enumerate(cards):
                self._lines.setdefault(card, []).append(index)
                self._marks_in.setdefault(card, set()).update(marks[index])
                self._details_in.setdefault(card, set()).update(details[index])
                if marks[index]:
                    twins = self._marked_twins.setdefault(card, {})
                    for group, inner in cards[depth + 1 :]:
                        twins.setdefault(group, set()).add(inner)

    def around(self, index: int) -> list[int]:
        """Return the lines of the largest box with only the marks of this line, or none."""
        for _, card in self._cards[index]:
            inside = self._lines[card]
            is_alone = self._marks_in[card] == self._marks[index] and not self._tells_of_several(card)
            if is_alone and 1 < len(inside) <= MOST_IN_A_BOX:
                return inside
        return []

    def _tells_of_several(self, card: int) -> bool:
        twins = self._marked_twins.get(card, {}).values()
        return len(self._details_in[card]) > 1 or any(
            sum(len(self._lines[each]) > 1 for each in group) > 1 for group in twins
        )

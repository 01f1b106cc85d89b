"""Titles of entries: from the entry itself, the heading above it, or the subject of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gleanery.extraction.generated_ids import fold_name
from gleanery.extraction.plain.event_details.times_and_prices import IN_NAME
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing import title_words as words
from gleanery.extraction.plain.listing.entries import Entry
from gleanery.extraction.plain.listing.page_lines import Line
from gleanery.extraction.plain.structure.facts import without_symbols
from gleanery.extraction.plain.structure.labels import role_of
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import clean_name
from gleanery.extraction.values.dates import Dates, find_dates
from gleanery.extraction.values.times import Times, find_times

SHORTEST, LONGEST = 4, 150
MOST_BLOCKS = 12
MOST_NAMED_TOGETHER = 2
LONGEST_PLAIN = 100
LONGEST_BEGINNING = 400
TOP = 2  # heading levels that may name the subject of a page


def own_title(view: PageView, entry: Entry) -> tuple[str, Block | None]:
    """Return the title stated by the entry and its block, or ""."""
    for text, block in _candidates(view, entry):
        if title := as_title(view, text):
            return title, block
    return "", None


def shared_title(view: PageView, line: Line) -> str:
    """Return the title above several entries: first line of their paragraph, heading, or subject of the page."""
    first, heading = line.block.lines[0], line.heading
    over = []
    if first != line.text and len(first) <= LONGEST_PLAIN and not find_dates(first, view.reader):
        over.append(first)
    # A heading inside another box does not apply to this line.
    if heading is not None and heading is not view.main.heading and _holds(heading, line.block):
        over.append(heading.lines[0])
    return next((title for text in over if (title := as_title(view, text))), "") or view.once(page_subject)


def _holds(heading: Block, block: Block) -> bool:
    return heading.cards == block.cards[: len(heading.cards)]


def page_subject(view: PageView) -> str:
    """Return the subject of the page, preferring bodies and headings repeated in the page title."""
    title = fold_name(view.page.title)
    parts = [part.strip() for part in words.PARTS_OF_TITLE.split(view.page.title) if part.strip()]
    heads = [each.text for each in view.page.blocks if each.kind == "heading" and each.level <= TOP]
    repeated = [head for head in heads if fold_name(head) and fold_name(head) in title]
    named = [found for part in (*repeated, *parts) if (found := as_title(view, part))]
    bodies = [each for each in named if words.BODY.search(each)]
    others = (as_title(view, view.main.name), view.publisher, *parts, _sort_in(view.text[:LONGEST_BEGINNING]))
    return next((each for each in (*bodies, *named, *others) if each), "")


def _sort_in(text: str) -> str:
    """Return the type of meeting in a text: Meeting, Hearing."""
    match = words.ANY_MEETING_TYPE.search(text)
    return words.PLURAL.sub(r"\1", match.group().capitalize()) if match else ""


def full_title(view: PageView, title: str, line: Line) -> str:
    """Complete a meeting type with the body: "Board of Ethics: Regular Meeting"."""
    title = words.PLURAL.sub(r"\1", title)
    if not words.MEETING_TYPE.match(title):
        return title
    within = title.casefold()
    for whose in (shared_title(view, line), view.once(page_subject), view.publisher, view.brand):
        if whose and not words.MEETING_TYPE.match(whose) and whose.casefold() not in within:
            return whose if within in whose.casefold() else f"{whose}: {title}"
    return title


def _candidates(view: PageView, entry: Entry) -> Iterator[tuple[str, Block]]:
    line = entry.line
    if line.block.kind == "row":
        yield from _cells(line.block)
        return
    if entry.heading is not None:
        yield from ((text, entry.heading) for text in entry.heading.lines[:2])
    yield from ((text, line.block) for text in line.block.strong if text and text in line.text)
    # Text between several days belongs to one of them, and a sentence is not a title.
    if not line.is_prose:
        days = line.deadlines or (line.dates if len(line.dates) > MOST_NAMED_TOGETHER else ())
        yield (line.text[: days[0].begin] if days else line.text), line.block
    for block in entry.blocks[:MOST_BLOCKS]:
        if len(block.text) <= LONGEST_PLAIN * 2 and (block is not line.block or len(block.lines) == 1):
            yield from ((text, block) for text in (*block.strong, *(link.text for link in block.links)) if text)
    for each in entry.lines[:MOST_BLOCKS]:
        is_short = len(each.text) <= LONGEST_PLAIN and not words.SENTENCE_END.search(each.text)
        if each is not line and is_short and not words.NUMBERED.match(each.text):
            yield each.text, each.block
    if entry.before is not None and _is_highlighted(entry.before.block):
        yield entry.before.text, entry.before.block


def _is_highlighted(block: Block) -> bool:
    return block.kind == "text" and bool(block.links or any(block.strong))


def _cells(block: Block) -> Iterator[tuple[str, Block]]:
    has_headers = len(block.headers) == len(block.cells)
    roles = [role_of(header) for header in block.headers] if has_headers else [""] * len(block.cells)
    for wanted in (("name",), ("", "description", "organizer", "when")):
        for role, cell in zip(roles, block.cells, strict=True):
            if cell and role in wanted:
                yield cell.split("\n")[0], block


def as_title(view: PageView, text: str) -> str:
    """Return the text without dates, times and empty words, or "" if no title is left."""
    text = IN_NAME.sub("", without_symbols(text))
    label, colon, _ = text.partition(":")
    if len(text) > LONGEST * 3 or words.NOT_A_NAME.search(text) or (colon and role_of(label) not in words.NAMING):
        return ""
    rest = _without(text, find_dates(text, view.reader))
    rest = _without(rest, find_times(rest))
    rest = words.IN_BRACKETS.sub(_useful_brackets, rest)
    parts = words.PARTS.split(rest) if rest != text else [rest]
    kept = [part for each in parts if (part := each.strip(words.EDGES)) and words.has_content(part)]
    kept = [part for part in kept if not words.PLACE_FIRST.match(part) and not words.PHONE.match(part)]
    title = words.without_plural_marks(clean_name(kept[0])) if kept else ""
    if not SHORTEST <= len(title) <= LONGEST or words.is_place(title) or not words.has_content(title):
        return ""
    return "" if words.GENERAL_HEADING.match(title) and not words.MEETING_TYPE.match(title) else title


def _useful_brackets(brackets: re.Match[str]) -> str:
    return brackets[0] if brackets.start() and words.has_content(brackets[0]) else " "


def _without(text: str, found: Sequence[Dates | Times]) -> str:
    """Remove dates or times together with the weekdays next to them."""
    for each in reversed(found):
        before, after = words.DAY_BEFORE.sub("", text[: each.begin]), words.DAY_AFTER.sub("", text[each.stop :])
        text = f"{before} | {after}"
    return text

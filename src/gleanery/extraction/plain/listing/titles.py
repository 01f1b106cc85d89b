"""What an entry is called: by its own words, else by the heading over it, else by what the page is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gleanery.extraction.identity import folded
from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.facts import without_symbols
from gleanery.extraction.plain.happenings import IN_NAME
from gleanery.extraction.plain.labels import role_of
from gleanery.extraction.plain.listing import title_words as words
from gleanery.extraction.plain.listing.entries import Entry
from gleanery.extraction.plain.listing.lines import Line
from gleanery.extraction.plain.scopes import clean_name
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.dates import Dates, find_dates
from gleanery.extraction.values.times import Times, find_times

SHORTEST, LONGEST = 4, 150
MOST_BLOCKS = 12
MOST_NAMED_TOGETHER = 2
LONGEST_PLAIN = 100
LONGEST_BEGINNING = 400
TOP = 2  # levels of headings that may say what a page is about


def own_title(sight: Sight, entry: Entry) -> tuple[str, Block | None]:
    """What the entry calls itself, and the block that says so; "" where nothing of it is a name."""
    for text, block in _candidates(sight, entry):
        if title := as_title(sight, text):
            return title, block
    return "", None


def shared_title(sight: Sight, line: Line) -> str:
    """The name that stands over several entries: the first line of their paragraph, a heading, the page itself."""
    first, heading = line.block.lines[0], line.heading
    over = []
    if first != line.text and len(first) <= LONGEST_PLAIN and not find_dates(first, sight.reader):
        over.append(first)
    # A heading in the box of something else is not over this line.
    if heading is not None and heading is not sight.main.heading and _holds(heading, line.block):
        over.append(heading.lines[0])
    return next((title for text in over if (title := as_title(sight, text))), "") or sight.once(subject)


def _holds(heading: Block, block: Block) -> bool:
    return heading.cards == block.cards[: len(heading.cards)]


def subject(sight: Sight) -> str:
    """What the page is about: whose meetings these are. A heading that its title repeats says it best."""
    title = folded(sight.page.title)
    parts = [part.strip() for part in words.PARTS_OF_TITLE.split(sight.page.title) if part.strip()]
    heads = [each.text for each in sight.page.blocks if each.kind == "heading" and each.level <= TOP]
    repeated = [head for head in heads if folded(head) and folded(head) in title]
    named = [found for part in (*repeated, *parts) if (found := as_title(sight, part))]
    bodies = [each for each in named if words.BODY.search(each)]
    others = (as_title(sight, sight.main.name), sight.publisher, *parts, _sort_in(sight.text[:LONGEST_BEGINNING]))
    return next((each for each in (*bodies, *named, *others) if each), "")


def _sort_in(text: str) -> str:
    """A page that names nobody still says what it lists: a meeting, a hearing."""
    match = words.ANY_SORT.search(text)
    return words.PLURAL.sub(r"\1", match.group().capitalize()) if match else ""


def full(sight: Sight, title: str, line: Line) -> str:
    """A sort of meeting with whose it is: "Board of Ethics: Regular Meeting"."""
    title = words.PLURAL.sub(r"\1", title)
    if not words.SORT.match(title):
        return title
    within = title.casefold()
    for whose in (shared_title(sight, line), sight.once(subject), sight.publisher, sight.brand):
        if whose and not words.SORT.match(whose) and whose.casefold() not in within:
            return whose if within in whose.casefold() else f"{whose}: {title}"
    return title


def _candidates(sight: Sight, entry: Entry) -> Iterator[tuple[str, Block]]:
    line = entry.line
    if line.block.kind == "row":
        yield from _cells(line.block)
        return
    if entry.heading is not None:
        yield from ((text, entry.heading) for text in entry.heading.lines[:2])
    yield from ((text, line.block) for text in line.block.strong if text and text in line.text)
    # What stands between several days is about one of them alone, and a sentence is no name.
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
    if entry.before is not None and _stands_out(entry.before.block):
        yield entry.before.text, entry.before.block


def _stands_out(block: Block) -> bool:
    return block.kind == "text" and bool(block.links or any(block.strong))


def _cells(block: Block) -> Iterator[tuple[str, Block]]:
    has_headers = len(block.headers) == len(block.cells)
    roles = [role_of(header) for header in block.headers] if has_headers else [""] * len(block.cells)
    for wanted in (("name",), ("", "description", "organizer", "when")):
        for role, cell in zip(roles, block.cells, strict=True):
            if cell and role in wanted:
                yield cell.split("\n")[0], block


def as_title(sight: Sight, text: str) -> str:
    """The text without days, times and what is empty; "" if no name is left."""
    text = IN_NAME.sub("", without_symbols(text))
    label, colon, _ = text.partition(":")
    if len(text) > LONGEST * 3 or words.NO_NAME.search(text) or (colon and role_of(label) not in words.NAMING):
        return ""
    rest = _without(text, find_dates(text, sight.reader))
    rest = _without(rest, find_times(rest))
    rest = words.IN_BRACKETS.sub(_worth_keeping, rest)
    parts = words.PARTS.split(rest) if rest != text else [rest]
    kept = [part for each in parts if (part := each.strip(words.EDGES)) and words.says_something(part)]
    kept = [part for part in kept if not words.PLACE_FIRST.match(part) and not words.PHONE.match(part)]
    title = words.of_one(clean_name(kept[0])) if kept else ""
    if not SHORTEST <= len(title) <= LONGEST or words.is_place(title) or not words.says_something(title):
        return ""
    return "" if words.OVER.match(title) and not words.SORT.match(title) else title


def _worth_keeping(brackets: re.Match[str]) -> str:
    return brackets[0] if brackets.start() and words.says_something(brackets[0]) else " "


def _without(text: str, found: Sequence[Dates | Times]) -> str:
    """With the names of the days of the week beside them."""
    for each in reversed(found):
        before, after = words.DAY_BEFORE.sub("", text[: each.begin]), words.DAY_AFTER.sub("", text[each.stop :])
        text = f"{before} | {after}"
    return text

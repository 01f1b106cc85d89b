"""Where a page lists events: which parts have a day ahead, and what each is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.facts import facts_of, without_symbols
from gleanery.extraction.plain.happenings import days_of, status_of
from gleanery.extraction.plain.scopes import Scope, clean_name
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.calendar_words import MONTH_OF, WEEKDAY_OF
from gleanery.extraction.values.dates import Dates, find_dates
from gleanery.extraction.values.times import find_times

_DAYS = "|".join(sorted((re.escape(word) for word in WEEKDAY_OF if len(word) > 2), key=len, reverse=True))  # noqa: PLR2004
_LEFT_OF_DAYS = re.compile(
    rf"^(?:[^\w„“«\"]|\b(?:mon|tue|wed|thu|fri|sat|sun)\w*\b|\b(?:{_DAYS})\b|\b(?:ч|г|часа|Uhr|h|и|and|und|et|y)\b\.?)+",
    re.IGNORECASE,
)
SHORTEST_NAME = 4
LONGEST_NAME = 120


def is_ahead(sight: Sight, dates: Dates) -> bool:
    return (dates.end or dates.start) >= sight.source.fetched


def has_day(sight: Sight, blocks: Sequence[Block]) -> bool:
    return any(is_ahead(sight, each) for each, _ in days_of(in_one_line(blocks), facts_of(blocks), sight.reader))


def in_one_line(blocks: Sequence[Block]) -> list[Block]:
    """A day and its month may stand in two elements: short neighbours are read as one line."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.kind == joined[-1].kind == "text" and len(joined[-1].text) <= 3 and len(block.text) < 20:  # noqa: PLR2004
            joined[-1] = replace(joined[-1], lines=(f"{joined[-1].text} {block.text}",))
        else:
            joined.append(block)
    return joined


def named(sight: Sight, scope: Scope) -> Scope | None:
    """An item without a heading is named by what it has in bold, by its link, or by what is left without its dates."""
    if scope.name:
        return scope
    block = scope.blocks[0] if scope.blocks else None
    if block is None:
        return None
    for text in (
        *(strong for each in scope.blocks for strong in each.strong),
        *(link.text for each in scope.blocks for link in each.links),
    ):
        if (
            len(text) >= SHORTEST_NAME
            and not find_dates(text, sight.reader)
            and not find_times(text)
            and re.search(r"[^\W\d_]{3}", text)
        ):
            return replace(scope, name=without_symbols(text).strip(" :–—-."), heading=block)
    rest = _without_days(sight, block.text)
    name = re.split(r"\s[–—|·-]\s|:\s|(?<=\w{3})\.\s", rest)[0].strip(" ,:;.–—-|·")
    if len(re.findall(r"[^\W\d_]{3,}", name)) == 0 or name[:1] in "+(":
        return None
    return replace(scope, name=clean_name(name))


def _without_days(sight: Sight, text: str) -> str:
    for dates in reversed(find_dates(text, sight.reader)):
        text = text[: dates.begin] + text[dates.stop :]
    for times in reversed(find_times(text)):
        text = text[: times.begin] + text[times.stop :]
    text = _LEFT_OF_DAYS.sub("", text)
    return text.strip(" ,:;.–—-|·")


def _headed(sight: Sight, block: Block, heading: Block | None) -> Scope | None:
    """A line that begins with a day right under its own heading, or under a short first line that is its name."""
    is_month = heading is not None and heading.text.split()[0].casefold() in MONTH_OF
    if heading is not None and not is_month and heading is not sight.main.heading and heading.level > 1:
        return Scope(clean_name(heading.text), (block,), heading) if _begins_with_day(sight, block.lines[0]) else None
    if block.kind != "text" or len(block.lines) < 2 or not _begins_with_day(sight, block.lines[1]):  # noqa: PLR2004
        return None
    name = clean_name(block.lines[0])
    if not SHORTEST_NAME <= len(name) < LONGEST_NAME or find_dates(block.lines[0], sight.reader) or ": " in name:
        return None
    return Scope(name, (replace(block, lines=block.lines[1:], strong=()),), block)


def _begins_another(sight: Sight, following: Sequence[Block]) -> bool:
    return any(block.kind in ("text", "item") and _begins_with_day(sight, block.lines[0]) for block in following)


def _begins_with_day(sight: Sight, line: str) -> bool:
    return any(each.begin <= 12 and is_ahead(sight, each) for each in find_dates(line, sight.reader))  # noqa: PLR2004


def dated_lines(sight: Sight) -> list[Scope]:
    """Paragraphs that each begin with a day: the rest of their first line is the name, the other lines tell more."""
    found = []
    above: Block | None = None
    content = sight.page.content
    for index, block in enumerate(content):
        if block.kind not in ("text", "item", "pair"):
            above = block if block.kind == "heading" else None
            continue
        # A heading over several days is a month or a series, no name.
        several = _begins_another(sight, content[index + 1 : index + 2])
        heading, above = None if several else above, None
        if scope := _headed(sight, block, heading):
            found.append(scope)
            continue
        line = without_symbols(f"{block.label} – {block.lines[0]}" if block.kind == "pair" else block.lines[0])
        days = [each for each in find_dates(line, sight.reader) if each.begin <= 12 and is_ahead(sight, each)]  # noqa: PLR2004
        name = re.split(r"(?<=\w{3})\.\s", _without_days(sight, line))[0] if days else ""
        if (
            len(re.findall(r"[^\W\d_]{3,}", name)) > 0
            and name[:1] not in "+("
            and len(name) < LONGEST_NAME
            and not status_of(name[:14])
        ):
            told = (
                replace(block, kind="text", label="", lines=block.lines[1:], strong=())
                if len(block.lines) > 1
                else None
            )
            day = replace(block, kind="text", label="", lines=(line[: days[0].stop + 24],), strong=(), links=())
            found.append(Scope(name, (day, *([told] if told else [])), block))
    return found

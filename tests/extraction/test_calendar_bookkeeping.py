"""Every event of a calendar is accounted for: ours in any checkout, and real feeds where they are at hand."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from gleanery.extraction.calendars.icalendar import fates_of, from_icalendar
from gleanery.extraction.calendars.reading import Fate
from gleanery.extraction.draft import Source
from gleanery.resolution.importing.calendar_parts import Part, parts_of
from gleanery.resolution.importing.files import Line

HERE = Path(__file__).resolve()
OWN = sorted((HERE.parent / "pages" / "calendars").glob("*.ics"))
SHARED = HERE.parents[2].parent / "shared" / "data" / "feeds"
REAL = sorted(SHARED.glob("*/*.ics"))
TOWNS = sorted({file.parent.name for file in REAL}) or ["none"]
READ, READ_REAL = date(2026, 11, 15), date(2026, 3, 26)
MOST_REFUSED = 10  # of all real events
LEAST = 3
OUTCOMES = {"taken", "folded", "past", "repeated", "refused"}


def text_of(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")


def source_of(text: str, fetched: date) -> Source:
    return Source(html=text, url="https://wickerby.example/c.ics", media_type="text/calendar", fetched=fetched)


class Block:
    """An event as crude eyes see it: the lines up to the next event, by their names."""

    def __init__(self, lines: list[str]) -> None:
        self.values: dict[str, str] = {}
        text = re.sub(r"(?s)BEGIN:VALARM.*?END:VALARM", "", "\n".join(lines)).replace("\n ", "")
        for line in text.split("\n"):
            head, colon, value = line.partition(":")
            if colon:
                self.values.setdefault(head.partition(";")[0].upper(), value.strip())
        self.uid, self.moved = self.value("UID"), self.value("RECURRENCE-ID")

    def value(self, name: str) -> str:
        return self.values.get(name, "")

    def days(self) -> list[date]:
        found = [re.match(r"(\d{4})(\d\d)(\d\d)", self.value(name)) for name in ("DTSTART", "DTEND", "RDATE")]
        return [date(*map(int, each.groups())) for each in found if each]


def blocks_of(text: str) -> dict[int, Block]:
    """By the number of the line with which each begins."""
    lines = text.replace("\r", "").split("\n")
    starts = [at for at, line in enumerate(lines) if line.strip().upper() == "BEGIN:VEVENT"]
    return {start + 1: Block(lines[start:end]) for start, end in pairwise([*starts, len(lines)])}


def is_true(fate: Fate, block: Block, others: list[Block], fetched: date) -> bool:
    match fate.outcome:
        case "refused":
            start = re.match(r"(\d{4})(\d\d)(\d\d)", block.value("DTSTART"))
            return not block.value("SUMMARY") or start is None or not _is_a_day(*start.groups())
        case "repeated":
            same = ("DTSTART", "RECURRENCE-ID")
            return any(all(each.value(name) == block.value(name) for name in same) for each in others)
        case "folded":
            return bool(block.moved) and any(not each.moved for each in others)
        case "past":
            repeats = block.value("RRULE")
            is_over = max(block.days()) <= fetched - timedelta(days=29)
            return bool(re.search(r"UNTIL=|COUNT=", repeats)) if repeats else is_over
        case _:
            return bool(block.value("SUMMARY") and block.value("DTSTART"))


def _is_a_day(*parts: str) -> bool:
    try:
        return bool(date(*map(int, parts)))
    except ValueError:
        return False


def assert_all_are_accounted_for(text: str, fates: list[Fate], fetched: date) -> None:
    blocks = blocks_of(text)
    assert [fate.line for fate in fates] == list(blocks)  # each event has one, and none has two
    together: dict[str, list[Block]] = {}
    for block in blocks.values():
        together.setdefault(block.uid, []).append(block)
    for fate in fates:
        block = blocks[fate.line]
        others = [each for each in together[block.uid] if each is not block]
        assert is_true(fate, block, others, fetched), (fate.line, fate.outcome, fate.reason)


def drafts_of(fates: list[Fate]) -> dict[str, dict[str, object]]:
    drafts = [fate.draft for fate in fates if fate.draft is not None]
    found = {draft.external_id: draft.fields for draft in drafts}
    assert len(found) == len(drafts)  # no two share an id
    return found


def shuffled(text: str) -> str:
    """The same calendar with its events in another order; one that breaks off is left as it is."""
    pieces = re.split(r"(?<=END:VEVENT)\r?\n(?=BEGIN:VEVENT)", text)
    if len(pieces) < LEAST or text.count("BEGIN:VEVENT") != text.count("END:VEVENT"):
        return text
    middle = pieces[1:-1]
    random.Random(7).shuffle(middle)
    return "\n".join([pieces[0], *middle, pieces[-1]])


def assert_rows_are_the_same(text: str, fates: list[Fate], fetched: date) -> None:
    """An import gives one row for each event that stands for itself, with the same values or the same reason."""
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    parts = {part.line: part for part in parts_of(lambda: lines, fetched)}
    told = {fate.line: fate for fate in fates if fate.outcome != "folded"}
    assert parts.keys() == told.keys()
    for line, part in parts.items():
        if isinstance(part, Part):
            draft = told[line].draft
            assert draft is not None
            assert part.draft.fields == draft.fields
        else:
            assert part.reason == told[line].reason


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_every_event_is_taken_or_left_for_a_true_reason(file: Path) -> None:
    text = text_of(file)
    fates = fates_of(source_of(text, READ))
    assert_all_are_accounted_for(text, fates, READ)
    found = from_icalendar(source_of(text, READ)).drafts
    assert {draft.external_id: draft.fields for draft in found} == drafts_of(fates)


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_ids_are_the_same_when_read_again_in_whatever_order(file: Path) -> None:
    text = text_of(file)
    first = drafts_of(fates_of(source_of(text, READ)))
    assert drafts_of(fates_of(source_of(text, READ))) == first
    assert drafts_of(fates_of(source_of(shuffled(text), READ))) == first


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_an_import_reports_a_row_for_each_event_that_stands_for_itself(file: Path) -> None:
    text = text_of(file)
    assert_rows_are_the_same(text, fates_of(source_of(text, READ)), READ)


@pytest.mark.skipif(not REAL, reason="../shared/data/feeds is not there")
@pytest.mark.parametrize("town", TOWNS)
def test_of_all_real_events_each_is_taken_or_left_for_a_true_reason_whatever_their_order(town: str) -> None:
    total: Counter[str] = Counter()
    for file in REAL:
        if file.parent.name != town:
            continue
        text = text_of(file)
        fates = fates_of(source_of(text, READ_REAL))
        assert_all_are_accounted_for(text, fates, READ_REAL)
        assert drafts_of(fates_of(source_of(shuffled(text), READ_REAL))) == drafts_of(fates), file.name
        assert_rows_are_the_same(text, fates, READ_REAL)
        total.update(fate.outcome for fate in fates)
        total["events"] += text.count("BEGIN:VEVENT")
    assert total["events"] == sum(total[outcome] for outcome in OUTCOMES)
    assert total["taken"] > total["events"] / 2
    assert total["refused"] <= MOST_REFUSED

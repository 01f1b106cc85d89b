"""Every event of a calendar has a correct outcome, in our files and in real feeds where available."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from gleanery.extraction.calendars.icalendar import from_icalendar, outcomes_of
from gleanery.extraction.calendars.uid_groups import EventOutcome
from gleanery.extraction.draft import PageSource
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


def source_of(text: str, fetched: date) -> PageSource:
    return PageSource(html=text, url="https://wickerby.example/c.ics", media_type="text/calendar", fetched=fetched)


class Block:
    """An event read in the simplest way: its lines by property name."""

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
    """Return the events by the number of their first line."""
    lines = text.replace("\r", "").split("\n")
    starts = [at for at, line in enumerate(lines) if line.strip().upper() == "BEGIN:VEVENT"]
    return {start + 1: Block(lines[start:end]) for start, end in pairwise([*starts, len(lines)])}


def is_true(outcome: EventOutcome, block: Block, others: list[Block], fetched: date) -> bool:
    match outcome.status:
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


def assert_all_are_accounted_for(text: str, outcomes: list[EventOutcome], fetched: date) -> None:
    blocks = blocks_of(text)
    assert [outcome.line for outcome in outcomes] == list(blocks)  # each event has one, and none has two
    together: dict[str, list[Block]] = {}
    for block in blocks.values():
        together.setdefault(block.uid, []).append(block)
    for outcome in outcomes:
        block = blocks[outcome.line]
        others = [each for each in together[block.uid] if each is not block]
        assert is_true(outcome, block, others, fetched), (outcome.line, outcome.status, outcome.reason)


def drafts_of(outcomes: list[EventOutcome]) -> dict[str, dict[str, object]]:
    drafts = [outcome.draft for outcome in outcomes if outcome.draft is not None]
    found = {draft.external_id: draft.fields for draft in drafts}
    assert len(found) == len(drafts)  # no two share an id
    return found


def shuffled(text: str) -> str:
    """Return the calendar with its events in another order, unless it is truncated."""
    pieces = re.split(r"(?<=END:VEVENT)\r?\n(?=BEGIN:VEVENT)", text)
    if len(pieces) < LEAST or text.count("BEGIN:VEVENT") != text.count("END:VEVENT"):
        return text
    middle = pieces[1:-1]
    random.Random(7).shuffle(middle)
    return "\n".join([pieces[0], *middle, pieces[-1]])


def assert_rows_are_the_same(text: str, outcomes: list[EventOutcome], fetched: date) -> None:
    """An import gives one row per independent event, with the same values or reason."""
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    parts = {part.line: part for part in parts_of(lambda: lines, fetched)}
    told = {outcome.line: outcome for outcome in outcomes if outcome.status != "folded"}
    assert parts.keys() == told.keys()
    for line, part in parts.items():
        if isinstance(part, Part):
            draft = told[line].draft
            assert draft is not None
            assert part.draft.fields == draft.fields
        else:
            assert part.reason == told[line].reason


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_every_event_is_taken_or_rejected_with_a_correct_reason(file: Path) -> None:
    text = text_of(file)
    outcomes = outcomes_of(source_of(text, READ))
    assert_all_are_accounted_for(text, outcomes, READ)
    found = from_icalendar(source_of(text, READ)).drafts
    assert {draft.external_id: draft.fields for draft in found} == drafts_of(outcomes)


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_ids_do_not_depend_on_the_order_of_events(file: Path) -> None:
    text = text_of(file)
    first = drafts_of(outcomes_of(source_of(text, READ)))
    assert drafts_of(outcomes_of(source_of(text, READ))) == first
    assert drafts_of(outcomes_of(source_of(shuffled(text), READ))) == first


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_an_import_reports_one_row_per_independent_event(file: Path) -> None:
    text = text_of(file)
    assert_rows_are_the_same(text, outcomes_of(source_of(text, READ)), READ)


@pytest.mark.skipif(not REAL, reason="../shared/data/feeds is not there")
@pytest.mark.parametrize("town", TOWNS)
def test_every_real_event_is_accounted_for_in_any_order(town: str) -> None:
    total: Counter[str] = Counter()
    for file in REAL:
        if file.parent.name != town:
            continue
        text = text_of(file)
        outcomes = outcomes_of(source_of(text, READ_REAL))
        assert_all_are_accounted_for(text, outcomes, READ_REAL)
        assert drafts_of(outcomes_of(source_of(shuffled(text), READ_REAL))) == drafts_of(outcomes), file.name
        assert_rows_are_the_same(text, outcomes, READ_REAL)
        total.update(outcome.status for outcome in outcomes)
        total["events"] += text.count("BEGIN:VEVENT")
    assert total["events"] == sum(total[outcome] for outcome in OUTCOMES)
    assert total["taken"] > total["events"] / 2
    assert total["refused"] <= MOST_REFUSED

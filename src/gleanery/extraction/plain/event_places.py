"""Where events are: what each says itself, and what the page says once for all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.facts import Fact, first
from gleanery.extraction.plain.happenings import place_of, town_in
from gleanery.extraction.plain.scopes import Scope
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.addresses import Address, find_address
from gleanery.extraction.values.dates import find_dates
from gleanery.extraction.values.times import find_times

VENUE_LIKE = re.compile(
    r"\b(?:museum|музей|library|библиотека|biblioteca|centro|centre|center|зала|hall|gallery|галерия|club|клуб)\b",
    re.IGNORECASE,
)
HALL = re.compile(
    r"\b(?:лекционна зала|[Зз]ала\s[„\"][^“\"]+[“\"]|фоайето|[Гг]олямата зала[^.,]{0,30}|[Мм]алката зала|"
    r"[А-Я][а-я]+та зала|the [A-Z]\w+ Room|[A-Z]\w+ (?:Hall|Room)|Sala \w+|Salón de actos|Großer Saal)",
)
ENOUGH = 2
LONGEST_VENUE = 60


class Shared:
    """What the page says once for all its events."""

    def __init__(self, sight: Sight) -> None:
        self.address = self._shared(sight)
        self.organizer = sight.organisation if not VENUE_LIKE.search(sight.organisation) else ""
        self.venue = self._house(sight)
        for block in sight.page.content:
            if (
                block.kind == "text"
                and re.search(r"\b(?:всички|all|alle|toutes?|todas?|toate)\b", block.text, re.IGNORECASE)
                and (hall := HALL.search(block.text))
            ):
                self.venue = hall.group()

    @staticmethod
    def _shared(sight: Sight) -> Address | None:
        """That of the house, unless the events are held in several: then none is everybody's."""
        found = sight.address
        streets = {
            address.street.casefold()
            for block in sight.page.content
            if (address := find_address("\n".join(block.lines), sight.source.country)) and address.street
        }
        return found if not streets or (found and streets == {found.street.casefold()}) else None

    @staticmethod
    def _house(sight: Sight) -> str:
        """A header with the name and the address of one house: all is there."""
        header = [block for block in sight.page.blocks if block.frame == "header"]
        heading = next((block for block in header if block.kind == "heading" and block.level == 1), None)
        return (
            heading.text if heading and any(find_address(block.text, sight.source.country) for block in header) else ""
        )


def place(sight: Sight, scope: Scope, facts: Sequence[Fact], shared: Shared, fields: dict[str, Any]) -> None:
    venue, address, _ = place_of(facts, sight.source.country)
    if address is None:
        own = next(
            (found for block in scope.blocks if (found := find_address("\n".join(block.lines), sight.source.country))),
            None,
        )
        venue, address = (own.venue, own) if own else (venue, address)
    if address is None:
        address = _town_line(scope.blocks[:3]) if scope.whole else None
        venue = address.venue if address and not venue else venue
    if address is None and fields.get("event_status") != "postponed":
        address = shared.address
    if not venue and (fact := first(facts, "place")) and address is not shared.address:
        venue = "" if address else fact.value
    if not venue:
        hall = HALL.search(scope.text)
        venue = hall.group() if hall else _short_line(sight, scope)
    fields["venue_name"] = venue or shared.venue
    if address is not None:
        fields |= address.fields()


def _town_line(blocks: Sequence[Block]) -> Address | None:
    return next((found for block in blocks for line in block.lines if (found := town_in(line))), None)


def _short_line(sight: Sight, scope: Scope) -> str:
    """In a box the last short line without verb, sum or day is the room."""
    if scope.whole or len(scope.blocks) < ENOUGH:
        return ""
    line = scope.blocks[-1].text
    plain = (
        len(line) <= LONGEST_VENUE
        and line[:1].isupper()
        and not line.endswith((".", "!", "?"))
        and not scope.blocks[-1].links
    )
    return (
        line
        if plain and not find_dates(line, sight.reader) and not find_times(line) and not re.search(r"\d", line)
        else ""
    )

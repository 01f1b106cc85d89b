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
# A room is in a house, whose address is then that of the event too.
ROOM = re.compile(
    r"\b(?:rooms?|hall|chambers?|auditorium|boardroom|floor|suite|lounge|foyer|зала\w*|фоайе\w*|етаж|кабинет|salle|sala|salón|saal|"
    r"patio|aula|sal[ăa])\b",
    re.IGNORECASE,
)
IN_BRACKETS = re.compile(r"\s?\((?P<where>(?:на|в|във|пред|at|in|im|am|au|à|en|la)\s[^()]{4,60})\)")
PREPOSITION = re.compile(r"^(?:на|във|в|at the|at|in the|in|im|am|au|à la|à|en el|en la|en|la)\s", re.IGNORECASE)
_NOWHERE = re.compile(r"https?://|\b(?:online|онлайн|zoom|virtual|webinar|en ligne|en línea)\b", re.IGNORECASE)
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
        if found is None:
            return None
        told = (find_address("\n".join(block.lines), sight.source.country) for block in sight.page.content)
        streets = (each.street.casefold() for each in told if each and each.street)
        return found if all(each == found.street.casefold() for each in streets) else None

    @staticmethod
    def _house(sight: Sight) -> str:
        """A header with the name and the address of one house: all is there."""
        header = [block for block in sight.page.blocks if block.frame == "header"]
        heading = next((block for block in header if block.kind == "heading" and block.level == 1), None)
        return (
            heading.text if heading and any(find_address(block.text, sight.source.country) for block in header) else ""
        )


def own_place(sight: Sight, scope: Scope, facts: Sequence[Fact]) -> tuple[str, Address | None]:
    """The venue and the address that the event tells itself."""
    venue, address, _ = place_of(facts, sight.source.country)
    if address is None:
        own = next(
            (found for block in scope.blocks if (found := find_address("\n".join(block.lines), sight.source.country))),
            None,
        )
        venue, address = (own.venue, own) if own else (venue, address)
    if address is None and scope.whole:
        address = _town_line(scope.blocks[:3])
        venue = address.venue if address and not venue else venue
    if not venue and address is None and (fact := first(facts, "place")) and not _NOWHERE.search(fact.value):
        venue = fact.value.split("\n")[0]
    if not venue:
        hall = HALL.search(scope.text)
        venue = hall.group() if hall else _short_line(sight, scope)
    return venue, address


def place(sight: Sight, scope: Scope, facts: Sequence[Fact], shared: Shared, fields: dict[str, Any]) -> None:
    """The place of an event; without an address of its own it is where all are."""
    venue, address = own_place(sight, scope, facts)
    if address is None and fields.get("event_status") != "postponed":
        address = shared.address
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

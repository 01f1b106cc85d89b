"""Venues and addresses of events: stated by the event, or once for the whole page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.structure.facts import Fact, first
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope
from gleanery.extraction.values.addresses import Address, country_named, find_address, split_address
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
# A room is in a building whose address also applies.
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


class PageDefaults:
    """Address, venue and organiser that the page gives for all its events."""

    def __init__(self, view: PageView) -> None:
        self.address = self._shared(view)
        self.organizer = view.organisation if not VENUE_LIKE.search(view.organisation) else ""
        self.venue = self._house(view)
        for block in view.page.content:
            if (
                block.kind == "text"
                and re.search(r"\b(?:всички|all|alle|toutes?|todas?|toate)\b", block.text, re.IGNORECASE)
                and (hall := HALL.search(block.text))
            ):
                self.venue = hall.group()

    @staticmethod
    def _shared(view: PageView) -> Address | None:
        """Return the address of the page, or None if it has addresses in several streets."""
        found = view.address
        if found is None:
            return None
        addresses = (find_address("\n".join(block.lines), view.source.country) for block in view.page.content)
        streets = (each.street.casefold() for each in addresses if each and each.street)
        return found if all(each == found.street.casefold() for each in streets) else None

    @staticmethod
    def _house(view: PageView) -> str:
        """Return the venue named in a header that also has an address."""
        header = [block for block in view.page.blocks if block.frame == "header"]
        heading = next((block for block in header if block.kind == "heading" and block.level == 1), None)
        return (
            heading.text if heading and any(find_address(block.text, view.source.country) for block in header) else ""
        )


def stated_place(view: PageView, scope: Scope, facts: Sequence[Fact]) -> tuple[str, Address | None]:
    """Return venue and address stated by the event."""
    venue, address, _ = place_of(facts, view.source.country)
    if address is None:
        own = next(
            (found for block in scope.blocks if (found := find_address("\n".join(block.lines), view.source.country))),
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
        venue = hall.group() if hall else _short_line(view, scope)
    return venue, address


def put_place(
    view: PageView, scope: Scope, facts: Sequence[Fact], defaults: PageDefaults, fields: dict[str, Any]
) -> None:
    """Put the place of an event, from the page defaults if it states none."""
    venue, address = stated_place(view, scope, facts)
    if address is None and fields.get("event_status") != "postponed":
        address = defaults.address
    fields["venue_name"] = venue or defaults.venue
    if address is not None:
        fields |= address.fields()


def _town_line(blocks: Sequence[Block]) -> Address | None:
    return next((found for block in blocks for line in block.lines if (found := town_in(line))), None)


def _short_line(view: PageView, scope: Scope) -> str:
    """Return the last short line of a box without day, time or number, which is usually the room."""
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
        if plain and not find_dates(line, view.reader) and not find_times(line) and not re.search(r"\d", line)
        else ""
    )


def place_of(facts: Sequence[Fact], country: str) -> tuple[str, Address | None, str]:
    """Return venue, address and evidence of a labelled place."""
    fact = first(facts, "place", "address")
    if fact is None:
        return "", None, ""
    address = split_address(fact.value, country)
    if address is not None:
        return address.venue, address, f"{fact.label}: {fact.value}"
    return "", town_in(fact.value), f"{fact.label}: {fact.value}"


def town_in(text: str) -> Address | None:
    """Return a town marked as such or followed by its country, or None."""
    if match := re.match(r"(?:гр\.|град|с\.|село)\s?([А-Я][\w-]+(?:\s[А-Я][\w-]+)?)", text):
        return Address(
            locality=match[1] if text.startswith("г") else match.group(), venue=text[match.end() :].strip(" ,")
        )
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 2 and (code := country_named(parts[1])):  # noqa: PLR2004
        return Address(locality=parts[0], country=code)
    return None

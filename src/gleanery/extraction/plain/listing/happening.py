"""Events that a page lists: one for each day of each entry, with what the entry, its section or the page says of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.event_places import IN_BRACKETS, PREPOSITION, ROOM, Shared, own_place
from gleanery.extraction.plain.facts import Fact, facts_of, first
from gleanery.extraction.plain.happenings import IN_NAME, is_free, moments, status_of
from gleanery.extraction.plain.labels import role_of
from gleanery.extraction.plain.listing.entries import Entry, entries_of
from gleanery.extraction.plain.listing.lines import Line, lines_of
from gleanery.extraction.plain.listing.rules import rule_in
from gleanery.extraction.plain.listing.speaking import Speaking, place_in, time_in
from gleanery.extraction.plain.listing.titles import full, own_title, shared_title
from gleanery.extraction.plain.listing.years import Years
from gleanery.extraction.plain.rows import TOTAL
from gleanery.extraction.plain.scopes import Scope
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.addresses import Address
from gleanery.extraction.values.dates import Dates
from gleanery.extraction.values.times import Times

MOST = 500
LONGEST_ABOVE = 60  # of a line above the day that may tell its time
MOST_SESSIONS = 6  # of one thing; more days without names are a programme
COMPUTED = "computed from:"

_EVENTISH = re.compile(
    r"\b(?:events?|meet(?:s|ings?|up)|hearings?|sessions?|calendar|what[’']?s on|diary|listings|coming up|programme|"
    r"concerts?|festivals?|workshops?|webinars?|courses?|class(?:es)?|lectures?|talks?|exhibitions?|screenings?|fairs?|"
    r"open day|agendas?|board|council|commission|committee|conference|forum|party|tour|show|performance|storytime|"
    r"събити\w*|програма|афиш|предстоящ\w*|концерт\w*|фестивал\w*|работилниц\w*|лекци\w*|изложб\w*|спектак\w*|театър\w*|"
    r"прожекци\w*|срещ[аи]\w*|курс\w*|празни\w*|обучени\w*|семинар\w*|базар\w*|заседани\w*|сеси\w*|обсъждан\w*|"
    r"veranstaltung\w*|konzert\w*|vortrag\w*|ausstellung\w*|lesung\w*|führung\w*|kurs\w*|sitzung\w*|versammlung\w*|termine?|"
    r"événements?|ateliers?|conférences?|expositions?|spectacles?|réunions?|séances?|"
    r"eventos?|conciertos?|taller(?:es)?|charlas?|reuni[óo]n(?:es)?|sesi[óo]n(?:es)?|plenos?|"
    r"evenimente?|expoziți\w*|spectacol\w*|ședinț\w*|eventi|riunion\w*|mostr\w*|sabit\w*|afish\w*)\b",
    re.IGNORECASE,
)
# A body that meets: each of its days is a meeting of its own.
_MEETS = re.compile(
    r"\b(?:meet(?:s|ings?)?|hearings?|board|council|commission|committee|заседа\w*|сесии\w*|комиси\w*|съвет\w*|"
    r"sitzung\w*|ausschuss|séances?|réunions?|sesi(?:ón|ones)|reuni(?:ón|ones)|plenos?|ședinț\w*|riunion\w*)\b",
    re.IGNORECASE,
)
# A day on which nobody is there.
_CLOSED = re.compile(
    r"\b(?:offices?|library|building|we|schools?|museum|facility|hall)\b[^.\n]{0,60}\bclosed\b|^closed\b|"
    r"\bno (?:school|meetings?)\b|"
    r"\b(?:holiday|затворен[аои]?|почивен ден|geschlossen|feiertag|fermé\w*|férié|cerrad[oa]s?|festivo|închis)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """The days of an entry with its name; `named` is False where that is only what the page is about."""

    entry: Entry
    days: tuple[Dates, ...]
    name: str
    named: bool
    block: Block | None
    times: Times | None
    said: str  # where the time stands


class Listing:
    """All that a page lists."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._lines = lines_of(sight.page.content, Years(sight.reader, f"{sight.page.title[:120]} {sight.main.name}"))
        entries = entries_of(self._lines, sight.source.fetched)
        self._speaking = Speaking(self._lines, sight.source.country, entries)
        found = [
            each for entry in entries for each in _listed(sight, entry, self._speaking) if _takes_place(sight, each)
        ]
        self.listed = _each_once(found)[:MOST]

    @property
    def names_days(self) -> bool:
        return any(line.dates for line in self._lines)

    @property
    def is_several(self) -> bool:
        """Whether these are events of their own, not the sessions of one thing that the page is about."""
        starts = {(days.start, each.times and each.times.start) for each in self.listed for days in each.days}
        named = sum(each.named for each in self.listed)
        several = named * 2 >= len(self.listed) or len(starts) > MOST_SESSIONS
        return len(starts) > 1 and (several or any(_MEETS.search(each.name) for each in self.listed))

    def drafts(self) -> list[Draft]:
        return self._told(self.listed)

    def by_rules(self) -> list[Draft]:
        """Days that follow from rules in words, where the page names none."""
        return self._told([each for line in self._lines if (each := _by_rule(self._sight, line))])

    def _told(self, listed: Sequence[Listed]) -> list[Draft]:
        if not listed:
            return []
        shared = Shared(self._sight)
        return _with_ids(self._sight, [_fields_of(self._sight, each, self._speaking, shared) for each in listed])


def _by_rule(sight: Sight, line: Line) -> Listed | None:
    rule = rule_in(line.text) if line.block.kind != "row" and _MEETS.search(line.text) else None
    days = tuple(Dates(day, None, 0, 0) for day in rule.days(sight.source.fetched)) if rule else ()
    if rule is None or not days or not (name := full(sight, shared_title(sight, line), line)):
        return None
    said = f"{COMPUTED} {rule.words}; {line.text}"
    return Listed(Entry(line, days, (line,)), days, name, True, line.heading, time_in(line.text), said)


def _listed(sight: Sight, entry: Entry, speaking: Speaking) -> list[Listed]:
    title, block = own_title(sight, entry)
    name = full(sight, title or shared_title(sight, entry.line), entry.line)
    if not name or TOTAL.match(name):
        return []
    found = []
    for days in _occasions(entry, title):
        times, said = _times(days[0], entry, speaking)
        found.append(Listed(entry, days, name, bool(title), block, times, said))
    return found


def _occasions(entry: Entry, title: str) -> list[tuple[Dates, ...]]:
    """The days of something that has a name stand together; those of a body that meets are each for itself."""
    together = title and len(entry.days) > 1 and not _MEETS.search(entry.text)
    return [entry.days] if together else [(each,) for each in entry.days]


def _times(dates: Dates, entry: Entry, speaking: Speaking) -> tuple[Times | None, str]:
    if dates.times:
        return dates.times, entry.line.text
    for line in entry.lines:
        if (line is entry.line or not line.dates) and (times := time_in(line.text)):
            return times, f"{entry.line.text}; {line.text}"
    above = entry.before
    if above is not None and len(above.text) <= LONGEST_ABOVE and (times := time_in(above.text)):
        return times, f"{entry.line.text}; {above.text}"
    if dates.end is None and (shared := speaking.time_for(entry.line)):
        return shared[0], f"{entry.line.text}; {shared[1]}"
    return None, entry.line.text


def _takes_place(sight: Sight, listed: Listed) -> bool:
    """A day alone may be anything: a time, a word of events about it, or a page that is about events makes it one."""
    line = listed.entry.line
    if _CLOSED.search(f"{listed.name}\n{line.text}"):
        return False
    around = (listed.name, line.text, line.heading.text if line.heading else "", sight.main.name, sight.page.title)
    is_headed = listed.entry.heading is not None and listed.entry.heading.level > 1
    has_time = listed.times is not None and (not line.is_prose or is_headed)
    return has_time or any(_EVENTISH.search(each) for each in around)


def _each_once(listed: Sequence[Listed]) -> list[Listed]:
    """A day that is told of twice, once without a name of its own or a time, is told of once."""
    chosen: dict[int, Listed] = {}
    by_day: dict[str, list[Listed]] = {}
    for each in listed:
        by_day.setdefault(each.days[0].start.isoformat(), []).append(each)
    for same in by_day.values():
        fullest: list[Listed] = []
        for each in sorted(same, key=lambda each: (each.named, each.times is not None), reverse=True):
            if not any(_is_told_by(each, other) for other in fullest):
                fullest.append(each)
        chosen |= {id(each): each for each in fullest}
    return [each for each in listed if id(each) in chosen]


def _is_told_by(each: Listed, other: Listed) -> bool:
    """Whether the other one is the same, told more fully."""
    at_odds = each.times is not None and other.times is not None and each.times.start != other.times.start
    return not at_odds and (not each.named or each.name.casefold() == other.name.casefold())


Told = tuple[dict[str, Any], dict[str, str]]  # fields, and where each of them stood


def _with_ids(sight: Sight, told: Sequence[Told]) -> list[Draft]:
    """An id is made of the page that the event alone leads to, which tells of it too; else of its day or moment."""
    urls = Counter(fields["url"] for fields, _ in told)
    days = Counter(_on_its_day(fields) for fields, _ in told)
    drafts = []
    for fields, evidence in told:
        when = str(fields["start"]) if days[_on_its_day(fields)] > 1 else _on_its_day(fields)[-1]
        drafts.append(
            sight.draft("event", fields, evidence, "" if fields["url"] and urls[fields["url"]] == 1 else when)
        )
    return drafts


def _on_its_day(fields: dict[str, Any]) -> tuple[str, ...]:
    return fields["name"].casefold(), fields["url"], fields["start"][:10]


def _fields_of(sight: Sight, listed: Listed, speaking: Speaking, shared: Shared) -> Told:
    entry, country = listed.entry, sight.source.country
    facts = facts_of(entry.blocks)
    cost = _cell(entry.line.block, "cost") or (fact.value if (fact := first(facts, "cost")) else "")
    told = status_of(f"{listed.block.text if listed.block else ''}\n{entry.text}")
    status = told or ("cancelled" if entry.line.is_struck else "")
    days = [replace(each, times=each.times or listed.times) for each in listed.days]
    fields: dict[str, Any] = {
        "name": IN_BRACKETS.sub("", IN_NAME.sub("", listed.name)).strip(),
        "description": sight.description(entry.told_blocks, facts),
        "url": _leads_to(sight, listed),
        **moments(days, listed.times, entry.text, country),
        "is_accessible_for_free": is_free(entry.text, cost),
        "event_status": status,
        "organizer_name": _cell(entry.line.block, "organizer") or shared.organizer,
    }
    evidence = dict.fromkeys(("start", "end", "occurrences"), listed.said)
    evidence["name"] = listed.block.text if listed.block and listed.named else "what the page is about"
    if status == "moved_online":
        fields["attendance_mode"] = "online"
        fields["virtual_url"] = next((sight.absolute(link.href) for block in entry.blocks for link in block.links), "")
    else:
        venue, address, where = _place(sight, listed, facts, speaking)
        if address is None and status != "postponed" and (not venue or ROOM.search(venue)):
            venue, address, where = venue or shared.venue, shared.address, where or "the place of the whole page"
        fields |= {"venue_name": venue, **(address.fields() if address else {})}
        evidence |= dict.fromkeys(("venue_name", "address", "locality", "region", "postal_code"), where)
    return fields, evidence


def _place(sight: Sight, listed: Listed, facts: Sequence[Fact], speaking: Speaking) -> tuple[str, Address | None, str]:
    entry, country = listed.entry, sight.source.country
    if bracket := IN_BRACKETS.search(listed.name):
        return PREPOSITION.sub("", bracket["where"]), None, listed.name
    if cell := _cell(entry.line.block, "place") or _cell(entry.line.block, "address"):
        name, address = place_in(cell, country) or ("", None)
        return name or cell.split("\n")[0], address, cell
    if entry.line.block.kind != "row":
        venue, address = own_place(sight, Scope(listed.name, entry.blocks), facts)
        if venue or address:
            return venue, address, entry.text
    for line in entry.lines:
        if (line is entry.line or not line.dates) and (found := place_in(line.undated, country)):
            return found[0], found[1], line.text
    return speaking.place_for(entry.line) or ("", None, "")


def _cell(block: Block, role: str) -> str:
    """What stands in a row under a header of that role."""
    if block.kind != "row" or len(block.headers) != len(block.cells):
        return ""
    return next(
        (cell for header, cell in zip(block.headers, block.cells, strict=True) if cell and role_of(header) == role), ""
    )


def _leads_to(sight: Sight, listed: Listed) -> str:
    """The page of its own that its name leads to."""
    for block in (listed.block, listed.entry.heading, *listed.entry.blocks):
        for link in block.links if block else ():
            if link.text and (link.text in listed.name or listed.name in link.text):
                return sight.absolute(link.href)
    return ""

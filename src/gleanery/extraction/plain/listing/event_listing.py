"""Listed events: one per day of each entry, completed from its section and the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.event_details.times_and_prices import IN_NAME, is_free, status_of, time_fields
from gleanery.extraction.plain.event_details.venues import IN_BRACKETS, PREPOSITION, ROOM, PageDefaults, stated_place
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.date_rules import rule_in
from gleanery.extraction.plain.listing.entries import Entry, entries_of
from gleanery.extraction.plain.listing.page_lines import Line, lines_of
from gleanery.extraction.plain.listing.shared_details import SharedDetails, place_in, time_in
from gleanery.extraction.plain.listing.titles import full_title, own_title, shared_title
from gleanery.extraction.plain.listing.years import Years
from gleanery.extraction.plain.structure.facts import Fact, facts_of, first
from gleanery.extraction.plain.structure.labelled_rows import TOTAL
from gleanery.extraction.plain.structure.labels import role_of
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope
from gleanery.extraction.values.addresses import Address
from gleanery.extraction.values.dates import Dates
from gleanery.extraction.values.times import Times

MOST = 500
LONGEST_ABOVE = 60  # of a line above the day that may hold its time
MOST_SESSIONS = 6  # of one event; more days without names are a programme
COMPUTED = "computed from:"

_EVENT_WORDS = re.compile(
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
# Meetings of a body: each day is a separate event.
_MEETING_WORDS = re.compile(
    r"\b(?:meet(?:s|ings?)?|hearings?|board|council|commission|committee|заседа\w*|сесии\w*|комиси\w*|съвет\w*|"
    r"sitzung\w*|ausschuss|séances?|réunions?|sesi(?:ón|ones)|reuni(?:ón|ones)|plenos?|ședinț\w*|riunion\w*)\b",
    re.IGNORECASE,
)
# Days on which an office is closed.
_CLOSED_WORDS = re.compile(
    r"\b(?:offices?|library|building|we|schools?|museum|facility|hall)\b[^.\n]{0,60}\bclosed\b|^closed\b|"
    r"\bno (?:school|meetings?)\b|"
    r"\b(?:holiday|затворен[аои]?|почивен ден|geschlossen|feiertag|fermé\w*|férié|cerrad[oa]s?|festivo|închis)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An entry as event. `named` is False if the name is only the subject of the page."""

    entry: Entry
    days: tuple[Dates, ...]
    name: str
    named: bool
    block: Block | None
    times: Times | None
    time_text: str  # evidence for the time


class EventListing:
    """Events listed on a page."""

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._lines = lines_of(view.page.content, Years(view.reader, f"{view.page.title[:120]} {view.main.name}"))
        entries = entries_of(self._lines, view.source.fetched)
        self._shared_details = SharedDetails(self._lines, view.source.country, entries)
        found = [
            each for entry in entries for each in _listed(view, entry, self._shared_details) if _takes_place(view, each)
        ]
        self.listed = _each_once(found)[:MOST]

    @property
    def names_days(self) -> bool:
        return any(line.dates for line in self._lines)

    @property
    def is_several(self) -> bool:
        """True if these are separate events and not sessions of the one event of the page."""
        starts = {(days.start, each.times and each.times.start) for each in self.listed for days in each.days}
        named = sum(each.named for each in self.listed)
        several = named * 2 >= len(self.listed) or len(starts) > MOST_SESSIONS
        return len(starts) > 1 and (several or any(_MEETING_WORDS.search(each.name) for each in self.listed))

    def drafts(self) -> list[Draft]:
        return self._drafts_of(self.listed)

    def by_rules(self) -> list[Draft]:
        """Return events on days computed from rules in words."""
        return self._drafts_of([each for line in self._lines if (each := _by_rule(self._view, line))])

    def _drafts_of(self, listed: Sequence[ListedEvent]) -> list[Draft]:
        if not listed:
            return []
        defaults = PageDefaults(self._view)
        return _with_ids(self._view, [_fields_of(self._view, each, self._shared_details, defaults) for each in listed])


def _by_rule(view: PageView, line: Line) -> ListedEvent | None:
    rule = rule_in(line.text) if line.block.kind != "row" and _MEETING_WORDS.search(line.text) else None
    days = tuple(Dates(day, None, 0, 0) for day in rule.days(view.source.fetched)) if rule else ()
    if rule is None or not days or not (name := full_title(view, shared_title(view, line), line)):
        return None
    time_text = f"{COMPUTED} {rule.words}; {line.text}"
    return ListedEvent(Entry(line, days, (line,)), days, name, True, line.heading, time_in(line.text), time_text)


def _listed(view: PageView, entry: Entry, shared_details: SharedDetails) -> list[ListedEvent]:
    title, block = own_title(view, entry)
    name = full_title(view, title or shared_title(view, entry.line), entry.line)
    if not name or TOTAL.match(name):
        return []
    found = []
    for days in _occasions(entry, title):
        times, time_text = _times(days[0], entry, shared_details)
        found.append(ListedEvent(entry, days, name, bool(title), block, times, time_text))
    return found


def _occasions(entry: Entry, title: str) -> list[tuple[Dates, ...]]:
    """Return the days of a named event together, those of meetings separately."""
    together = title and len(entry.days) > 1 and not _MEETING_WORDS.search(entry.text)
    return [entry.days] if together else [(each,) for each in entry.days]


def _times(dates: Dates, entry: Entry, shared_details: SharedDetails) -> tuple[Times | None, str]:
    if dates.times:
        return dates.times, entry.line.text
    for line in entry.lines:
        if (line is entry.line or not line.dates) and (times := time_in(line.text)):
            return times, f"{entry.line.text}; {line.text}"
    above = entry.before
    if above is not None and len(above.text) <= LONGEST_ABOVE and (times := time_in(above.text)):
        return times, f"{entry.line.text}; {above.text}"
    if dates.end is None and (shared := shared_details.time_for(entry.line)):
        return shared[0], f"{entry.line.text}; {shared[1]}"
    return None, entry.line.text


def _takes_place(view: PageView, listed: ListedEvent) -> bool:
    """Return True if a dated entry is an event, by a time or event words in it or around it."""
    line = listed.entry.line
    if _CLOSED_WORDS.search(f"{listed.name}\n{line.text}"):
        return False
    around = (listed.name, line.text, line.heading.text if line.heading else "", view.main.name, view.page.title)
    is_headed = listed.entry.heading is not None and listed.entry.heading.level > 1
    has_time = listed.times is not None and (not line.is_prose or is_headed)
    return has_time or any(_EVENT_WORDS.search(each) for each in around)


def _each_once(listed: Sequence[ListedEvent]) -> list[ListedEvent]:
    """Drop entries that repeat another one of the same day without a name or time of their own."""
    chosen: dict[int, ListedEvent] = {}
    by_day: dict[str, list[ListedEvent]] = {}
    for each in listed:
        by_day.setdefault(each.days[0].start.isoformat(), []).append(each)
    for same in by_day.values():
        fullest: list[ListedEvent] = []
        for each in sorted(same, key=lambda each: (each.named, each.times is not None), reverse=True):
            if not any(_is_covered_by(each, other) for other in fullest):
                fullest.append(each)
        chosen |= {id(each): each for each in fullest}
    return [each for each in listed if id(each) in chosen]


def _is_covered_by(each: ListedEvent, other: ListedEvent) -> bool:
    """Return True if `other` is the same event with more detail."""
    at_odds = each.times is not None and other.times is not None and each.times.start != other.times.start
    return not at_odds and (not each.named or each.name.casefold() == other.name.casefold())


FieldsAndEvidence = tuple[dict[str, Any], dict[str, str]]  # fields, and the evidence of each


def _with_ids(view: PageView, events: Sequence[FieldsAndEvidence]) -> list[Draft]:
    """Return drafts. Ids use the link if no other event has it, else the day or start."""
    urls = Counter(fields["url"] for fields, _ in events)
    days = Counter(_day_key(fields) for fields, _ in events)
    drafts = []
    for fields, evidence in events:
        when = str(fields["start"]) if days[_day_key(fields)] > 1 else _day_key(fields)[-1]
        drafts.append(view.draft("event", fields, evidence, "" if fields["url"] and urls[fields["url"]] == 1 else when))
    return drafts


def _day_key(fields: dict[str, Any]) -> tuple[str, ...]:
    return fields["name"].casefold(), fields["url"], fields["start"][:10]


def _fields_of(
    view: PageView, listed: ListedEvent, shared_details: SharedDetails, defaults: PageDefaults
) -> FieldsAndEvidence:
    entry, country = listed.entry, view.source.country
    facts = facts_of(entry.blocks)
    cost = _cell(entry.line.block, "cost") or (fact.value if (fact := first(facts, "cost")) else "")
    stated = status_of(f"{listed.block.text if listed.block else ''}\n{entry.text}")
    status = stated or ("cancelled" if entry.line.is_struck else "")
    days = [replace(each, times=each.times or listed.times) for each in listed.days]
    fields: dict[str, Any] = {
        "name": IN_BRACKETS.sub("", IN_NAME.sub("", listed.name)).strip(),
        "description": view.description(entry.blocks_without_date, facts),
        "url": _leads_to(view, listed),
        **time_fields(days, listed.times, entry.text, country),
        "is_accessible_for_free": is_free(entry.text, cost),
        "event_status": status,
        "organizer_name": _cell(entry.line.block, "organizer") or defaults.organizer,
    }
    evidence = dict.fromkeys(("start", "end", "occurrences"), listed.time_text)
    evidence["name"] = listed.block.text if listed.block and listed.named else "what the page is about"
    if status == "moved_online":
        fields["attendance_mode"] = "online"
        fields["virtual_url"] = next((view.absolute(link.href) for block in entry.blocks for link in block.links), "")
    else:
        venue, address, where = _place(view, listed, facts, shared_details)
        if address is None and status != "postponed" and (not venue or ROOM.search(venue)):
            venue, address, where = venue or defaults.venue, defaults.address, where or "the place of the whole page"
        fields |= {"venue_name": venue, **(address.fields() if address else {})}
        evidence |= dict.fromkeys(("venue_name", "address", "locality", "region", "postal_code"), where)
    return fields, evidence


def _place(
    view: PageView, listed: ListedEvent, facts: Sequence[Fact], shared_details: SharedDetails
) -> tuple[str, Address | None, str]:
    entry, country = listed.entry, view.source.country
    if bracket := IN_BRACKETS.search(listed.name):
        return PREPOSITION.sub("", bracket["where"]), None, listed.name
    if cell := _cell(entry.line.block, "place") or _cell(entry.line.block, "address"):
        name, address = place_in(cell, country) or ("", None)
        return name or cell.split("\n")[0], address, cell
    if entry.line.block.kind != "row":
        venue, address = stated_place(view, Scope(listed.name, entry.blocks), facts)
        if venue or address:
            return venue, address, entry.text
    for line in entry.lines:
        if (line is entry.line or not line.dates) and (found := place_in(line.undated, country)):
            return found[0], found[1], line.text
    return shared_details.place_for(entry.line) or ("", None, "")


def _cell(block: Block, role: str) -> str:
    """Return the cell under a header with this role."""
    if block.kind != "row" or len(block.headers) != len(block.cells):
        return ""
    return next(
        (cell for header, cell in zip(block.headers, block.cells, strict=True) if cell and role_of(header) == role), ""
    )


def _leads_to(view: PageView, listed: ListedEvent) -> str:
    """Return the link of the name."""
    for block in (listed.block, listed.entry.heading, *listed.entry.blocks):
        for link in block.links if block else ():
            if link.text and (link.text in listed.name or listed.name in link.text):
                return view.absolute(link.href)
    return ""

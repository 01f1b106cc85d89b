"""Events on pages without markup: a name and a day, from tables, lists, boxes, sections or a page of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gleanery.extraction.addresses import Address, find_address
from gleanery.extraction.blocks import Block
from gleanery.extraction.dates import Dates, find_dates
from gleanery.extraction.draft import Draft
from gleanery.extraction.facts import Fact, facts_of, first, without_symbols
from gleanery.extraction.happenings import FREE, IN_NAME, days_of, is_free, moments, place_of, status_of, time_of, town_in
from gleanery.extraction.hours import find_hours
from gleanery.extraction.names import organisation_in
from gleanery.extraction.rows import Row, rows
from gleanery.extraction.scopes import Scope, parts
from gleanery.extraction.sight import Sight
from gleanery.extraction.times import find_times
from gleanery.extraction.vetoes import is_article

WORDS = re.compile(
    r"\b(?:events?\b|what[’']?s on|agenda\b|calendar|programme\b|concert|festival|workshop|webinar|course\b|class\b|lecture|talk\b|exhibition|screening|fair\b|meetup|open day|"
    r"събити|програма за|афиш|предстоящ|концерт|фестивал|работилница|лекция|изложба|спектакъл|театър|театр|прожекция|среща|курс|празник|обучение|семинар|базар|"
    r"veranstaltung|konzert|vortrag|ausstellung|lesung|führung|kurs\b|événement|concert|atelier|conférence|exposition|spectacle|evento|concierto|taller|charla|"
    r"eveniment|concert|atelier|expoziție|spectacol|sabit|afish|evenimente|agenda)",
    re.IGNORECASE,
)
ONLINE = re.compile(r"\b(?:online|онлайн|webinar|zoom|livestream|via video|en ligne|en línea|virtual)\b", re.IGNORECASE)
VENUE_LIKE = re.compile(r"\b(?:museum|музей|library|библиотека|biblioteca|centro|centre|center|зала|hall|gallery|галерия|club|клуб)\b", re.IGNORECASE)
BODY = re.compile(r"(?:Община|Сдружение|Фондация|Кметство|Асоциация|Stiftung|Verein|Association|Fondation|Mairie|Ayuntamiento|Primăria|Asociația|Fundația)\b")
IN_BRACKETS = re.compile(r"\s?\((?P<where>(?:на|в|във|пред|at|in|im|am|au|à|en|la)\s[^()]{4,60})\)")
PREPOSITION = re.compile(r"^(?:на|във|в|at the|at|in the|in|im|am|au|à la|à|en el|en la|en|la)\s", re.IGNORECASE)
HALL = re.compile(
    r"\b(?:лекционна зала|[Зз]ала\s[„\"][^“\"]+[“\"]|фоайето|[Гг]олямата зала[^.,]{0,30}|[Мм]алката зала|[А-Я][а-я]+та зала|the [A-Z]\w+ Room|[A-Z]\w+ (?:Hall|Room)|Sala \w+|Salón de actos|Großer Saal)",
)
ENOUGH = 2
LONGEST_VENUE = 60


def events(sight: Sight) -> list[Draft]:
    if is_article(sight.page):
        return []
    shared = _Shared(sight)
    found = [draft for row in rows(sight.page) if (draft := _from_row(sight, row, shared))]
    if found:
        return found
    several = parts(sight.page, lambda blocks: _has_day(sight, blocks))
    lines = _dated_lines(sight)
    if len(lines) > len(several):
        several = lines
    named = [scope for each in several if (scope := _named(sight, each))]
    if len(named) >= max(ENOUGH, 0.6 * len(several)) and (WORDS.search(sight.heads) or all(find_times(scope.text) for scope in named)):
        return [draft for scope in named if (draft := _from_scope(sight, scope, shared))]
    if _tells_of_one(sight):
        draft = _from_scope(sight, sight.main, shared)
        return [draft] if draft else []
    return []


class _Shared:
    """What the page says once for all its events."""

    def __init__(self, sight: Sight) -> None:
        self.address = sight.address
        self.organizer = sight.publisher if not VENUE_LIKE.search(sight.publisher) else ""
        self.venue = self._house(sight)
        for block in sight.page.content:
            if block.kind == "text" and re.search(r"\b(?:всички|all|alle|toutes?|todas?|toate)\b", block.text, re.IGNORECASE) and (hall := HALL.search(block.text)):
                self.venue = hall.group()


    @staticmethod
    def _house(sight: Sight) -> str:
        """A header with the name and the address of one house: all is there."""
        header = [block for block in sight.page.blocks if block.frame == "header"]
        heading = next((block for block in header if block.kind == "heading" and block.level == 1), None)
        return heading.text if heading and any(find_address(block.text, sight.source.country) for block in header) else ""


def _ahead(sight: Sight, dates: Dates) -> bool:
    return (dates.end or dates.start) >= sight.source.fetched


def _has_day(sight: Sight, blocks: Sequence[Block]) -> bool:
    return any(_ahead(sight, each) for each, _ in days_of(_joined(blocks), facts_of(blocks), sight.reader))


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """A day and its month may stand in two elements: short neighbours are read as one line."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.kind == joined[-1].kind == "text" and len(joined[-1].text) <= 3 and len(block.text) < 20:  # noqa: PLR2004
            joined[-1] = replace(joined[-1], lines=(f"{joined[-1].text} {block.text}",))
        else:
            joined.append(block)
    return joined


def _named(sight: Sight, scope: Scope) -> Scope | None:
    """An item without a heading is named by what it has in bold, by its link, or by what is left without its dates."""
    if scope.name:
        return scope
    block = scope.blocks[0] if scope.blocks else None
    if block is None:
        return None
    for text in (*(strong for each in scope.blocks for strong in each.strong), *(link.text for each in scope.blocks for link in each.links)):
        if len(text) >= 4 and not find_dates(text, sight.reader) and not find_times(text) and re.search(r"[^\W\d_]{3}", text):  # noqa: PLR2004
            return replace(scope, name=without_symbols(text).strip(" :–—-."), heading=block)
    rest = _without_days(sight, block.text)
    name = re.split(r"\s[–—|·-]\s|:\s|(?<=\w{3})\.\s", rest)[0].strip(" ,:;.–—-|·")
    if len(re.findall(r"[^\W\d_]{3,}", name)) == 0 or name[:1] in "+(":
        return None
    return replace(scope, name=name)


def _without_days(sight: Sight, text: str) -> str:
    for dates in reversed(find_dates(text, sight.reader)):
        text = text[: dates.begin] + text[dates.stop :]
    for times in reversed(find_times(text)):
        text = text[: times.begin] + text[times.stop :]
    text = re.sub(r"^(?:[^\w„“«\"]|\b(?:mon|tue|wed|thu|fri|sat|sun)\w*\b|ч\.|г\.|Uhr|h\b)+", "", text, flags=re.IGNORECASE)
    return text.strip(" ,:;.–—-|·")


def _dated_lines(sight: Sight) -> list[Scope]:
    """Paragraphs that each begin with a day: the rest of their first line is the name, the other lines tell more."""
    found = []
    for block in sight.page.content:
        if block.kind not in ("text", "item", "pair"):
            continue
        line = without_symbols(f"{block.label} – {block.lines[0]}" if block.kind == "pair" else block.lines[0])
        days = [each for each in find_dates(line, sight.reader) if each.begin <= 12 and _ahead(sight, each)]  # noqa: PLR2004
        name = re.split(r"(?<=\w{3})\.\s", _without_days(sight, line))[0] if days else ""
        if len(re.findall(r"[^\W\d_]{3,}", name)) > 0 and name[:1] not in "+(" and len(name) < 120:  # noqa: PLR2004
            told = replace(block, kind="text", label="", lines=block.lines[1:], strong=()) if len(block.lines) > 1 else None
            day = replace(block, kind="text", label="", lines=(line[: days[0].stop + 24],), strong=(), links=())
            found.append(Scope(name, (day, *([told] if told else [])), block))
    return found


def _tells_of_one(sight: Sight) -> bool:
    """Two of: words of events where it says what it is about, a time, a labelled place or day, a price or free entry."""
    facts = facts_of(sight.main.blocks)
    days = [each for each, _ in _main_days(sight, facts) if _ahead(sight, each)]
    if not days:
        return False
    labelled = first(facts, "place") is not None or first(facts, "when") is not None
    priced = first(facts, "cost") is not None or bool(FREE.search(sight.text))
    timed = any(each.times for each in days) or first(facts, "time") is not None or bool(time_of(sight.main.blocks[:8], facts))
    return bool(WORDS.search(sight.heads)) + labelled + priced + timed >= ENOUGH and (labelled or timed or bool(WORDS.search(sight.heads)))


def _main_days(sight: Sight, facts: Sequence[Fact]) -> list[tuple[Dates, str]]:
    blocks = [*([replace(sight.main.heading, kind="text")] if sight.main.heading else []), *sight.main.blocks]
    return days_of(_joined(blocks), facts, sight.reader)


def _from_scope(sight: Sight, scope: Scope, shared: _Shared) -> Draft | None:
    facts = facts_of(scope.blocks)
    told = _main_days(sight, facts) if scope.whole else days_of(_joined(scope.blocks), facts, sight.reader)
    days = _one_kind([each for each in told if _ahead(sight, each[0])])
    if not days or not scope.name:
        return None
    status = status_of(f"{scope.name}\n{scope.text}") if not scope.whole else status_of("\n".join([scope.name, *(block.text for block in scope.blocks[:4])]))
    text = f"{scope.name}\n{scope.text}"
    times = time_of([block for block in scope.blocks if not find_hours(block.text)], facts)
    description = _told(sight.description(scope.blocks, facts), scope.whole)
    cost = first(facts, "cost")
    fields: dict[str, Any] = {
        "name": IN_NAME.sub("", scope.name).strip(),
        "description": description,
        "url": "" if scope.whole else sight.absolute(scope.href),
        **moments([each for each, _ in days], times, text, sight.source.country),
        "is_accessible_for_free": is_free(text, cost.value if cost else ""),
        "event_status": status,
    }
    evidence = dict.fromkeys(("start", "end", "occurrences"), days[0][1]) | {"name": "heading", "description": "the first paragraph"}
    if status == "moved_online":
        fields["attendance_mode"] = "online"
        fields["virtual_url"] = next((sight.absolute(link.href) for block in scope.blocks for link in block.links), "")
    else:
        _place(sight, scope, facts, shared, fields)
    organizer = first(facts, "organizer")
    fields["organizer_name"] = organizer.value.split("\n")[0] if organizer else shared.organizer or _gathers(description)
    _online(sight, scope, fields)
    return sight.draft("event", fields, evidence)


def _gathers(description: str) -> str:
    """A council or an association that the first sentence says does it."""
    name = organisation_in(description[:300])
    return name if name and not VENUE_LIKE.search(name) and BODY.match(name) else ""


def _one_kind(days: list[tuple[Dates, str]]) -> list[tuple[Dates, str]]:
    """A span of days is the event; single days after it are parts of it. Days told in passing follow the first."""
    if not days:
        return []
    if days[0][0].end is not None:
        return days[:1]
    return [each for each in days if each[0].end is None and (bool(each[0].times) == bool(days[0][0].times))]


def _told(description: str, whole: bool) -> str:
    """In a short notice the sentences with times and prices are facts, not description."""
    if whole:
        return description
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-ZА-ЯÀ-Ý])", description)
    kept = sentences[:1]
    for sentence in sentences[1:]:
        if any(times.certain for times in find_times(sentence)):
            break
        kept.append(sentence)
    return " ".join(kept)


def _place(sight: Sight, scope: Scope, facts: Sequence[Fact], shared: _Shared, fields: dict[str, Any]) -> None:
    venue, address, _ = place_of(facts, sight.source.country)
    if address is None:
        own = next((found for block in scope.blocks if (found := find_address("\n".join(block.lines), sight.source.country))), None)
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
    plain = len(line) <= LONGEST_VENUE and line[:1].isupper() and not line.endswith((".", "!", "?")) and not scope.blocks[-1].links
    return line if plain and not find_dates(line, sight.reader) and not find_times(line) and not re.search(r"\d", line) else ""


def _online(sight: Sight, scope: Scope, fields: dict[str, Any]) -> None:
    if scope.whole and ONLINE.search(f"{sight.page.title} {scope.name} " + " ".join(block.text for block in scope.blocks[:6])) and not fields.get("address"):
        fields["attendance_mode"] = "online"
        for block in scope.blocks:
            for link in block.links:
                if re.search(r"zoom|meet|teams|webex|jitsi|/j/|livestream", link.href, re.IGNORECASE):
                    fields["virtual_url"] = sight.absolute(link.href)
                    return


def _from_row(sight: Sight, row: Row, shared: _Shared) -> Draft | None:
    when = row.cells.get("when", "") or row.cells.get("start", "")
    dates = find_dates(f"{when} {row.cells.get('time', '')}", replace(sight.reader, bare=True))
    if not row.name or not dates or not _ahead(sight, dates[0]) or row.cells.keys() & {"amount", "deadline", "eligibility"}:
        return None
    times = time_of([], [Fact("time", "", row.cells.get("time", "") or when, row.block)])
    bracket = IN_BRACKETS.search(row.name)
    name = IN_BRACKETS.sub("", row.name) if bracket else row.name
    venue = PREPOSITION.sub("", bracket["where"]) if bracket else row.cells.get("place", "") or shared.venue
    fields: dict[str, Any] = {
        "name": name,
        "url": sight.absolute(row.href),
        "venue_name": venue,
        **moments(dates[:1], times, "", sight.source.country),
        "is_accessible_for_free": is_free("", row.cells.get("cost", "")) if row.cells.get("cost") else None,
        "organizer_name": row.cells.get("organizer", "") or shared.organizer,
        "event_status": status_of(row.text),
    }
    if shared.address is not None:
        fields |= shared.address.fields() if not bracket else {"locality": shared.address.locality}
    return sight.draft("event", fields, dict.fromkeys(fields, f"table row: {row.text}"))

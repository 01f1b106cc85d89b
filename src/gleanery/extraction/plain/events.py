"""Events on pages without markup: a name and a day, from tables, lists, boxes, sections or a page of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.event_places import VENUE_LIKE, Shared, place
from gleanery.extraction.plain.facts import Fact, facts_of, first
from gleanery.extraction.plain.happenings import (
    FREE,
    HAS_DIGIT,
    IN_NAME,
    days_of,
    is_free,
    moments,
    status_of,
    time_of,
)
from gleanery.extraction.plain.listing.happening import Listing
from gleanery.extraction.plain.scopes import Scope, single_box
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.dates import Dates
from gleanery.extraction.values.hours import find_hours
from gleanery.extraction.values.names import is_organisation, organisation_in, without_stop
from gleanery.extraction.values.times import find_times

WORDS = re.compile(
    r"\b(?:events?\b|what[’']?s on|agenda\b|calendar|diary|listings|coming up|programme\b|concert|festival|"
    r"workshop|webinar|course\b|class\b|lecture|talk\b|exhibition|screening|fair\b|meetup|open day|"
    r"събити|програма за|афиш|предстоящ|концерт|фестивал|работилница|лекция|изложба|спектакъл|театър|театр|"
    r"прожекция|среща|курс|празник|обучение|семинар|базар|"
    r"veranstaltung|konzert|vortrag|ausstellung|lesung|führung|kurs\b|événement|concert|atelier|conférence|"
    r"exposition|spectacle|evento|concierto|taller|charla|"
    r"eveniment|concert|atelier|expoziție|spectacol|sabit|afish|evenimente|agenda)",
    re.IGNORECASE,
)
ONLINE = re.compile(r"\b(?:online|онлайн|webinar|zoom|livestream|via video|en ligne|en línea|virtual)\b", re.IGNORECASE)
BODY = re.compile(
    r"(?:Община|Сдружение|Фондация|Кметство|Асоциация|Stiftung|Verein|Association|Fondation|Mairie|"
    r"Ayuntamiento|Primăria|Asociația|Fundația)\b"
)
# Before a name: who helps, gives or is given to does not hold the event.
HELPED = re.compile(
    r"\b(?:help|support|aid|benefit|(?:по)?мощта|подкрепата|съдействието|полза|unterstützung|zugunsten|soutien|"
    r"profit|apoyo|beneficio|sprijinul|folosul)\s(?:of|на|von|de|du|des|al|din)?\s?(?:the\s)?$",
    re.IGNORECASE,
)
ENOUGH = 2


def events(sight: Sight) -> list[Draft]:
    """What the page lists, or the one thing that it is about, or what follows from its rules."""
    if sight.is_article:
        return []
    listing = Listing(sight)
    if listing.is_several:
        return listing.drafts()
    return (_one_event(sight) if listing.names_days else []) or listing.drafts() or listing.by_rules()


def _one_event(sight: Sight) -> list[Draft]:
    # A theatre that tells of its evenings is none of them.
    if not _tells_of_one(sight) or (sight.is_home and is_organisation(sight.main.name)):
        return []
    scope = single_box(sight.page, lambda blocks: has_day(sight, blocks)) or sight.main
    draft = _from_scope(sight, scope, Shared(sight))
    return [draft] if draft else []


def _tells_of_one(sight: Sight) -> bool:
    """Two of: words of events in its heads, a time, a labelled place or day, a price or free entry."""
    facts = sight.main_facts
    days = [each for each, _ in _main_days(sight, facts) if is_ahead(sight, each)]
    if not days:
        return False
    labelled = first(facts, "place") is not None or first(facts, "when") is not None
    priced = first(facts, "cost") is not None or bool(FREE.search(sight.text))
    timed = (
        any(each.times for each in days)
        or first(facts, "time") is not None
        or bool(time_of([block for block in sight.main.blocks[:8] if not find_hours(block.text)], []))
    )
    return bool(WORDS.search(sight.heads)) + labelled + priced + timed >= ENOUGH and (
        labelled or timed or bool(WORDS.search(sight.heads))
    )


def _main_days(sight: Sight, facts: Sequence[Fact]) -> list[tuple[Dates, str]]:
    blocks = [*([sight.main.heading._replace(kind="text")] if sight.main.heading else []), *sight.main.blocks]
    return days_of(in_one_line(blocks), facts, sight.reader)


def _from_scope(sight: Sight, scope: Scope, shared: Shared) -> Draft | None:
    facts = facts_of(scope.blocks)
    told = _main_days(sight, facts) if scope.whole else days_of(in_one_line(scope.blocks), facts, sight.reader)
    days = _one_kind([each for each in told if is_ahead(sight, each[0])])
    if not days or not scope.name:
        return None
    status = (
        status_of(f"{scope.name}\n{scope.text}")
        if not scope.whole
        else status_of("\n".join([scope.name, *(block.text for block in scope.blocks[:4])]))
    )
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
    evidence = dict.fromkeys(("start", "end", "occurrences"), days[0][1]) | {
        "name": "heading",
        "description": "the first paragraph",
    }
    if status == "moved_online":
        fields["attendance_mode"] = "online"
        fields["virtual_url"] = next((sight.absolute(link.href) for block in scope.blocks for link in block.links), "")
    else:
        place(sight, scope, facts, shared, fields)
    organizer = first(facts, "organizer")
    fields["organizer_name"] = (
        without_stop(organizer.value.split("\n")[0]) if organizer else shared.organizer or _gathers(description)
    )
    _online(sight, scope, fields)
    return sight.draft("event", fields, evidence, "" if scope.whole else str(fields["start"])[:10])


def _gathers(description: str) -> str:
    """A council or an association that the first sentence says does it."""
    name = organisation_in(description[:300])
    if not name or VENUE_LIKE.search(name) or not BODY.match(name):
        return ""
    return "" if HELPED.search(description[: description.index(name)]) else name


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


def _online(sight: Sight, scope: Scope, fields: dict[str, Any]) -> None:
    if (
        scope.whole
        and ONLINE.search(f"{sight.page.title} {scope.name} " + " ".join(block.text for block in scope.blocks[:6]))
        and not fields.get("address")
    ):
        fields["attendance_mode"] = "online"
        for block in scope.blocks:
            for link in block.links:
                if re.search(r"zoom|meet|teams|webex|jitsi|/j/|livestream", link.href, re.IGNORECASE):
                    fields["virtual_url"] = sight.absolute(link.href)
                    return


def is_ahead(sight: Sight, dates: Dates) -> bool:
    return (dates.end or dates.start) >= sight.source.fetched


def has_day(sight: Sight, blocks: Sequence[Block]) -> bool:
    if not any(HAS_DIGIT.search(block.text) for block in blocks):
        return False
    return any(is_ahead(sight, each) for each, _ in days_of(in_one_line(blocks), facts_of(blocks), sight.reader))


def in_one_line(blocks: Sequence[Block]) -> list[Block]:
    """A day and its month may stand in two elements: short neighbours are read as one line."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.kind == joined[-1].kind == "text" and len(joined[-1].text) <= 3 and len(block.text) < 20:  # noqa: PLR2004
            joined[-1] = joined[-1]._replace(lines=(f"{joined[-1].text} {block.text}",))
        else:
            joined.append(block)
    return joined

"""Recogniser of events: a name and a day, from lists, tables, boxes, sections or a whole page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.event_details.times_and_prices import (
    FREE,
    HAS_DIGIT,
    IN_NAME,
    days_of,
    is_free,
    status_of,
    time_fields,
    time_of,
)
from gleanery.extraction.plain.event_details.venues import VENUE_LIKE, PageDefaults, put_place
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.event_listing import EventListing
from gleanery.extraction.plain.structure.facts import Fact, facts_of, first
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope, single_box
from gleanery.extraction.values.dates import Dates
from gleanery.extraction.values.names import is_organisation, organisation_in, without_stop
from gleanery.extraction.values.opening_hours import find_hours
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
# Before a name: a beneficiary or donor is not the organiser.
BENEFICIARY = re.compile(
    r"\b(?:help|support|aid|benefit|(?:по)?мощта|подкрепата|съдействието|полза|unterstützung|zugunsten|soutien|"
    r"profit|apoyo|beneficio|sprijinul|folosul)\s(?:of|на|von|de|du|des|al|din)?\s?(?:the\s)?$",
    re.IGNORECASE,
)
ENOUGH = 2


def events(view: PageView) -> list[Draft]:
    """Return listed events, else the one event of the page, else dates computed from rules in words."""
    if view.is_article:
        return []
    listing = EventListing(view)
    if listing.is_several:
        return listing.drafts()
    return (_one_event(view) if listing.names_days else []) or listing.drafts() or listing.by_rules()


def _one_event(view: PageView) -> list[Draft]:
    # The homepage of a theatre is not an event.
    if not _is_about_one_event(view) or (view.is_home and is_organisation(view.main.name)):
        return []
    scope = single_box(view.page, lambda blocks: has_day(view, blocks)) or view.main
    draft = _from_scope(view, scope, PageDefaults(view))
    return [draft] if draft else []


def _is_about_one_event(view: PageView) -> bool:
    """Return True with two of: event words in headings, a time, a labelled place or day, a price or free entry."""
    facts = view.main_facts
    days = [each for each, _ in _main_days(view, facts) if is_upcoming(view, each)]
    if not days:
        return False
    labelled = first(facts, "place") is not None or first(facts, "when") is not None
    priced = first(facts, "cost") is not None or bool(FREE.search(view.text))
    timed = (
        any(each.times for each in days)
        or first(facts, "time") is not None
        or bool(time_of([block for block in view.main.blocks[:8] if not find_hours(block.text)], []))
    )
    return bool(WORDS.search(view.heads)) + labelled + priced + timed >= ENOUGH and (
        labelled or timed or bool(WORDS.search(view.heads))
    )


def _main_days(view: PageView, facts: Sequence[Fact]) -> list[tuple[Dates, str]]:
    blocks = [*([view.main.heading._replace(kind="text")] if view.main.heading else []), *view.main.blocks]
    return days_of(join_short_blocks(blocks), facts, view.reader)


def _from_scope(view: PageView, scope: Scope, defaults: PageDefaults) -> Draft | None:
    facts = facts_of(scope.blocks)
    dates = _main_days(view, facts) if scope.whole else days_of(join_short_blocks(scope.blocks), facts, view.reader)
    days = _same_kind_of_days([each for each in dates if is_upcoming(view, each[0])])
    if not days or not scope.name:
        return None
    status = (
        status_of(f"{scope.name}\n{scope.text}")
        if not scope.whole
        else status_of("\n".join([scope.name, *(block.text for block in scope.blocks[:4])]))
    )
    text = f"{scope.name}\n{scope.text}"
    times = time_of([block for block in scope.blocks if not find_hours(block.text)], facts)
    description = _short_description(view.description(scope.blocks, facts), scope.whole)
    cost = first(facts, "cost")
    fields: dict[str, Any] = {
        "name": IN_NAME.sub("", scope.name).strip(),
        "description": description,
        "url": "" if scope.whole else view.absolute(scope.href),
        **time_fields([each for each, _ in days], times, text, view.source.country),
        "is_accessible_for_free": is_free(text, cost.value if cost else ""),
        "event_status": status,
    }
    evidence = dict.fromkeys(("start", "end", "occurrences"), days[0][1]) | {
        "name": "heading",
        "description": "the first paragraph",
    }
    if status == "moved_online":
        fields["attendance_mode"] = "online"
        fields["virtual_url"] = next((view.absolute(link.href) for block in scope.blocks for link in block.links), "")
    else:
        put_place(view, scope, facts, defaults, fields)
    organizer = first(facts, "organizer")
    fields["organizer_name"] = (
        without_stop(organizer.value.split("\n")[0]) if organizer else defaults.organizer or _body_in(description)
    )
    _put_online(view, scope, fields)
    return view.draft("event", fields, evidence, "" if scope.whole else str(fields["start"])[:10])


def _body_in(description: str) -> str:
    """Return a council or association named as organiser in the description."""
    name = organisation_in(description[:300])
    if not name or VENUE_LIKE.search(name) or not BODY.match(name):
        return ""
    return "" if BENEFICIARY.search(description[: description.index(name)]) else name


def _same_kind_of_days(days: list[tuple[Dates, str]]) -> list[tuple[Dates, str]]:
    """Return the first range of days alone, else the single days like the first one, with or without a time."""
    if not days:
        return []
    if days[0][0].end is not None:
        return days[:1]
    return [each for each in days if each[0].end is None and (bool(each[0].times) == bool(days[0][0].times))]


def _short_description(description: str, whole: bool) -> str:
    """Cut the description of a short notice at the first sentence with a time."""
    if whole:
        return description
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-ZА-ЯÀ-Ý])", description)
    kept = sentences[:1]
    for sentence in sentences[1:]:
        if any(times.certain for times in find_times(sentence)):
            break
        kept.append(sentence)
    return " ".join(kept)


def _put_online(view: PageView, scope: Scope, fields: dict[str, Any]) -> None:
    if (
        scope.whole
        and ONLINE.search(f"{view.page.title} {scope.name} " + " ".join(block.text for block in scope.blocks[:6]))
        and not fields.get("address")
    ):
        fields["attendance_mode"] = "online"
        for block in scope.blocks:
            for link in block.links:
                if re.search(r"zoom|meet|teams|webex|jitsi|/j/|livestream", link.href, re.IGNORECASE):
                    fields["virtual_url"] = view.absolute(link.href)
                    return


def is_upcoming(view: PageView, dates: Dates) -> bool:
    return (dates.end or dates.start) >= view.source.fetched


def has_day(view: PageView, blocks: Sequence[Block]) -> bool:
    if not any(HAS_DIGIT.search(block.text) for block in blocks):
        return False
    return any(is_upcoming(view, each) for each, _ in days_of(join_short_blocks(blocks), facts_of(blocks), view.reader))


def join_short_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Join short neighbouring blocks, since a day and its month may be two elements."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.kind == joined[-1].kind == "text" and len(joined[-1].text) <= 3 and len(block.text) < 20:  # noqa: PLR2004
            joined[-1] = joined[-1]._replace(lines=(f"{joined[-1].text} {block.text}",))
        else:
            joined.append(block)
    return joined

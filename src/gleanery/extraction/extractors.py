"""All extractors in the order in which they are believed, and what they find together on a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gleanery.crawling.pages.page_reader import CALENDAR
from gleanery.extraction.calendars.icalendar import from_icalendar
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.plain.pages import from_plain_page
from gleanery.extraction.structured.json_ld import from_json_ld
from gleanery.extraction.structured.microdata import from_microdata
from gleanery.extraction.structured.open_graph import from_open_graph
from gleanery.extraction.structured.page import Page
from gleanery.extraction.structured.rdfa import from_rdfa
from gleanery.extraction.uniting import united, united_contacts
from gleanery.kinds import KINDS, REFERENCED

MOST_DRAFTS = 5_000
MOST_CONTACTS = 500

Extract = Callable[[Page], Extracted]


def from_calendar(page: Page) -> Extracted:
    """Calendars alone, whatever the server calls them; one that is quoted in a page is no calendar."""
    named = page.source.media_type.lower().startswith(CALENDAR)
    return (
        from_icalendar(page.source)
        if named or page.html.lstrip("\ufeff \r\n").startswith("BEGIN:VCAL")
        else Extracted()
    )


def from_words(page: Page) -> Extracted:
    return from_plain_page(page.source, page.tree) if page.is_html else Extracted()


# What pages say to machines, each form as good as the other; the first one to say something is believed.
STRUCTURED: tuple[Extract, ...] = (from_json_ld, from_microdata, from_rdfa, from_calendar)
# Believed only about what the others left out, or where they found nothing of that kind.
LAST_RESORTS: tuple[Extract, ...] = (from_open_graph, from_words)
EXTRACTORS: tuple[Extract, ...] = (*STRUCTURED, *LAST_RESORTS)
# Conditions stand in words even where names, days and places are told to machines; those are not looked for again.
IN_WORDS = frozenset(
    str.split(
        "description deadline eligibility amount_min amount_max currency cost opening_hours is_accessible_for_free "
        "legal_name official_id founding_date"
    )
)
# What a page is about; organisations and places stand on many pages that are about something else.
SUBJECTS = frozenset(KINDS.keys() - set(REFERENCED))


def extract(source: Source) -> Extracted:
    """One draft for each thing on the page. Never raises: an extractor that stumbles is a problem of the page."""
    page = Page(source)
    drafts: list[Draft] = []
    contacts: list[ContactDraft] = []
    problems: list[str] = []
    for extractor in EXTRACTORS:
        found = _tried(extractor, page, problems)
        told = [draft for draft in found.drafts if is_whole(draft)]
        if extractor in LAST_RESORTS:
            drafts = _completed(drafts, told, IN_WORDS if extractor is from_words else None)
        else:
            drafts = united(drafts, told, add=True)
        contacts = united_contacts(contacts, list(found.contacts))
        problems.extend(found.problems)
    if len(drafts) > MOST_DRAFTS:
        problems.append(f"The page tells of more than {MOST_DRAFTS:,} things; the others were left out.")
    return Extracted(
        drafts=_with_own_ids(drafts[:MOST_DRAFTS]),
        contacts=tuple(contacts[:MOST_CONTACTS]),
        problems=tuple(dict.fromkeys(problems)),
    )


def is_whole(draft: Draft) -> bool:
    """A thing has a name, an event a date too."""
    return bool(draft.fields.get("name")) and (draft.kind != "event" or bool(draft.fields.get("start")))


def _completed(drafts: list[Draft], more: list[Draft], fields: frozenset[str] | None) -> list[Draft]:
    """Where the page says to machines what it is about, its words only fill the gaps."""
    kinds = {draft.kind for draft in drafts}
    if kinds & SUBJECTS:
        return united(drafts, more, add=False, fields=fields)
    filled = united(drafts, [draft for draft in more if draft.kind in kinds], add=False, fields=fields)
    return united(filled, [draft for draft in more if draft.kind not in kinds], add=True, fields=fields)


def _tried(extractor: Extract, page: Page, problems: list[str]) -> Extracted:
    try:
        return extractor(page)
    except Exception as problem:
        problems.append(f"{extractor.__name__} gave up on this page ({type(problem).__name__}).")
        return Extracted()


def _with_own_ids(drafts: list[Draft]) -> tuple[Draft, ...]:
    """Two things of a page never share an id: the second gets its place among them added."""
    seen: dict[tuple[str, str], int] = {}
    result = []
    for draft in drafts:
        key = draft.kind, draft.external_id
        seen[key] = seen.get(key, 0) + 1
        again = seen[key] > 1
        result.append(replace(draft, external_id=f"{draft.external_id}~{seen[key]}") if again else draft)
    return tuple(result)

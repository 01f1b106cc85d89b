"""All extractors in the order in which they are believed, and what they find together on a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.icalendar import from_icalendar
from gleanery.extraction.json_ld import from_json_ld
from gleanery.extraction.microdata import from_microdata
from gleanery.extraction.open_graph import from_open_graph
from gleanery.extraction.page import Page
from gleanery.extraction.plain import from_plain_page
from gleanery.extraction.rdfa import from_rdfa
from gleanery.extraction.uniting import united, united_contacts

MOST_DRAFTS = 1_000
MOST_CONTACTS = 500

Extract = Callable[[Page], Extracted]


def from_words(page: Page) -> Extracted:
    return from_plain_page(page.source)


# What pages say to machines, each form as good as the other; the first one to say something is believed.
STRUCTURED: tuple[Extract, ...] = (from_json_ld, from_microdata, from_rdfa)
# Believed only about what the others left out, or where they found nothing of that kind.
LAST_RESORTS: tuple[Extract, ...] = (from_open_graph, from_words)
EXTRACTORS: tuple[Extract, ...] = (*STRUCTURED, *LAST_RESORTS)
# What a page is about; organisations and places stand on many pages that are about something else.
SUBJECTS = frozenset({"event", "funding", "service", "opportunity"})


def extract(source: Source) -> Extracted:
    """One draft for each thing on the page. Never raises: an extractor that stumbles is a problem of the page."""
    if source.media_type == "text/calendar":
        return from_icalendar(source)
    page = Page(source)
    drafts: list[Draft] = []
    contacts: list[ContactDraft] = []
    problems: list[str] = []
    for extractor in EXTRACTORS:
        found = _tried(extractor, page, problems)
        told = [draft for draft in found.drafts if is_whole(draft)]
        drafts = _completed(drafts, told) if extractor in LAST_RESORTS else united(drafts, told, add=True)
        contacts = united_contacts(contacts, list(found.contacts))
        problems.extend(found.problems)
    return Extracted(
        drafts=_with_own_ids(drafts[:MOST_DRAFTS]),
        contacts=tuple(contacts[:MOST_CONTACTS]),
        problems=tuple(dict.fromkeys(problems)),
    )


def is_whole(draft: Draft) -> bool:
    """A thing has a name, an event a date too."""
    return bool(draft.fields.get("name")) and (draft.kind != "event" or bool(draft.fields.get("start")))


def _completed(drafts: list[Draft], more: list[Draft]) -> list[Draft]:
    """Where the page says to machines what it is about, its words only fill the gaps."""
    kinds = {draft.kind for draft in drafts}
    if kinds & SUBJECTS:
        return united(drafts, more, add=False)
    known = [draft for draft in more if draft.kind in kinds]
    return united(united(drafts, known, add=False), [draft for draft in more if draft.kind not in kinds], add=True)


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

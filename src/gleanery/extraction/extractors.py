"""All extractors in order of precedence, and their combined result for a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gleanery.crawling.pages.page_reader import CALENDAR
from gleanery.extraction.calendars.icalendar import from_icalendar
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, PageSource
from gleanery.extraction.draft_merging import merge_contacts, merge_drafts
from gleanery.extraction.plain.plain_page import from_plain_page
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.json_ld import from_json_ld
from gleanery.extraction.structured.microdata import from_microdata
from gleanery.extraction.structured.open_graph import from_open_graph
from gleanery.extraction.structured.rdfa import from_rdfa
from gleanery.kinds import KINDS, REFERENCED

MOST_DRAFTS = 5_000
MOST_CONTACTS = 500

Extract = Callable[[HtmlPage], Extracted]


def from_calendar(page: HtmlPage) -> Extracted:
    """Read calendar files, whatever their media type. A calendar quoted in a web page is ignored."""
    named = page.source.media_type.lower().startswith(CALENDAR)
    return (
        from_icalendar(page.source)
        if named or page.html.lstrip("\ufeff \r\n").startswith("BEGIN:VCAL")
        else Extracted()
    )


def from_words(page: HtmlPage) -> Extracted:
    return from_plain_page(page.source, page.tree) if page.is_html else Extracted()


# Structured formats, equally reliable: the first one that gives a value wins.
STRUCTURED: tuple[Extract, ...] = (from_json_ld, from_microdata, from_rdfa, from_calendar)
# Used only for missing fields, or where the others found nothing of that kind.
LAST_RESORTS: tuple[Extract, ...] = (from_open_graph, from_words)
EXTRACTORS: tuple[Extract, ...] = (*STRUCTURED, *LAST_RESORTS)
# Often stated only in the text, even on pages whose structured data gives names, days and places.
IN_WORDS = frozenset(
    str.split(
        "description deadline eligibility amount_min amount_max currency cost opening_hours is_accessible_for_free "
        "legal_name official_id founding_date"
    )
)
# Kinds that a page is about; organisations and places also appear on pages about something else.
SUBJECTS = frozenset(KINDS.keys() - set(REFERENCED))


def extract(source: PageSource) -> Extracted:
    """Return one draft per thing on the page. Never raises: a failing extractor is reported in `problems`."""
    page = HtmlPage(source)
    drafts: list[Draft] = []
    contacts: list[ContactDraft] = []
    problems: list[str] = []
    for extractor in EXTRACTORS:
        found = _tried(extractor, page, problems)
        whole = [draft for draft in found.drafts if is_whole(draft)]
        if extractor in LAST_RESORTS:
            drafts = _completed(drafts, whole, IN_WORDS if extractor is from_words else None)
        else:
            drafts = merge_drafts(drafts, whole, add=True)
        contacts = merge_contacts(contacts, list(found.contacts))
        problems.extend(found.problems)
    if len(drafts) > MOST_DRAFTS:
        problems.append(f"The page describes more than {MOST_DRAFTS:,} things. The first {MOST_DRAFTS:,} were kept.")
    return Extracted(
        drafts=_with_own_ids(drafts[:MOST_DRAFTS]),
        contacts=tuple(contacts[:MOST_CONTACTS]),
        problems=tuple(dict.fromkeys(problems)),
    )


def is_whole(draft: Draft) -> bool:
    """Return True if the draft has a name and, for an event, a start."""
    return bool(draft.fields.get("name")) and (draft.kind != "event" or bool(draft.fields.get("start")))


def _completed(drafts: list[Draft], more: list[Draft], fields: frozenset[str] | None) -> list[Draft]:
    """Fill gaps from the text; add things from it only if structured data does not give the subject of the page."""
    kinds = {draft.kind for draft in drafts}
    if kinds & SUBJECTS:
        return merge_drafts(drafts, more, add=False, fields=fields)
    filled = merge_drafts(drafts, [draft for draft in more if draft.kind in kinds], add=False, fields=fields)
    return merge_drafts(filled, [draft for draft in more if draft.kind not in kinds], add=True, fields=fields)


def _tried(extractor: Extract, page: HtmlPage, problems: list[str]) -> Extracted:
    try:
        return extractor(page)
    except Exception as problem:
        problems.append(f"{extractor.__name__} failed on this page ({type(problem).__name__}).")
        return Extracted()


def _with_own_ids(drafts: list[Draft]) -> tuple[Draft, ...]:
    """Number repeated ids, so that no two things on a page share one."""
    counts: dict[tuple[str, str], int] = {}
    result = []
    for draft in drafts:
        key = draft.kind, draft.external_id
        counts[key] = counts.get(key, 0) + 1
        again = counts[key] > 1
        result.append(replace(draft, external_id=f"{draft.external_id}~{counts[key]}") if again else draft)
    return tuple(result)

"""Entry point of the extractor for pages without structured data."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from gleanery.extraction.draft import Draft, Extracted, PageSource
from gleanery.extraction.plain.contacts import contacts
from gleanery.extraction.plain.kinds.events import events
from gleanery.extraction.plain.kinds.funding import funding
from gleanery.extraction.plain.kinds.opportunities import opportunities
from gleanery.extraction.plain.kinds.places import places
from gleanery.extraction.plain.kinds.services import services
from gleanery.extraction.plain.structure.page_view import view_page
from gleanery.extraction.plain.structure.vetoes import veto_reason

MOST = 1_000
# Order matters: job pages also mention pay and deadlines, funding pages also mention dates, and so on.
RECOGNISERS = (opportunities, funding, events, services, places)


def from_plain_page(source: PageSource, tree: LexborHTMLParser) -> Extracted:
    """Return the drafts of the first recogniser that finds any, and contacts. `tree` is not changed."""
    if source.media_type.split(";")[0].strip() not in ("", "text/html", "application/xhtml+xml"):
        return Extracted()
    view = view_page(source, tree)
    if not view.page.blocks or veto_reason(view.page):
        return Extracted()
    found: list[Draft] = []
    for recognise in RECOGNISERS:
        found = recognise(view)
        if found:
            break
    drafts = _each_once(found)
    return Extracted(drafts=drafts, contacts=() if view.is_article else tuple(contacts(view, drafts)))


def _each_once(drafts: list[Draft]) -> tuple[Draft, ...]:
    once: dict[str, Draft] = {}
    for draft in drafts[:MOST]:
        once.setdefault(draft.external_id, draft)
    return tuple(once.values())

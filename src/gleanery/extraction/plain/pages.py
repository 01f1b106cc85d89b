"""Pages without markup for machines: what they tell is found by their words, labels and layout."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from gleanery.extraction.draft import Draft, Extracted, Source
from gleanery.extraction.plain.contacts import contacts
from gleanery.extraction.plain.events import events
from gleanery.extraction.plain.funding import funding
from gleanery.extraction.plain.opportunities import opportunities
from gleanery.extraction.plain.places import places
from gleanery.extraction.plain.services import services
from gleanery.extraction.plain.sight import see
from gleanery.extraction.plain.vetoes import veto

MOST = 1_000
# In this order: a page that offers work speaks of pay and deadlines too, one that offers money of dates, and so on.
RECOGNISERS = (opportunities, funding, events, services, places)


def from_plain_page(source: Source, tree: LexborHTMLParser) -> Extracted:
    """`tree` is the page as it was parsed for the other extractors; it is only looked at."""
    if source.media_type.split(";")[0].strip() not in ("", "text/html", "application/xhtml+xml"):
        return Extracted()
    sight = see(source, tree)
    if not sight.page.blocks or veto(sight.page):
        return Extracted()
    found: list[Draft] = []
    for recognise in RECOGNISERS:
        found = recognise(sight)
        if found:
            break
    drafts = _each_once(found)
    return Extracted(drafts=drafts, contacts=() if sight.is_article else tuple(contacts(sight, drafts)))


def _each_once(drafts: list[Draft]) -> tuple[Draft, ...]:
    once: dict[str, Draft] = {}
    for draft in drafts[:MOST]:
        once.setdefault(draft.external_id, draft)
    return tuple(once.values())

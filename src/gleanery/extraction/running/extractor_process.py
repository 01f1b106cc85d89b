"""Child process that extracts from pages for an Extractor."""

from __future__ import annotations

import zlib
from datetime import date
from typing import Any

from gleanery.crawling.pages.flattening import flattened
from gleanery.crawling.pages.page_reader import CALENDAR, LONGEST_PARSED, MANY_TAGS
from gleanery.crawling.pages.pdf import PDF, as_page
from gleanery.crawling.processes.child_process import packed, serve
from gleanery.domains.names import domain_of
from gleanery.extraction.draft import Extracted, PageSource
from gleanery.extraction.extractors import extract
from gleanery.net.charset import decoded
from gleanery.text import clean_json, clean_text

Message = tuple[Any, ...]
LONGEST_EVIDENCE = 500
LONGEST_ORIGINAL = 20_000  # characters; the page itself is stored anyway


def pack_request(raw: bytes, charset: str, source: PageSource, *, flat: bool) -> bytes:
    """Pack a request. `raw` is the stored snapshot, decoded only in the child process."""
    facts = (source.url, source.media_type, source.fetched.isoformat(), source.country, source.language)
    return packed((raw, charset, *facts, flat))


def handle_request(given: Message) -> Message:
    raw, charset, url, media_type, fetched, country, language, flat = given
    if media_type == PDF:
        text, media_type = as_page(zlib.decompress(raw)), "text/html"
    else:  # unpack no more than is parsed
        text, _ = decoded(zlib.decompressobj().decompress(raw, LONGEST_PARSED), charset or None)
    if media_type != CALENDAR and (flat or text.count("<") > MANY_TAGS):
        text = flattened(text)
    source = PageSource(
        html=text,
        url=url,
        media_type=media_type,
        fetched=date.fromisoformat(fetched),
        country=country,
        language=language,
    )
    return as_message(extract(source))


def as_message(found: Extracted) -> Message:
    """Return the result as plain values, cleaned and capped for the database."""
    drafts = [
        (
            each.kind,
            clean_text(each.external_id),
            clean_json(each.fields),
            {clean_text(name): clean_text(where, limit=LONGEST_EVIDENCE) for name, where in each.evidence.items()},
            each.extractor,
            _short(each.original),
        )
        for each in found.drafts
    ]
    contacts = [
        tuple(clean_text(part, limit=500) for part in (c.name, c.role, c.email, c.phone, c.address, c.evidence))
        for c in found.contacts
    ]
    return drafts, contacts, [clean_text(each, limit=500) for each in found.problems]


def _short(original: Any) -> Any:
    """Return the original data, or None if it is too large to store besides the page."""
    value = clean_json(original) if isinstance(original, dict | list | str | int | float | bool) else None
    return value if len(repr(value)) <= LONGEST_ORIGINAL else None


if __name__ == "__main__":
    domain_of("example.org")  # reads the list of public suffixes
    serve(handle_request)

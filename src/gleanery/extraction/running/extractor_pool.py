"""Pool of extractor processes, which are killed when a page takes too long."""

from __future__ import annotations

from typing import Any

from gleanery.crawling.pages.pdf import PDF
from gleanery.crawling.processes.child_pool import ChildLost, ChildPool
from gleanery.errors import Unreadable
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, PageSource
from gleanery.extraction.running.extractor_process import pack_request

# Raise this when extractors change their results: every stored page is then extracted again.
EXTRACTOR_VERSION = 3

CONTACT = ("name", "role", "email", "phone", "address", "evidence")


class Extractor(ChildPool):
    """Use as `async with Extractor() as extractor: found = await extractor.extract(raw, charset, source)`."""

    module = "gleanery.extraction.running.extractor_process"

    async def extract(self, raw: bytes, charset: str, source: PageSource) -> Extracted:
        """Extract from one page, retrying with flattened nesting. Raises Unreadable if both take too long."""
        try:
            return from_message(*await self.ask(pack_request(raw, charset, source, flat=False)))
        except ChildLost as problem:
            if source.media_type == PDF:  # nothing to flatten
                raise Unreadable(str(problem)) from None
        try:
            return from_message(*await self.ask(pack_request(raw, charset, source, flat=True)))
        except ChildLost as problem:
            raise Unreadable(str(problem)) from None


def from_message(drafts: list[Any], contacts: list[Any], problems: list[str]) -> Extracted:
    return Extracted(
        drafts=tuple(
            Draft(kind=kind, external_id=key, fields=fields, evidence=evidence, extractor=by, original=original)
            for kind, key, fields, evidence, by, original in drafts
        ),
        contacts=tuple(ContactDraft(**dict(zip(CONTACT, each, strict=True))) for each in contacts),
        problems=tuple(problems),
    )

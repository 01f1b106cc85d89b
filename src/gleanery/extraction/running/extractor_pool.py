"""Extracts from pages in child processes, which are killed when a page takes them too long."""

from __future__ import annotations

from typing import Any

from gleanery.crawling.pages.pdf import PDF
from gleanery.crawling.processes.child_pool import Children, Lost
from gleanery.errors import Unreadable
from gleanery.extraction.draft import ContactDraft, Draft, Extracted, Source
from gleanery.extraction.running.extractor_process import request

# Raised whenever the extractors give something else for the same page: then every stored page is read once more.
EXTRACTOR_VERSION = 3

CONTACT = ("name", "role", "email", "phone", "address", "evidence")


class Extractor(Children):
    """Use as `async with Extractor() as extractor: found = await extractor.extract(raw, charset, source)`."""

    module = "gleanery.extraction.running.extractor_process"

    async def extract(self, raw: bytes, charset: str, source: Source) -> Extracted:
        """Unreadable if it takes too long, also with its nesting flattened."""
        try:
            return extracted(*await self.ask(request(raw, charset, source, flat=False)))
        except Lost as problem:
            if source.media_type == PDF:  # it has no nesting that could be flattened
                raise Unreadable(str(problem)) from None
        try:
            return extracted(*await self.ask(request(raw, charset, source, flat=True)))
        except Lost as problem:
            raise Unreadable(str(problem)) from None


def extracted(drafts: list[Any], contacts: list[Any], problems: list[str]) -> Extracted:
    return Extracted(
        drafts=tuple(
            Draft(kind=kind, external_id=key, fields=fields, evidence=evidence, extractor=by, original=original)
            for kind, key, fields, evidence, by, original in drafts
        ),
        contacts=tuple(ContactDraft(**dict(zip(CONTACT, each, strict=True))) for each in contacts),
        problems=tuple(problems),
    )

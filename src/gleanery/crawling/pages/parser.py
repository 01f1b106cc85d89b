"""Parses pages in child processes, which are killed and replaced when a page takes too much time or memory."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import replace

from gleanery.crawling.pages.page_reader import COMPRESSION, LONGEST_PARSED, Document, ParsedPage
from gleanery.crawling.pages.parser_process import FIELDS, request
from gleanery.crawling.pages.pdf import PDF
from gleanery.crawling.processes.child_pool import ChildLost, ChildPool
from gleanery.errors import Unreadable


class Parser(ChildPool):
    """Use as `async with Parser() as parser: reading = await parser.read(document)`."""

    module = "gleanery.crawling.pages.parser_process"

    async def read(self, document: Document) -> ParsedPage:
        """Parse a page; raise Unreadable if that fails even with flattened nesting.

        Only the part that is parsed is sent to the child, so a large page is not copied several times. PDFs are sent
        whole, since they are read from the end.
        """
        if len(document.body) <= LONGEST_PARSED or document.media_type.lower() == PDF:
            return await self._read_twice(document)
        reading = await self._read_twice(replace(document, body=document.body[:LONGEST_PARSED]))
        return replace(reading, raw=await asyncio.to_thread(zlib.compress, document.body, COMPRESSION))

    async def _read_twice(self, document: Document) -> ParsedPage:
        try:
            return await self._read(document, flat=False)
        except ChildLost as problem:
            if document.media_type.lower() == PDF:  # it has no nesting to flatten
                raise Unreadable(str(problem)) from None
        try:
            return await self._read(document, flat=True)
        except ChildLost as problem:
            raise Unreadable(str(problem)) from None

    async def _read(self, document: Document, *, flat: bool) -> ParsedPage:
        values = await self.ask(request(document, flat=flat))
        return ParsedPage(**dict(zip(FIELDS, values, strict=True)))

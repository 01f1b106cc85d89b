"""Reads pages in child processes, which are killed and replaced when a page takes them too long or too much memory."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import replace

from gleanery.crawling.pages.page_reader import COMPRESSION, LONGEST_PARSED, Document, Reading
from gleanery.crawling.pages.parser_process import FIELDS, request
from gleanery.crawling.pages.pdf import PDF
from gleanery.crawling.processes.child_pool import Children, Lost
from gleanery.errors import Unreadable


class Parser(Children):
    """Use as `async with Parser() as parser: reading = await parser.read(document)`."""

    module = "gleanery.crawling.pages.parser_process"

    async def read(self, document: Document) -> Reading:
        """Unreadable if it cannot be read, not even with its nesting flattened.

        Only what is parsed travels to the child: a large page is in memory once, not four times. A PDF begins at its
        end, so it travels whole.
        """
        if len(document.body) <= LONGEST_PARSED or document.media_type.lower() == PDF:
            return await self._read_twice(document)
        reading = await self._read_twice(replace(document, body=document.body[:LONGEST_PARSED]))
        return replace(reading, raw=await asyncio.to_thread(zlib.compress, document.body, COMPRESSION))

    async def _read_twice(self, document: Document) -> Reading:
        try:
            return await self._read(document, flat=False)
        except Lost as problem:
            if document.media_type.lower() == PDF:  # it has no nesting that could be flattened
                raise Unreadable(str(problem)) from None
        try:
            return await self._read(document, flat=True)
        except Lost as problem:
            raise Unreadable(str(problem)) from None

    async def _read(self, document: Document, *, flat: bool) -> Reading:
        values = await self.ask(request(document, flat=flat))
        return Reading(**dict(zip(FIELDS, values, strict=True)))

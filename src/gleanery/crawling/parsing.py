"""Reads pages in child processes, which are killed and replaced when a page takes them too long or too much memory."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import replace

from gleanery.crawling.children import Children, Lost
from gleanery.crawling.parsing_child import FIELDS, request
from gleanery.crawling.reading import COMPRESSION, LONGEST_PARSED, Document, Reading
from gleanery.errors import Unreadable


class Parser(Children):
    """Use as `async with Parser() as parser: reading = await parser.read(document)`."""

    module = "gleanery.crawling.parsing_child"

    async def read(self, document: Document) -> Reading:
        """Unreadable if it cannot be read, not even with its nesting flattened.

        Only what is parsed travels to the child: a large page is in memory once, not four times.
        """
        if len(document.body) <= LONGEST_PARSED:
            return await self._read_twice(document)
        reading = await self._read_twice(replace(document, body=document.body[:LONGEST_PARSED]))
        return replace(reading, raw=await asyncio.to_thread(zlib.compress, document.body, COMPRESSION))

    async def _read_twice(self, document: Document) -> Reading:
        try:
            return await self._read(document, flat=False)
        except Lost:
            pass
        try:
            return await self._read(document, flat=True)
        except Lost as problem:
            raise Unreadable(str(problem)) from None

    async def _read(self, document: Document, *, flat: bool) -> Reading:
        values = await self.ask(request(document, flat=flat))
        return Reading(**dict(zip(FIELDS, values, strict=True)))

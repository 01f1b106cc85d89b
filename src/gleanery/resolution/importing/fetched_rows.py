"""Rows of what a platform answered at an address, for an import of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gleanery.extraction.draft import Draft
from gleanery.resolution.importing.files import BadRow, Row

_NUMBERED = re.compile(r"Event ([0-9]{1,6}) (.*)", re.DOTALL)


def rows_of(drafts: Sequence[Draft], problems: Sequence[str]) -> Iterator[Row | BadRow]:
    """Its events in their order, and a refusal for each that could not be read; what concerns all is line 0."""
    for number, draft in enumerate(drafts, 1):
        yield Row(number, draft.kind, draft.external_id, draft.fields, draft.original, draft.extractor)
    for problem in problems:
        told = _NUMBERED.fullmatch(problem)
        yield BadRow(int(told[1]), f"It {told[2]}") if told else BadRow(0, problem)

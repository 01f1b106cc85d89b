"""Import rows made from the answer of a platform. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gleanery.extraction.draft import Draft
from gleanery.resolution.importing.files import BadRow, Row

_NUMBERED = re.compile(r"Event ([0-9]{1,6}) (.*)", re.DOTALL)


def rows_of(drafts: Sequence[Draft], problems: Sequence[str]) -> Iterator[Row | BadRow]:
    """Yield its events in order, and a refusal for each that could not be read; line 0 concerns all of them."""
    for number, draft in enumerate(drafts, 1):
        yield Row(number, draft.kind, draft.external_id, draft.fields, draft.original, draft.extractor)
    for problem in problems:
        numbered = _NUMBERED.fullmatch(problem)
        yield BadRow(int(numbered[1]), f"It {numbered[2]}") if numbered else BadRow(0, problem)

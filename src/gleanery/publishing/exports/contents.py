"""The contents of an export: the published records of a search, streamed kind by kind in batches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from gleanery.kinds import KINDS, REFERENCED
from gleanery.publishing.exports import statements
from gleanery.publishing.exports.occurrences import united
from gleanery.publishing.exports.provenance import Provenance
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.positions import located
from gleanery.publishing.search.statements import conditions
from gleanery.publishing.showing.reading import STAFF_ONLY, Published
from gleanery.publishing.showing.reading_many import published_many
from gleanery.resolution.intake.storage import loaded
from gleanery.sql import array, rows

A_BATCH = 1_000
EVERY_DATE = 1_000_000
# What others name comes first, so that an import of the file knows it when it is named.
ORDER: Final = (*REFERENCED, *(kind for kind in KINDS if kind not in REFERENCED))
HIDDEN: Final = ["name", *sorted(STAFF_ONLY)]  # the name is written before the other fields


class Row(NamedTuple):
    """A record as one JSON object; phones and e-mail addresses are not in it."""

    id: str
    kind: str
    text: str

    def fields(self) -> dict[str, Any]:
        return json.loads(self.text)  # type: ignore[no-any-return]


@dataclass(slots=True)
class Contents:
    """Records of one snapshot; `advance` is called with the number of records after each batch."""

    filters: Filters
    today: date
    root: str  # address of the public site
    made_at: datetime
    with_past: bool = True
    with_sources: bool = False
    advance: Callable[[int], None] = lambda count: None
    counts: Counter[str] = field(default_factory=Counter)

    def kinds(self, known: frozenset[str]) -> list[str]:
        """The kinds that are asked for, of those that a format can hold."""
        return [kind for kind in ORDER if kind in known and self.filters.kind in ("", kind)]

    def total(self, kind: str) -> int:
        where, values = self._conditions()
        ((count,),) = rows(statements.COUNT.format(where=where), **values, of_kind=kind)
        return int(count)

    def rows(self, kind: str) -> Iterator[Row]:
        for batch in self._stream(statements.RECORDS, kind, hidden=HIDDEN):
            wider = _wider([row_id for row_id, *_, is_wider in batch if is_wider])
            sources = Provenance.of([row[0] for row in batch]) if self.with_sources else None
            for row_id, _, written, _ in batch:
                text = _with_occurrences(written, wider[row_id]) if row_id in wider else written
                yield Row(row_id, kind, sources.added(row_id, text) if sources else text)

    def published(self, kind: str) -> Iterator[Published]:
        """The same records with all that their pages show, for formats that are written from those."""
        for batch in self._stream(statements.IDS, kind):
            yield from published_many([record for (record,) in batch], EVERY_DATE)

    def _stream(self, statement: str, kind: str, **more: Any) -> Iterator[list[tuple[Any, ...]]]:
        """A cursor of the server: memory does not grow with the number of records."""
        where, values = self._conditions()
        with connection.chunked_cursor() as cursor:
            cursor.execute(statement.format(where=where), {**values, **more, "of_kind": kind})
            while batch := cursor.fetchmany(A_BATCH):
                yield batch
                self.counts[kind] += len(batch)
                self.advance(len(batch))

    def _conditions(self) -> tuple[str, dict[str, Any]]:
        return conditions(located(replace(self.filters, past=self.with_past)), self.today)


def _wider(ids: list[str]) -> dict[str, list[dict[str, str]]]:
    """All dates of those records whose sources name different ones."""
    if not ids:
        return {}
    said: dict[str, list[dict[str, Any]]] = {}
    for record, *_, payload in rows(statements.SAID, ids=array(ids)):
        said.setdefault(record, []).append(loaded(payload))
    countries = dict(rows(statements.COUNTRIES, ids=array(ids)))
    return {record: united(payloads, countries[record] or "") for record, payloads in said.items()}


def _with_occurrences(text: str, occurrences: list[dict[str, str]]) -> str:
    return json.dumps(json.loads(text) | {"occurrences": occurrences}, ensure_ascii=False)

"""Text of warnings as shown, with the current names of other records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from gleanery.matching.trigrams import similarity
from gleanery.resolution.models import Record
from gleanery.resolution.records import duplicate_sentences
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row


def name_now(items: Iterable[Item]) -> None:
    """Add current names, sentences and name similarity to the warnings of these items, with one query."""
    warnings = {
        item: [row for row in item.warnings.all() if duplicate_sentences.others(row.detail)]
        for item in items
        if item.record
    }
    wanted = {
        each
        for rows in warnings.values()
        for row in rows
        for each in duplicate_sentences.others(row.detail)
        if is_id(each)
    }
    names = {str(key): name for key, name in Record.objects.filter(pk__in=wanted).values_list("pk", "name")}
    for item, rows in warnings.items():
        sentences = duplicate_sentences.sentences([row.detail for row in rows], names)
        for row, sentence in zip(rows, sentences, strict=True):
            row.sentence, row.detail = sentence, _detail(row, str(item), names)


def is_id(text: Any) -> bool:
    try:
        return bool(UUID(str(text)))
    except ValueError:
        return False


def _detail(row: Row, name: str, names: duplicate_sentences.Names) -> dict[str, Any]:
    called = [names.get(each, "") for each in duplicate_sentences.others(row.detail)]
    if len(called) > 1:
        return {**row.detail, "names": called}
    return {**row.detail, "candidate_name": called[0], "similarity_score": round(similarity(name, called[0]), 2)}

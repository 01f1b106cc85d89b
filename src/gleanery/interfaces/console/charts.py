"""Charts of the dashboard, as data for Chart.js."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from gleanery import words
from gleanery.judging import numbers

GREEN = "#468655"


def of_quality() -> dict[str, Any]:
    """Return the charts of judging, each with its figures as a table for screen readers."""
    found = numbers.quality()
    tenths = [f"{tenth / 10:.1f}" for tenth in range(10)]
    statuses = [words.of(code) for code, _ in found.statuses]
    return {
        "charts": [
            _chart("Domains by status", statuses, [count for _, count in found.statuses]),
            _chart("Confidence of candidates", tenths, found.histogram),
            _chart("Good domains by provider", *_columns(found.providers, "provider", words.of)),
            _chart("Good domains by query", *_columns(found.queries, "query")),
        ],
        "best": found.best,
    }


def _columns(rows: list[dict[str, Any]], name: str, label: Callable[[str], str] = str) -> tuple[list[str], list[int]]:
    return [label(row[name]) for row in rows], [row["good"] for row in rows]


def _chart(title: str, labels: Sequence[str], values: Sequence[int]) -> dict[str, Any]:
    data = {"labels": list(labels), "datasets": [{"label": title, "data": list(values), "backgroundColor": GREEN}]}
    return {"title": title, "data": json.dumps(data), "rows": list(zip(labels, values, strict=True))}

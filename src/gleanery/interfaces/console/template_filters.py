"""Template filters for codes and times: `{{ record.status|words }}`, `{{ event.start|moment }}`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.template import Library
from django.utils.dateformat import format as formatted

from gleanery.words import of

register = Library()


@register.filter
def words(code: Any) -> str:
    return of(str(code))


@register.filter
def moment(value: Any) -> str:
    """Return "Fri 18 Dec 2026, 19:30" in the source's own time, or the text unchanged if it is not a date."""
    text = str(value)
    try:
        day = date.fromisoformat(text[:10])
        at = datetime.fromisoformat(text) if "T" in text else None
    except ValueError:
        return text
    zone = " UTC" if at and text.endswith(("Z", "+00:00")) else ""
    return formatted(day, "D j M Y") + (f", {at:%H:%M}{zone}" if at else "")

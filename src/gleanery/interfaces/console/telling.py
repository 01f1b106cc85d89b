"""How templates tell codes: `{{ record.status|words }}`."""

from __future__ import annotations

from typing import Any

from django.template import Library

from gleanery.words import of

register = Library()


@register.filter
def words(code: Any) -> str:
    return of(str(code))

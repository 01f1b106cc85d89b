"""Queries of a topic: templates expanded in a fixed order, capped, without doubles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from string import Formatter

from gleanery.errors import Invalid
from gleanery.text import clean_text

LONGEST_QUERY = 500
SLOTS = {"place", "theme"}


def expand(templates: Sequence[str], places: Sequence[str], themes: Sequence[str], most: int) -> tuple[str, ...]:
    """Template by template, place by place, theme by theme; a template whose slot has no words gives nothing."""
    every = dict.fromkeys(query for template in templates for query in _filled(template, places, themes) if query)
    return tuple(islice(every, most))


def _filled(template: str, places: Sequence[str], themes: Sequence[str]) -> Iterator[str]:
    slots = slots_of(template)
    for place in places if "place" in slots else [""]:
        for theme in themes if "theme" in slots else [""]:
            yield clean_text(template.format(place=place, theme=theme), limit=LONGEST_QUERY)


def slots_of(template: str) -> set[str]:
    """The slots of a template; anything but {place} and {theme} is refused when the template is written."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        raise Invalid(f"{template!r} has a brace too many or too few.") from None
    found = {name + (form or "") + (kind or "") for _, name, form, kind in parts if name is not None}
    if found - SLOTS:
        raise Invalid(f"{template!r} asks for {sorted(found - SLOTS)[0]!r}: only {{place}} and {{theme}} are known.")
    return found

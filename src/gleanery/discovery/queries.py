"""Expands the query templates of a topic into unique queries, in a fixed order, up to a limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from string import Formatter

from gleanery.errors import Invalid
from gleanery.text import clean_text

LONGEST_QUERY = 500
SLOTS = {"place", "theme"}


def expand(templates: Sequence[str], places: Sequence[str], themes: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the queries, by template, place and theme; a template with a slot but no words for it gives none."""
    every = dict.fromkeys(query for template in templates for query in _filled(template, places, themes) if query)
    return tuple(islice(every, most))


def _filled(template: str, places: Sequence[str], themes: Sequence[str]) -> Iterator[str]:
    slots = slots_of(template)
    for place in places if "place" in slots else [""]:
        for theme in themes if "theme" in slots else [""]:
            yield clean_text(template.format(place=place, theme=theme), limit=LONGEST_QUERY)


def slots_of(template: str) -> set[str]:
    """Return the slots of a template; raise Invalid for any but {place} and {theme}."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        raise Invalid(f"{template!r} has unbalanced braces.") from None
    found = {name + (form or "") + (kind or "") for _, name, form, kind in parts if name is not None}
    if found - SLOTS:
        raise Invalid(f"{template!r} uses {sorted(found - SLOTS)[0]!r}; only {{place}} and {{theme}} are possible.")
    return found

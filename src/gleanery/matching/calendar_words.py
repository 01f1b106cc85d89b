"""Names of months and weekdays from CLDR: in the title of an event they say when it is, not what it is. Pure."""

from __future__ import annotations

from functools import cache

from babel import Locale

from gleanery.matching.spelling import latin

LANGUAGES = ("en", "bg", "de", "fr", "es", "it", "pt", "nl", "pl", "ro", "el", "cs", "hu", "tr", "ru", "uk", "sr")
WIDTHS = ("wide", "abbreviated")
SHORTEST = 3  # letters: shorter abbreviations clash with other words


@cache
def calendar_words() -> frozenset[str]:
    """Return the names in Latin letters, in both their stand-alone and in-date forms."""
    found: set[str] = set()
    for language in LANGUAGES:
        locale = Locale(language)
        for names in (locale.months, locale.days):
            for form in ("format", "stand-alone"):
                for width in WIDTHS:
                    found.update(word for name in names[form][width].values() for word in latin(name))
    return frozenset(word for word in found if len(word) >= SHORTEST)

"""Guesses the country of a site from its domain name, to read phone numbers and dates. Pure."""

from __future__ import annotations

# Country endings that anybody registers because of how they sound.
FOR_ANYBODY = frozenset(
    str.split("ac ag ai am bz cc cd co eu fm gg gl ht im io la ly me mn ms mu nu pw sc sh su tk to tv vc vu ws")
)
ENDINGS = {"uk": "GB", "xn--90ae": "BG", "xn--qxam": "GR", "xn--p1ai": "RU", "xn--90a3ac": "RS", "xn--j1amh": "UA"}
LETTERS = 2


def country_of(name: str, otherwise: str = "") -> str:
    """Return the country code for the ending of a domain name, or `otherwise` (the country of the topic)."""
    ending = name.rpartition(".")[2]
    if ending in ENDINGS:
        return ENDINGS[ending]
    if len(ending) == LETTERS and ending.isalpha() and ending not in FOR_ANYBODY:
        return ending.upper()
    return otherwise.upper()

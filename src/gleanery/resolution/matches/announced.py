"""What portals and newsletters add to the name of a call: how much there is, and that it is open for longer. Pure."""

from __future__ import annotations

import re
from datetime import date

from gleanery.extraction.values.amounts import find_amounts

_NEWS = re.compile(
    r"(?:\b(?:grants?|funding|грантове|безвъзмездно|zuschüsse|subventions?)\s+)?"
    r"(?:\b(?:up to|до|bis zu|jusqu['’]à|hasta|fino a|do|tot|până la)\s+)?"
    r"(?:[€£$]\s?\d[\d .,]*k?|\d[\d .,]*\s?(?:€|£|\$|EUR\b|BGN\b|GBP\b|USD\b|euros?\b|лв\b\.?|лева\b|евро\b))"
    r"|\b(?:deadline extended|extended deadline|удължен срок|нов срок|frist verlängert|verlängerte frist|délai prolongé"
    r"|date limite prolongée|plazo ampliado|scadenza prorogata|apply now(?: for)?|now open|jetzt bewerben)\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"\([\s–:|-]*\)")
_DIGIT = re.compile(r"\d")
_YEARS = re.compile(r"(?<![\d/–-])20\d\d(?![\d/–-])")  # not 2025/26, which is either


def unannounced(text: str) -> str:
    """The name alone; all of it, where nothing else is left."""
    return _EMPTY.sub(" ", _NEWS.sub(" ", text)).strip(" –-|:") or text


def amount_in(text: str) -> tuple[float | None, str]:
    """The one sum that a name tells, and its currency."""
    found = find_amounts(text) if _DIGIT.search(text) else []
    return ((found[0].most or found[0].least), found[0].currency) if len(found) == 1 else (None, "")


def year_of(told: float | None, called: str, closes: date | None) -> int | None:
    """As it is told, else the one year in its name, else that in which it closes.

    What closes years before the one in its name is called after some other year, as Vision 2030 is.
    """
    if told:
        return int(told) if 0 < told <= date.max.year else None
    found = set(_YEARS.findall(called))
    year = int(found.pop()) if len(found) == 1 else None
    if closes and (year is None or year - closes.year not in (0, 1)):
        return closes.year
    return year

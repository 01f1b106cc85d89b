"""What portals and newsletters add to the name of a call: how much there is, and that it is open for longer. Pure."""

from __future__ import annotations

import re

_NEWS = re.compile(
    r"(?:\b(?:grants?|funding|грантове|безвъзмездно|zuschüsse|subventions?)\s+)?"
    r"(?:\b(?:up to|до|bis zu|jusqu['’]à|hasta|fino a|do|tot|până la)\s+)?"
    r"(?:[€£$]\s?\d[\d .,]*k?|\d[\d .,]*\s?(?:€|£|\$|EUR\b|BGN\b|GBP\b|USD\b|euros?\b|лв\b\.?|лева\b|евро\b))"
    r"|\b(?:deadline extended|extended deadline|удължен срок|нов срок|frist verlängert|verlängerte frist|délai prolongé"
    r"|date limite prolongée|plazo ampliado|scadenza prorogata|apply now(?: for)?|now open|jetzt bewerben)\b",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?<![\d/–-])20\d\d(?![\d/–-])")  # not 2025/26, which is either


def unannounced(text: str) -> str:
    """The name alone; all of it, where nothing else is left."""
    return _NEWS.sub(" ", text).strip(" –-|:()") or text


def year_in(text: str) -> int | None:
    """The year that a name tells, if it is one."""
    found = set(_YEARS.findall(text))
    return int(found.pop()) if len(found) == 1 else None

"""What extractors are given and what they give: pure values, the same for every form of page."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page as an extractor sees it. `country` is a guess from the site (ISO code), empty if there is none."""

    html: str
    url: str
    media_type: str
    fetched: date
    country: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One thing that a page tells of. Fields it does not state are missing, never empty or guessed.

    `evidence` says for each field where on the page it stood. `external_id` is the page's own where it has one, else
    made from what does not change between visits: the same page gives the same ids.
    """

    kind: str
    external_id: str
    fields: dict[str, Any]
    evidence: dict[str, str]
    extractor: str
    original: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactDraft:
    """Somebody to write to or to call, for staff eyes only."""

    name: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    address: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    drafts: tuple[Draft, ...] = ()
    contacts: tuple[ContactDraft, ...] = ()
    problems: tuple[str, ...] = field(default=())

"""Input and output of extractors: plain values, the same for every page format."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """A page as extractors receive it. `country` is an ISO code guessed from the site, or empty."""

    html: str
    url: str
    media_type: str
    fetched: date
    country: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One thing described on a page. Fields that the page does not state are missing, never empty or guessed.

    `evidence` says where on the page each field was found. `external_id` is the id given by the page, or one generated
    from stable values, so that the same page always gives the same ids.
    """

    kind: str
    external_id: str
    fields: dict[str, Any]
    evidence: dict[str, str]
    extractor: str
    original: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactDraft:
    """A person or office to write to or call; for staff only."""

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

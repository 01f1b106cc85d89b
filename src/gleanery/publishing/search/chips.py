"""Filters as people read them: those that are set, each with a way to take it off, and a few to set at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from gleanery.publishing.search.filters import PERIODS, Filters
from gleanery.publishing.search.positions import read_pair
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.showing.moments import told_day


class Chip(NamedTuple):
    words: str | Promise
    address: str


def chips(filters: Filters, topics: Mapping[str, str]) -> list[Chip]:
    return [
        Chip(words, filters.address(**without))
        for describe, without in CHIPS
        if (words := describe(filters)) is not None
    ] + _topic(filters, topics)


def offers(filters: Filters) -> list[Chip]:
    """Return the periods and the yes-or-no filters that are not set, each with the address of the search with it."""
    periods = [
        Chip(words, filters.address(when=code, first=None, last=None))
        for code, (words, _) in PERIODS.items()
        if code != filters.when
    ]
    return periods + [
        Chip(words(), filters.address(**{field: value}))
        for field, value, words in FLAGS
        if getattr(filters, field) in (None, False) and getattr(filters, field) is not value
    ]


def _topic(filters: Filters, topics: Mapping[str, str]) -> list[Chip]:
    return [Chip(topics.get(filters.topic, filters.topic), filters.address(topic=""))] if filters.topic else []


def language_name(code: str) -> str:
    """In the language of the page, for the languages that Django knows."""
    try:
        return str(get_language_info(code)["name_translated"]).capitalize()
    except KeyError:
        return code


def near_words(filters: Filters) -> str:
    """Return "within 10 km of Sofia"."""
    place = _("the place that you chose") if read_pair(filters.near) else filters.near
    return _("within %(km)s km of %(place)s") % {"km": filters.within, "place": place}


def _days(filters: Filters) -> str | None:
    first, last = (told_day(each) if each else "" for each in (filters.first, filters.last))
    if first and last:
        return first if first == last else f"{first} – {last}"
    return _("from %(day)s") % {"day": first} if first else _("until %(day)s") % {"day": last} if last else None


def _deadline(filters: Filters) -> str | None:
    return _("closes by %(day)s") % {"day": told_day(filters.deadline)} if filters.deadline else None


def _cancelled(filters: Filters) -> str | None:
    if filters.cancelled is None:
        return None
    return _("Cancelled") if filters.cancelled else _("Not cancelled")


Describe = Callable[[Filters], "str | Promise | None"]
CHIPS: Final[tuple[tuple[Describe, Mapping[str, Any]], ...]] = (
    (lambda f: f"“{f.q}”" if f.q else None, {"q": ""}),
    (lambda f: KIND_WORDS[f.kind].many if f.kind else None, {"kind": ""}),
    (lambda f: PERIODS[f.when][0] if f.when else None, {"when": ""}),
    (_days, {"first": None, "last": None}),
    (_deadline, {"deadline": None}),
    (lambda f: f.place or None, {"place": ""}),
    (lambda f: near_words(f) if f.near else None, {"near": ""}),
    (lambda f: language_name(f.language) if f.language else None, {"language": ""}),
    (lambda f: f.source or None, {"source": ""}),
    (lambda f: _("Free") if f.free else None, {"free": False}),
    (lambda f: _("Wheelchair access") if f.accessible else None, {"accessible": False}),
    (lambda f: _("Online") if f.online else None, {"online": False}),
    (_cancelled, {"cancelled": None}),
)
FLAGS: Final[tuple[tuple[str, bool, Callable[[], str]], ...]] = (
    ("free", True, lambda: _("Free")),
    ("accessible", True, lambda: _("Wheelchair access")),
    ("online", True, lambda: _("Online")),
    ("cancelled", False, lambda: _("Not cancelled")),
)

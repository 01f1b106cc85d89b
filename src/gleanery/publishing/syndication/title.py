"""The title of a search, as feeds and e-mails name it: "Events · Sofia · This week". Pure but for the language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from gleanery.publishing.search.chips import language_name, near_words
from gleanery.publishing.search.filters import PERIODS, Filters
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.showing.moments import told_day

LONGEST = 120


def title_of(filters: Filters) -> str:
    """Return what the search narrows to; "Everything" for one that narrows nothing."""
    parts = (
        str(KIND_WORDS[filters.kind].many) if filters.kind else "",
        f"“{filters.q}”" if filters.q else "",
        filters.place,
        str(PERIODS[filters.when][0]) if filters.when else _days(filters),
        f"{_('Closes by')} {told_day(filters.deadline)}" if filters.deadline else "",
        _("Free") if filters.free else "",
        _("Online") if filters.online else "",
        _("Wheelchair access") if filters.accessible else "",
        near_words(filters) if filters.near else "",
        filters.topic,
        language_name(filters.language) if filters.language else "",
        filters.source,
    )
    title = " · ".join(filter(None, parts)) or _("Everything")
    return title if len(title) <= LONGEST else title[: LONGEST - 1] + "…"


def _days(filters: Filters) -> str:
    if filters.first is None and filters.last is None:
        return ""
    return " – ".join(told_day(day) if day else "" for day in (filters.first, filters.last)).strip()

"""Days and times as visitors read them: on the clock of the place, which is named. Pure but for language and zone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from gleanery.extraction.values import clock
from gleanery.extraction.values.countries import country_code, zone_of
from gleanery.resolution.records.projection import spans_of

DAY = "D j M Y"
NEAR = 14
CAPITAL_DAYS = ("en", "de")
UTC_ENDINGS = ("Z", "+00:00")


class There(NamedTuple):
    """A moment on the clock of the place. Without a `wall` only the day is known; `exact` is the instant, if known."""

    day: date
    wall: time | None
    exact: datetime | None
    zone: str  # the name of the zone, UTC, or nothing for a clock that is only known to be the local one


def there(text: Any, country: str) -> There | None:
    moment = clock.read(text, country) if isinstance(text, str) else None
    if moment is None:
        return None
    zone = zone_of(country_code(country)) if country else None
    if zone is not None and moment.exact is not None:
        local = moment.exact.astimezone(zone)
        return There(local.date(), local.time(), moment.exact, str(zone))
    if moment.exact is not None and text.endswith(UTC_ENDINGS):
        return _on_the_clock_of_the_site(moment.exact)
    return There(moment.day, moment.wall, moment.exact, "")


def _on_the_clock_of_the_site(instant: datetime) -> There:
    """Nobody lives by UTC: where the place's own zone is unknown, that of the site is the likeliest."""
    local = timezone.localtime(instant)
    return There(local.date(), local.time(), instant, timezone.get_current_timezone_name())


class Clocks:
    """The moments that sources tell of, found again by the instants which the table of occurrences keeps."""

    def __init__(self, said: Iterable[Mapping[str, Any]], country: str) -> None:
        self._known: dict[datetime, There] = {}
        for payload in said:
            for span in spans_of(payload):
                for text in filter(None, span):
                    self._keep(text, country)

    def _keep(self, text: str, country: str) -> None:
        """The clearest counts: an instant, then a time, then a day."""
        moment, read = there(text, country), clock.read(text, country)
        if moment is None or read is None:
            return
        known = self._known.get(at := clock.instant(read))
        if known is None or _clearness(moment) > _clearness(known):
            self._known[at] = moment

    def at(self, instant: datetime) -> There:
        return self._known.get(instant.astimezone(UTC)) or _on_the_clock_of_the_site(instant)


def _clearness(moment: There) -> tuple[bool, bool]:
    return moment.exact is not None, moment.wall is not None


def told_day(day: date) -> str:
    """Return "Fri 18 Dec 2026", with capital letters where the language has them."""
    text = formatted(day, DAY)
    return text if get_language() in CAPITAL_DAYS else text.lower()


def told_span(start: There, end: There | None) -> str:
    """Return "Fri 18 Dec 2026, 19:30 – 22:00", as short as it can be said."""
    first = told_day(start.day) + (f", {start.wall:%H:%M}" if start.wall is not None else "")
    if end is None or (end.day, end.wall or time.max) <= (start.day, start.wall or time.min):
        return first
    if end.day == start.day:
        return f"{first} – {end.wall:%H:%M}" if end.wall is not None and start.wall is not None else first
    return f"{first} – {told_day(end.day)}" + (f", {end.wall:%H:%M}" if end.wall is not None else "")


def told_zone(moment: There) -> str:
    """Return the name of the clock; nothing where only a day is known."""
    if moment.wall is None:
        return ""
    if moment.zone in ("", "UTC"):
        return moment.zone or _("local time")
    return _("%(city)s time") % {"city": moment.zone.rpartition("/")[2].replace("_", " ")}


def told_distance(day: date, today: date) -> str:
    """Return "today", "tomorrow" or "in 5 days" for the days near enough; else nothing."""
    days = (day - today).days
    if days in (0, 1):
        return (_("today"), _("tomorrow"))[days]
    return _("in %(count)s days") % {"count": days} if 1 < days <= NEAR else ""


def told_ago(at: datetime, today: date) -> str:
    days = (today - at.date()).days
    if days <= 1:
        return _("today") if days <= 0 else _("yesterday")
    return told_day(at.date())


def week_of(today: date) -> tuple[date, date]:
    return today, today + timedelta(days=6)


def weekend_of(today: date) -> tuple[date, date]:
    """The coming Saturday and Sunday, or what is left of them."""
    sunday = today + timedelta(days=6 - today.weekday())
    return max(today, sunday - timedelta(days=1)), sunday


def month_of(today: date) -> tuple[date, date]:
    following = (today.replace(day=28) + timedelta(days=4)).replace(day=1)
    return today, following - timedelta(days=1)

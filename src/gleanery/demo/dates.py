"""Dates of the sample web, relative to the day of the demo, so that its pages stay current.

`{{day+21}}` is 21 days later; `{{sat+2w}}` is two weeks after the first Saturday on or after the day. Units are d
(the default), w and y, and steps can be chained: `{{day+40+1y}}`. `|form` selects the format, in the language of the
page: `{{day+21|full}}`, `{{sat+2w|at 19:00}}` (a time in Sofia).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
TOKEN = re.compile(
    rf"\{{\{{(?P<anchor>day|{'|'.join(WEEKDAYS)})(?P<steps>(?:[+-]\d+[dwy]?)*)"
    r"(?:\|(?P<form>\w+)(?: (?P<time>\d\d:\d\d))?)?\}\}"
)
STEP = re.compile(r"([+-]\d+)([dwy]?)")


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


MONTHS = {
    "en": listed("January February March April May June July August September October November December"),
    "bg": listed("януари февруари март април май юни юли август септември октомври ноември декември"),
}
DAYS = {
    "en": listed("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "bg": listed("понеделник вторник сряда четвъртък петък събота неделя"),
}
LONG = {"en": "{0.day} {1} {0.year}", "bg": "{0.day} {1} {0.year} г."}
DOTS = {"en": "{0:%d.%m.%Y}", "bg": "{0:%d.%m.%Y} г."}

Form = Callable[[date, str], str]
FORMS: Mapping[str, Form] = {
    "long": lambda day, language: LONG[language].format(day, month(day, language)),
    "full": lambda day, language: f"{DAYS[language][day.weekday()]}, {FORMS['long'](day, language)}",
    "short": lambda day, language: f"{day.day} {month(day, language)}",
    "weekday": lambda day, language: DAYS[language][day.weekday()],
    "month": lambda day, language: f"{month(day, language)} {day.year}",
    "american": lambda day, language: f"{month(day, language)} {day.day}, {day.year}",
    "dots": lambda day, language: DOTS[language].format(day),
    "slashes": lambda day, language: f"{day:%d/%m/%Y}",
    "iso": lambda day, language: day.isoformat(),
    "basic": lambda day, language: f"{day:%Y%m%d}",
    "year": lambda day, language: str(day.year),
}
INSTANTS: Mapping[str, Callable[[datetime], str]] = {
    "at": datetime.isoformat,
    "utc": lambda instant: f"{instant.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
}


def render(text: str, day: date, language: str = "en") -> str:
    """Replace every date token in the text; tokens with an unknown anchor stay, and a test reports them."""

    def written(found: re.Match[str]) -> str:
        then = moved(anchored(found["anchor"], day), found["steps"])
        if found["time"]:
            return INSTANTS[found["form"]](in_sofia(then, time.fromisoformat(found["time"])))
        return FORMS[found["form"] or "long"](then, language)

    return TOKEN.sub(written, text)


def anchored(anchor: str, day: date) -> date:
    if anchor == "day":
        return day
    return day + timedelta(days=(WEEKDAYS.index(anchor) - day.weekday()) % 7)


def moved(day: date, steps: str) -> date:
    for count, unit in STEP.findall(steps):
        day = years_on(day, int(count)) if unit == "y" else day + timedelta(days=int(count) * (7 if unit == "w" else 1))
    return day


def years_on(day: date, years: int) -> date:
    """Return the day so many years later; 29 February becomes the 28th."""
    return day.replace(year=day.year + years, day=28 if (day.month, day.day) == (2, 29) else day.day)


def month(day: date, language: str) -> str:
    return MONTHS[language][day.month - 1]


def in_sofia(day: date, clock: time) -> datetime:
    """Return a time in Eastern European Time, by rule, since a small machine may lack time zone data."""
    summer = last_sunday(day.year, 3) <= day < last_sunday(day.year, 10)
    return datetime.combine(day, clock, timezone(timedelta(hours=3 if summer else 2)))


def last_sunday(year: int, month_number: int) -> date:
    end = date(year, month_number, 31)
    return end - timedelta(days=(end.weekday() + 1) % 7)

"""Countries whose addresses end with a state and a postal code, and how these are written there. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gleanery.extraction.calendars.towns import states_of_america

_CANADA = (
    "AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|"
    "NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|QC Québec|"
    "SK Saskatchewan|YT Yukon"
)
_AUSTRALIA = (
    "ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|"
    "TAS Tasmania|VIC Victoria|WA Western Australia"
)


@dataclass(frozen=True, slots=True)
class Habit:
    """`end` is how a part of an address ends with its state; `code` is a postal code that stands alone."""

    country: str
    code: re.Pattern[str]
    end: re.Pattern[str]


def _habit(country: str, names: set[str], code: str, broken: str = "") -> Habit:
    states = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    end = rf"(?:(?P<before>.+?)[\s,]+)?(?P<state>{states})\.?(?:[\s,]+(?:(?P<code>{code}){broken}))?"
    return Habit(country, re.compile(code), re.compile(end, re.DOTALL))


def _names(table: str) -> set[str]:
    return {name for row in table.split("|") for name in row.split(" ", 1)}


_AMERICA = states_of_america() | {"D.C."}

HABITS = (
    # A code with a digit too many is none, but shows that the state is one.
    _habit("US", _AMERICA, r"[0-9]{5}(?:-[0-9]{4})?", r"|[0-9]{3,7}"),
    _habit("CA", _names(_CANADA), r"[A-Z][0-9][A-Z]\s?[0-9][A-Z][0-9]"),
    _habit("AU", _names(_AUSTRALIA), r"[0-9]{4}"),
)

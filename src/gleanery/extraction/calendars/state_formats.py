"""Address formats of countries whose addresses end with a state and a postal code. Pure."""

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
class StateFormat:
    """Patterns of one country: `end` matches the end of a part with its state, `code` a separate postal code."""

    country: str
    code: re.Pattern[str]
    end: re.Pattern[str]


def _format(country: str, names: set[str], code: str, broken: str = "") -> StateFormat:
    states = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    end = rf"(?:(?P<before>.+?)[\s,]+)?(?P<state>{states})\.?(?:[\s,]+(?:(?P<code>{code}){broken}))?"
    return StateFormat(country, re.compile(code), re.compile(end, re.DOTALL))


def _names(table: str) -> set[str]:
    return {name for row in table.split("|") for name in row.split(" ", 1)}


_AMERICA = states_of_america() | {"D.C."}

STATE_FORMATS = (
    # A code with a wrong number of digits is dropped, but confirms the state.
    _format("US", _AMERICA, r"[0-9]{5}(?:-[0-9]{4})?", r"|[0-9]{3,7}"),
    _format("CA", _names(_CANADA), r"[A-Z][0-9][A-Z]\s?[0-9][A-Z][0-9]"),
    _format("AU", _names(_AUSTRALIA), r"[0-9]{4}"),
)

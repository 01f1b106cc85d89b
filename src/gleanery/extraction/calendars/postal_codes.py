"""Splits addresses with the postal code before the town, as in most of Europe. Pure."""

from __future__ import annotations

import re

from gleanery.extraction.calendars.towns import is_town
from gleanery.extraction.values.addresses import STREETS

_CAPITAL = r"[^\W\d_a-zß-öø-ÿа-я]"
_SMALL = r"(?:de|del|della|di|da|do|dos|la|le|les|los|sur|sous|en|am|an|der|den|im|in|ob|bei|aan|op|op den|под|на|ап)"
_TOWN = rf"(?:гр\.\s?|град\s|с\.\s?)?{_CAPITAL}[\w’'.]*(?:[\s/-](?:{_SMALL}\s)?[\w’'.]+){{0,6}}"
_CODE_PATTERNS = {
    "NL": r"[0-9]{4}\s?[A-Z]{2}",
    "PL": r"[0-9]{2}-[0-9]{3}",
    "PT": r"[0-9]{4}-[0-9]{3}",
    "SE": r"[0-9]{3}\s?[0-9]{2}",
    "CZ": r"[0-9]{3}\s?[0-9]{2}",
    "SK": r"[0-9]{3}\s?[0-9]{2}",
    "GR": r"[0-9]{3}\s?[0-9]{2}",
    "RO": r"[0-9]{6}",
    **dict.fromkeys(("AT", "BE", "BG", "CH", "DK", "HU", "LU", "NO", "SI", "MK"), r"[0-9]{4}"),
    **dict.fromkeys(("DE", "ES", "FI", "FR", "HR", "IT", "RS", "BA", "ME"), r"[0-9]{5}"),
}
# For an unknown country, only patterns that are unlikely to be anything else.
_ANY_CODE = r"[0-9]{5}|[0-9]{4}"
_PROVINCE = {"IT": r"(?:\s\(?(?P<region>[A-Z]{2})\)?)?"}
_BEFORE_CODE = r"(?:[A-Z]{1,2}-)?"
_NUMBER_ONLY = re.compile(
    r"(?:№|nr\.?|no\.?|núm\.?|n[.°º]?|č\.)?\s?[0-9]{1,4}\s?[a-zа-я]?(?:[-/][0-9]{1,4}[a-z]?)?|s/n", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"[^\W\d_].*\s(?:№|nr\.?|no\.?|n[.°º])?\s?[0-9]{1,3}\s?[A-Za-zа-я]?(?:\s?[-–/]\s?[0-9]{1,3}[a-z]?)?"
)
_NUMBER_FIRST = re.compile(r"[0-9]{1,4}(?:\s?(?:bis|ter|[A-Z]))?,?\s[^\W\d_].*", re.IGNORECASE)
# Names of districts may stand in place of a street.
_QUARTER = re.compile(
    r"(?:polígono|urbanización|urb\.|barrio|zona|zone|lieu[ -]dit|hameau|località|loc\.|frazione|ж\.?\s?к\.?|кв\.|"
    r"местност|cartierul|osiedle|os\.|ortsteil|industriegebiet|gewerbegebiet)\s",
    re.IGNORECASE,
)
_ROOMS = re.compile(
    r"\b(?:raum|saal|zimmer|halle|gebäude|haus|etage|sala|salle|salón|aula|piso|planta|étage|zaal|kamer|piano|room|hall|"
    r"floor|building|sal|lokale|зала|стая|кабинет|етаж|сграда|корпус|pokój|sala|etaj)\b\.?\s",
    re.IGNORECASE,
)


def split_by_code(parts: list[str], country: str) -> dict[str, str] | None:
    """Return the parts of an address, or None without a postal code and town. `country` may be a guess."""
    shape = _CODE_PATTERNS.get(country, "" if country else _ANY_CODE)
    form = (
        re.compile(rf"{_BEFORE_CODE}(?P<code>{shape})\s+(?P<town>{_TOWN}?){_PROVINCE.get(country, '')}")
        if shape
        else None
    )
    for at in range(len(parts) - 1, -1, -1):
        if form is not None and (match := form.fullmatch(parts[at])):
            found = {"postal_code": match["code"], "locality": match["town"]} | _region(match)
            return _with_street(parts[:at], parts[at + 1 :], found, country)
    return None


def _region(match: re.Match[str]) -> dict[str, str]:
    region = match.groupdict().get("region")
    return {"region": region} if region else {}


def _with_street(before: list[str], after: list[str], found: dict[str, str], country: str) -> dict[str, str]:
    street: list[str] = []
    if before and _NUMBER_ONLY.fullmatch(before[-1]) and len(before) > 1:
        street = before[-2:]
    elif before and _is_street(before[-1]):
        street = before[-1:]
    venue = before[: len(before) - len(street)]
    if after and is_town(after[0], country):
        # 1000 Centre, Sofia: a district follows the code.
        street, found = [*street, found["locality"]], found | {"locality": after[0]}
        after = after[1:]
    venue += after
    place = {"venue_name": ", ".join(venue), "address": ", ".join(street)}
    return {name: value for name, value in place.items() if value} | found


def _is_street(part: str) -> bool:
    if _QUARTER.match(part) or any(
        found and not part[: found.start()].strip() for found in (form.search(part) for form in STREETS)
    ):
        return True
    return not _ROOMS.search(part) and bool(_NUMBERED.fullmatch(part) or _NUMBER_FIRST.fullmatch(part))

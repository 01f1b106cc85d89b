"""Parser for LOCATION: venue, street, town, state, postal code and country, as far as certain. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.extraction.calendars.postal_codes import split_by_code
from gleanery.extraction.calendars.state_formats import STATE_FORMATS, StateFormat
from gleanery.extraction.calendars.towns import is_town, looks_like_a_town
from gleanery.extraction.values.addresses import GB_CODE, IE_CODE, country_named, split_address

LONGEST_NAME = 200
LONGEST = 500
MOST_PARTS = 14
TWO = 2

_SUFFIXES = (
    r"street|st|road|rd|lane|ln|avenue|ave?|way|square|sq|court|ct|drive|dr|place|pl|terrace|terr|close|crescent|cres|"
    r"row|blvd|boulevard|parkway|pkwy|highway|hwy|trail|trl|circle|cir|plaza|loop|alley|mews|wharf|quay|parade|gardens|"
    r"grove|walk|turnpike|pike|freeway|expressway|broadway|route"
)
_DIRECTION = r"(?:north|south|east|west|[ns][ew]|[nsew])\b\.?"
_UNIT = r"(?:(?:suite|ste|unit|apt|room|rm|bldg|building|floor|fl|no)\b\.?\s?#?\s?|#\s?)[\w-]{1,6}"
_NUMBER = r"[0-9]{1,6}[A-Za-z]?(?:\s?[-–/]\s?[0-9]{1,5}[A-Za-z]?)?(?:\s1/2)?"
_STREET = (
    rf"{_NUMBER}\s(?:[^\s,]+\s){{0,5}}?(?:{_SUFFIXES})\b\.?(?:\s(?:ext|extension)\b\.?)?(?:\s{_DIRECTION})?"
    rf"(?:\s?[-–,]?\s?{_UNIT})*"
)
_NO_TOWN = rf"(?:{_SUFFIXES}|{_DIRECTION}|{_UNIT}|ext|in|at|near|and|suites?)\b"
# 12 Mill Road; 6 Mill Blvd. N - Suite A1
_ONLY_STREET = re.compile(_STREET, re.IGNORECASE)
_NUMBERED = re.compile(rf"{_NUMBER}\s\S")
_ENDS_AS_STREET = re.compile(rf".*\b(?:{_SUFFIXES})\b\.?(?:\s{_DIRECTION})?", re.IGNORECASE)
_CROSSING = re.compile(rf".*\b(?:{_SUFFIXES})\b\.?\s(?:&|and|at|@)\s.*", re.IGNORECASE)
# Venue, street and town in one part: Mill House 12 Mill Road Wickerby
_STREET_IN_PART = re.compile(
    rf"(?:(?P<venue>[^0-9]*?[^\s0-9,–-])[\s–-]+)?(?P<street>{_STREET})(?:[\s•]+(?!{_NO_TOWN})(?P<town>[^\W\d_][^0-9,;()/|]{{2,40}}))?",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"\s*(?:,(?![0-9]{3}\b(?!\s))|\n|;|\s[•|·]\s)\s*")
_AFTER_COUNTRY = re.compile(
    r"(?P<all>.*\b(?:USA|United States|Canada|UK|United Kingdom))\s*(?:[/–-]\s*|\()(?P<more>[^()]{2,60})\)?$", re.DOTALL
)
_LEADS_ON = re.compile(r"\b(?:at|in|on|to|near|of|and|the|from|by|@)$", re.IGNORECASE)
# A venue with its address in brackets: Mill House (12 Mill Road, Wickerby, CA 90000)
_IN_BRACKETS = re.compile(rf"([^()]+?),?\s*\(({_NUMBER}\s[^()]+,[^()]+)\)\s*$")
_WEB = re.compile(r"[\s,]*https?://\S+\s*")
_GB_OR_IE_CODE = re.compile(rf"(?:(?P<before>.+?)[\s,]+)?(?P<code>{GB_CODE}|{IE_CODE})")
_COUNTY = re.compile(
    r".+shire|(?:co\.?|county)\s.+|.+\scounty|essex|kent|surrey|(?:(?:east|west)\s)?sussex|norfolk|suffolk|devon|"
    r"cornwall|dorset|somerset|cumbria|merseyside|greater manchester|tyne and wear|(?:west|south) yorkshire",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def _split_location(location: str, country: str) -> tuple[tuple[str, str], ...]:
    location = _IN_BRACKETS.sub(r"\1, \2", location[:LONGEST])
    text, more = _without_more(_WEB.sub(" ", location).strip(" ,;\n"))
    parts = [part.strip(" ,;").removeprefix("- ") for part in _SEPARATORS.split(text)]
    parts = [part for part in parts if part][:MOST_PARTS]
    place = _LocationParts(parts, country)
    found = place.read()
    if found is None:
        is_home = country in _STATES and "country" not in place.found
        found = _venue_and_town(parts, location, country) if is_home else _by_postal_code(place, location, country)
    if more and "venue_name" in found:
        found["venue_name"] += f" ({more})"
    return tuple((name, value[:LONGEST_NAME]) for name, value in found.items() if value)


def place_of(location: str, country: str) -> dict[str, str]:
    """Return the certain parts; a line that cannot be split is the venue. `country` is only a guess."""
    return dict(_split_location(location, country)) if location else {}


def _without_more(text: str) -> tuple[str, str]:
    """Split off text after the country, which belongs to the venue."""
    found = _AFTER_COUNTRY.fullmatch(text)
    return (found["all"], found["more"].strip()) if found else (text, "")


class _LocationParts:
    """Parts of one line, consumed from its end."""

    def __init__(self, parts: list[str], hint: str) -> None:
        self.parts, self.hint = list(parts), hint
        self.found: dict[str, str] = {}

    def read(self) -> dict[str, str] | None:
        """Return the parts of a US, Canadian, Australian, British or Irish address, else None."""
        named = self._take_country()
        for habit in STATE_FORMATS:
            if named in ("", habit.country) and self._take_state(habit, named):
                return self._with_town()
        if named in ("", "GB", "IE") and self._take_isles():
            return self._with_town()
        if named in _STATES or (not named and self.hint in _STATES):
            return self._by_street(certain=bool(named))
        return None

    def _take_country(self) -> str:
        last = self.parts[-1] if self.parts else ""
        if len(self.parts) >= TWO and last == "US":
            code = "US"
        else:
            code = country_named(last) if len(self.parts) >= TWO else ""
        if code:
            self.found["country"] = code
            self.parts.pop()
        return code

    def _take_state(self, habit: StateFormat, named: str) -> bool:
        parts = list(self.parts)
        code = parts.pop() if len(parts) >= TWO and habit.code.fullmatch(parts[-1]) else ""
        match = habit.end.fullmatch(parts[-1].upper() if len(parts[-1]) == TWO else parts[-1]) if parts else None
        if match is None:
            return False
        code = code or match["code"] or ""
        # A state is certain next to digits, even wrong ones, and if the country is known.
        is_sure = code or named or any(part[-1:].isdigit() and habit.end.fullmatch(part) for part in self.parts)
        if not is_sure and not (self.hint == habit.country and (match["before"] or len(parts) >= TWO)):
            return False
        parts.pop()
        before = (match["before"] or "").strip(" ,")
        if before:
            # Without a comma only a street, a code or a known town shows where the town begins.
            if not parts and not code and not _STREET_IN_PART.fullmatch(before) and not is_town(before, habit.country):
                return False
            parts.extend(_before_the_town(before))
        self.parts = parts
        self.found |= {"region": match["state"]} | ({"postal_code": code} if code else {})
        self._drop_second(habit)
        return True

    def _drop_second(self, habit: StateFormat) -> None:
        """Drop a repeated town: Wickerby, CA 90000, Wickerby, CA."""
        if len(self.parts) < TWO + 1:
            return
        *rest, state, town = self.parts
        match = habit.end.fullmatch(state)
        if match and match["state"] == self.found["region"] and (match["before"] or rest[-1]) == town:
            self.parts = [*rest, match["before"]] if match["before"] else rest
            if match["code"]:
                self.found.setdefault("postal_code", match["code"])

    def _take_isles(self) -> bool:
        match = _GB_OR_IE_CODE.fullmatch(self.parts[-1]) if self.parts else None
        if match is None:
            return False
        self.parts.pop()
        self.found["postal_code"] = match["code"]
        if match["before"]:
            self.parts.append(match["before"])
        if len(self.parts) >= TWO and _COUNTY.fullmatch(self.parts[-1]):
            self.found["region"] = self.parts.pop()
        return True

    def _with_town(self) -> dict[str, str]:
        if self.parts and (match := _STREET_IN_PART.fullmatch(self.parts[-1])):
            venue, street, town = match["venue"], match["street"], (match["town"] or "").strip()
            if town and looks_like_a_town(town):
                self.found["locality"] = town
                self.parts[-1:] = [each for each in (venue, street) if each]
        elif self.parts and looks_like_a_town(self.parts[-1]) and not _is_street(self.parts[-1]):
            self.found["locality"] = self.parts.pop()
        return self._with_street(self.parts)

    def _by_street(self, *, certain: bool) -> dict[str, str] | None:
        """Without a state, only the part after a street or a known town is the town."""
        parts = self.parts
        at = _street_at(parts)
        if at is None and len(parts) == 1 and (match := _STREET_IN_PART.fullmatch(parts[0])) and match["venue"]:
            town = (match["town"] or "").strip()
            if not _LEADS_ON.search(match["venue"]) and (not town or looks_like_a_town(town)):
                self.found |= {"locality": town} if town else {}
                return self._with_street([match["venue"], match["street"]])
        if at is not None and at == len(parts) - TWO and looks_like_a_town(parts[-1]):
            self.found["locality"] = parts.pop()
        elif (
            at is not None
            and at == len(parts) - 1
            and (match := _STREET_IN_PART.fullmatch(parts[at]))
            and match["town"]
        ):
            if looks_like_a_town(match["town"].strip()):
                self.found["locality"] = match["town"].strip()
                parts[at:] = [each for each in (match["venue"], match["street"]) if each]
        elif at is None and len(parts) >= TWO and is_town(parts[-1], self.found.get("country", self.hint)):
            self.found["locality"] = parts.pop()
        if at is None and not certain and "locality" not in self.found:
            return None
        return self._with_street(parts)

    def _with_street(self, parts: list[str]) -> dict[str, str]:
        if (
            len(parts) == 1
            and (match := _STREET_IN_PART.fullmatch(parts[0]))
            and match["venue"]
            and not match["town"]
            and not _LEADS_ON.search(match["venue"])
        ):
            parts = [match["venue"], match["street"]]
        at = _street_at(parts)
        if at is None:
            at = next((index for index, part in enumerate(parts) if index and _NUMBERED.match(part)), None)
        if at is None and parts and self.found.get("locality") and _NUMBERED.match(parts[0]):
            at = 0
        venue, street = (parts, []) if at is None else (parts[:at], parts[at:])
        place = {"venue_name": ", ".join(venue), "address": ", ".join(street)}
        return {name: value for name, value in place.items() if value} | self.found


_STATES = frozenset(habit.country for habit in STATE_FORMATS)


def _before_the_town(part: str) -> list[str]:
    """Split at a dash before the town: Mill Park - Wickerby."""
    before, dash, town = part.rpartition(" - ")
    return [before, town] if dash and looks_like_a_town(town) else [part]


def _street_at(parts: list[str]) -> int | None:
    for index, part in enumerate(parts):
        if _is_street(part) and (index or part[:1].isdigit() or (len(parts) == 1 and _ONLY_STREET.fullmatch(part))):
            return index
    return None


def _is_street(part: str) -> bool:
    if part[:1].isdigit():
        return _ONLY_STREET.match(part) is not None
    return _CROSSING.fullmatch(part) is not None or _ENDS_AS_STREET.fullmatch(part) is not None


def _by_postal_code(place: _LocationParts, location: str, hint: str) -> dict[str, str]:
    """Split by a postal code before the town, else by the street."""
    country = place.found.get("country", "") or hint
    if found := split_by_code(place.parts, country):
        return found | place.found
    address = split_address(", ".join(place.parts), country)
    if address is None or not address.street:
        venue = _venue_and_town(place.parts, ", ".join(place.parts) if place.found else location, country)
        return venue | place.found
    named = {"venue_name": address.venue} if address.venue else {}
    return named | address.fields() | place.found


def _venue_and_town(parts: list[str], location: str, country: str) -> dict[str, str]:
    """Return the venue, and the town if the last part is a known one."""
    if len(parts) >= TWO and is_town(parts[-1], country):
        return {"venue_name": ", ".join(parts[:-1]), "locality": parts[-1]}
    return {"venue_name": location}

"""Parser for postal addresses in text; parts that are not certain are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gleanery.extraction.values.calendar_words import WEEKDAY_OF
from gleanery.extraction.values.countries import country_code
from gleanery.extraction.values.venues import is_house, venue_of

LONGEST = 2_000
LONGEST_PART = 90
MOST_PARTS = 14
LONGEST_CODE = 3
US_CODE = 5

_Q = "„“\"'«»”’"
_NAME = rf"[\w{_Q}.’'-]+"
# Patterns of street names, by language.
STREETS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Bulgarian: ул. „Шест чинара“ № 15
        rf"(?:^|(?<=\s))(?:ул|бул|пл|ж\.?\s?к|кв|бл)(?:\.\s?|\s)[{_Q}]?\s?(?-i:[А-Я\d]).*|"
        rf"(?:^|(?<=\s))(?:улица|булевард|площад|квартал)\s[{_Q}]?(?-i:[А-Я\d]).*",
        # English, before the number: 88 Brightwell Street, Beck Road
        rf"(?:(?:^|(?<=\s))(?:(?:unit|flat|suite|"
        rf"no\.?)\s?\d+\w?,?\s)?\d+\s?[a-z]?(?:\s?[-–/]\s?\d+[a-z]?)?,?\s(?:{_NAME}\s){{1,4}}|"
        rf"^(?:(?-i:[A-Z]){_NAME}\s){{1,3}})"
        r"(?:street|st|road|rd|lane|ln|avenue|ave|way|square|sq|court|ct|drive|dr|place|terrace|close|crescent|"
        r"row|str|blvd|boulevard|"
        r"yard|mews|wharf|quay|parade|green|hill|gardens|grove|walk|alley|highway)\b\.?(?:\s(?:north|south|"
        r"east|west|\d+\w?|N|S|E|W)\b)?$",
        # German: Speicherstraße 44, Am Markt 3
        r"(?:^|(?<=\s))[\w.-]*(?:straße|strasse|str\.|weg|platz|allee|gasse|ufer|damm|ring|hof|steig|markt|"
        r"wall|kai|chaussee)\s\d+\s?[a-z]?\b"
        r"(?:\s?[-–/]\s?\d+[a-z]?)?|(?:^|(?<=\s))(?:am|an der|an den|auf dem|im|zum|"
        r"zur)\s[A-ZÄÖÜ][\wäöüß-]+\s\d+\s?[a-z]?$",
        # French: 9 bis, rue des Tanneurs
        r"(?:^|(?<=\s))(?:\d+\s?(?:bis|ter|quater)?,?\s)?(?:rue|avenue|av\.|boulevard|bd|quai|chemin|"
        r"impasse|allée|ruelle)\s.+|"
        r"(?:^|\d(?:\s?bis|\s?ter)?,?\s)(?:place|cours|route|square|passage)\s"
        r"(?:d[eu]s?|de la|la|le|les|saint|d[’'])\b.+",
        # Spanish: C/ de la Acequia, 2
        r"(?:^|(?<=\s))(?:c/\s?|(?:calle|avda\.?|avenida|av\.|plaza|pza\.?|paseo|pº|camino|carrer|ronda|"
        r"carretera|ctra\.?|travesía)\s)(?-i:[A-ZÁÉÍÓÚ]|de|del|la).+",
        # Romanian: str. Morii nr. 14
        r"(?:^|(?<=\s))(?:str|bd|b-dul|bld|calea|șos|piața|aleea|intrarea|splaiul|strada|bulevardul)\.?\s.+",
    )
)
# Parts after the street that belong to it: 2, № 15, ет. 2, офис 4, nr. 14, floor 3, 1. OG
_MORE = re.compile(
    r"(?:№|nr\.?|no\.?|núm\.?|n[.°º])?\s?\d{1,4}\s?[a-zа-я]?(?:\s?[-–/]\s?\d{1,4}\s?[a-zа-я]?)?$|"
    r"(?:бл|вх|ет|ап|офис|стая|каб|кабинет|помещение|партер)\b\.?.{0,20}$|(?:et|ap|sc|bl|piso|planta|floor|"
    r"flat|suite|unit|room|bât|étage|escalera)\b\.?\s?.{0,16}$|"
    r"(?:ground|first|second|third|\d+(?:st|nd|rd|th))\sfloor$|bajo$",
    re.IGNORECASE,
)

GB_CODE = r"[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}"
IE_CODE = r"[AC-FHKNPRTV-Y]\d[\dW]\s?[\dAC-FHKNPRTV-Y]{4}"
# Possessive, so that runs of "Mon-" or "de " cannot cause exponential backtracking.
_TOWN_WORD = r"[A-ZÀ-ŽА-ЯȘȚ][\w’'.\-]*+"
_TOWN = (
    rf"(?:(?:гр|с|град|село)\.?\s?)?{_TOWN_WORD}(?:[\s-](?>{_TOWN_WORD}|(?:des|del|der|dus|de|du|la|les|le|sur|upon|on|"
    r"am|an|град|бряг|пазар|под|sous|en)\b))*"
)
_CODE_TOWN = re.compile(rf"(?:(?:[A-Z]{{1,2}}-|п\.\s?к\.?\s?|PK\s?)?(?P<code>\d{{4,6}}))\s+(?P<town>{_TOWN})$")
_TOWN_CODE = re.compile(
    rf"(?P<town>{_TOWN})\s+(?:п\.\s?к\.?\s?)?(?P<code>\d{{4,6}}|{GB_CODE}|{IE_CODE}|[A-Z]{{2}}\s\d{{5}}(?:-\d{{4}})?)$"
)
_CODE = re.compile(
    rf"(?:п\.\s?к\.?\s?|PK\s?|cod\s?poștal\s?|CP\s)?(?P<code>\d{{4,6}}|{GB_CODE}|{IE_CODE})$", re.IGNORECASE
)
_DISTRICT_CODE = re.compile(
    rf"(?P<town>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s(?:\d{{1,2}},?\s)?(?P<code>{IE_CODE}|{GB_CODE})$"
)
_TOWN_ALONE = re.compile(rf"{_TOWN}$")
_MARKED_TOWN = re.compile(r"(?:гр|с|град|село)\.?\s+[А-Я]")
_DISTRICT = re.compile(r"[A-Z][a-zà-ž]+\s\d{1,2}")  # Dublin 8, Paris 12
_HOUSE = re.compile(r"\d{1,4}\s?(?:[a-zа-я]|bis|ter)?", re.IGNORECASE)
_US_STATE = re.compile(r"(?P<state>[A-Z]{2})\s(?P<code>\d{5}(?:-\d{4})?)$")
_IN_BRACKETS = re.compile(r"^(?P<town>.+?)\s\((?P<region>[^()]{2,40})\)$")
_REGION = re.compile(
    r"(?:обл(?:аст|\.)|общ(?:ина|\.)|county|co\.|județul|jud\.|provincia de|landkreis|kreis)\s.+|.+\s(?:county|"
    r"oblast|province)$",
    re.IGNORECASE,
)
# A house number at the end of a sentence or before running prose ends the street.
_STREET_ENDS = re.compile(
    rf"((?:^|[\s(])(?:ул|бул|пл|ж\.?\s?к|кв)(?:\.\s?|\s)[{_Q}]?[А-Я\d][^,;\n]{{1,50}}?(?:№\s?)?\d{{1,4}}\s?[а-я]?)"
    r"(?:\.\s+[A-ZА-Я]|\s(?!(?:бл|вх|ет|ап|оф|офис|стая|каб|кабинет|партер|и|до)\b)[а-я]{3,}\s).*",
    re.DOTALL,
)
_FRENCH_TOWN = re.compile(rf"(?<=[a-zà-ž])\sà\s(?P<town>{_TOWN})$")  # place du Marché à Montrevel
_ONE_WORD = re.compile(r"[А-Я][а-я]{2,}(?:[\s-][А-Я][а-я]{2,})?")


@dataclass(frozen=True, slots=True)
class Address:
    venue: str = ""
    street: str = ""
    locality: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = ""
    written: str = ""  # the address as in the text, without the venue

    def fields(self) -> dict[str, str]:
        named = (
            ("address", self.street),
            ("locality", self.locality),
            ("region", self.region),
            ("postal_code", self.postal_code),
            ("country", self.country),
        )
        return {name: value for name, value in named if value}


def country_named(text: str) -> str:
    """Return the code of a country given by name. Two-letter codes are ignored, since they may be states."""
    return country_code(text) if len(text) > LONGEST_CODE or text in ("UK", "USA") else ""


def split_address(text: str, country: str = "") -> Address | None:
    """Split an address. Return None without a street or a postal code with its town."""
    parts = _parts(_STREET_ENDS.sub(r"\1", text[:LONGEST]))
    street_at = next((index for index, part in enumerate(parts) if _street(part)), None)
    found = _Parts(country)
    before: list[str] = []
    streets: list[str] = []
    after: list[str] = []
    written: list[str] = []
    last = -1  # index of the last part of the street
    for index, part in enumerate(parts):
        if index == street_at:
            last = index
            streets.append(found.take_street(part, before))
            written.append(part if found.locality and part.startswith(found.locality) else streets[-1])
        elif street_at is not None and index == last + 1 and (_MORE.match(part) or _street(part)):
            last = index
            streets.append(part)
            written.append(part)
        elif not found.take(part, early=street_at is None or index < street_at):
            (before if street_at is None or index < street_at else after).append(part)
        else:
            written.append(part)
    if not found.locality and after and _TOWN_ALONE.fullmatch(after[0]) and after[0].casefold() not in WEEKDAY_OF:
        found.locality = _town(after[0])
        written.append(after[0])
    if not streets and not (found.postal_code and found.locality):
        return None
    if not found.locality and before and _ONE_WORD.fullmatch(before[-1]) and not is_house(before[-1]):
        found.locality = before.pop()
        written.insert(0, found.locality)
    if before and _HOUSE.fullmatch(before[-1]):
        streets.insert(0, before.pop())
        written.insert(0, streets[0])
    return Address(
        venue_of(before),
        ", ".join(streets),
        found.locality,
        found.region,
        found.postal_code,
        found.country,
        ", ".join(written),
    )


class _Parts:
    """Collects the parts of an address; the first value of each is kept."""

    def __init__(self, country: str) -> None:
        self._home = country
        self.locality = self.region = self.postal_code = self.country = ""

    def take(self, part: str, *, early: bool = False) -> bool:
        """Return True if the part was used. Regions are not sought before the street, where a council may be named."""
        if code := country_named(part):
            self.country = code
            return True
        if bracketed := _IN_BRACKETS.match(part):
            return self.take(bracketed["town"])
        if self._home == "US" and (match := _US_STATE.match(part)):
            self.region, self.postal_code = match["state"], match["code"]
            return True
        if match := (_CODE_TOWN.match(part) or _DISTRICT_CODE.match(part) or _TOWN_CODE.match(part)):
            if self.postal_code or not self._is_code(match["code"]):
                return False
            self.postal_code, self.locality = match["code"], _town(match["town"]) or self.locality
            return True
        return self._take_alone(part, early)

    def _take_alone(self, part: str, early: bool) -> bool:
        if (match := _CODE.match(part)) and not self.postal_code and self._is_code(match["code"]):
            self.postal_code = match["code"]
        elif not self.locality and (_MARKED_TOWN.match(part) or _DISTRICT.fullmatch(part)):
            self.locality = _town(re.sub(r"\s\d+$", "", part))
        elif not early and not self.region and _REGION.fullmatch(part):
            self.region = part
        else:
            return False
        return True

    def _is_code(self, code: str) -> bool:
        """Return True for a plausible postal code. In the United States only five digits are."""
        return self._home != "US" or not code.isdigit() or len(code) == US_CODE

    def take_street(self, part: str, venue: list[str]) -> str:
        """Return the street in a part, and keep the town or venue before it and the town after it."""
        before, street = _street(part) or ("", part)
        before = before.strip(" ,:–-")
        if before and not self.take(before):
            if _TOWN_ALONE.fullmatch(before) and len(before.split()) == 1:
                self.locality = before
            else:
                venue.append(before)
        street, rest = _without_town(street)
        if rest:
            self.take(rest)
        if not self.locality and (match := _FRENCH_TOWN.search(street)):
            street, self.locality = street[: match.start()], match["town"]
        return street


@lru_cache(maxsize=4096)  # several recognisers ask about the same lines
def find_address(text: str, country: str = "") -> Address | None:
    """Return the first address in a text, ignoring other words before it."""
    sentences = re.split(r"(?<=[\w“”\"»)]{3})\.\s(?=[A-ZА-Я])|[;|•]|\n", _in_one_line(text[:LONGEST]))
    for sentence in sentences:
        if any(_street(part) for part in _parts(sentence)) or _CODE_TOWN.search(sentence):
            found = split_address(re.sub(r"^[^:]{1,40}:\s", "", sentence), country)
            if found and (found.street or found.postal_code):
                return found
    return None


def _in_one_line(text: str) -> str:
    """Join lines that continue an address to the line before."""
    joined: list[str] = []
    lines = [line.strip(" ,") for line in text.split("\n")]
    for index, line in enumerate(lines):
        goes_on = (
            _CODE_TOWN.match(line)
            or _TOWN_CODE.match(line)
            or _CODE.match(line)
            or _MORE.match(line)
            or country_named(line)
        )
        before_code = _TOWN_ALONE.fullmatch(line) and index + 1 < len(lines) and _CODE.match(lines[index + 1])
        us_state = re.fullmatch(rf"{_TOWN}, [A-Z]{{2}} \d{{5}}", line)
        if joined and (goes_on or before_code or us_state) and len(joined[-1]) < LONGEST_PART * 2:
            joined[-1] += f", {line}"
        else:
            joined.append(line)
    return "\n".join(joined)


def _parts(text: str) -> list[str]:
    text = re.sub(r"\s*\n\s*", ", ", text[:LONGEST].strip())
    text = re.sub(r"\s?\((?:[^()]{26,}|[^()]*,[^()]*)\)", "", text)  # directions, not a region
    pieces = re.split(r",\s+|\s[–—•·|]\s|;\s", text)
    return [
        piece.strip(" ,;").removesuffix(".")
        if not re.search(r"\b(?:St|Str|Rd|Ave|Sq|Ln|Dr|Ct)\.$", piece)
        else piece.strip(" ,;")
        for piece in pieces[:MOST_PARTS]
        if piece.strip(" ,.;")
    ]


def _street(part: str) -> tuple[str, str] | None:
    """Return the text before the street and the street, or None."""
    if len(part) > LONGEST_PART:
        return None
    for pattern in STREETS:
        if match := pattern.search(part):
            return part[: match.start()], match.group()
    return None


def _without_town(street: str) -> tuple[str, str]:
    """Split off a postal code and town that follow without a comma: `Obstallee 7 14467 Potsdam`."""
    if match := re.search(rf"\s(?=\d{{4,6}}\s{_TOWN}$)", street):
        return street[: match.start()], street[match.end() :]
    return street, ""


def _town(name: str) -> str:
    return re.sub(r"^(?:гр\.|град)\s?", "", name).strip()

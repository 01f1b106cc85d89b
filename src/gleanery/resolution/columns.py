"""What the columns of a file mean: which field each is, of what kind a row is, and how the file calls it. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gleanery.errors import Invalid
from gleanery.extraction.payload import external_id
from gleanery.resolution import normal
from gleanery.resolution.kinds import DAY, KINDS, LATITUDE, LONGITUDE, MOMENT, NUMBER, URL
from gleanery.resolution.seen import Seen
from gleanery.resolution.values import NAMELESS

OWN = ("id", "source", "kind")  # columns that are no field of a thing
_APART = re.compile(r"[\W_]+")
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,' \u00a0\u2009\u202f]\d{3})+")  # no amount has three decimals
_BARE_SITE = re.compile(r"[\w-]+(\.[\w-]+)+(/\S*)?")
_WITH_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:\s+(\d{1,2}:\d{2}))?")
# What tells rows apart in a file without ids. More than identity: two times of one event are two rows.
APART = ("name", "start", "deadline", "year", "address", "locality", "region", "postal_code", "venue_name")
RUN_BY = ("organizer_name", "funder_name", "provider_name")  # of which a kind has one: whoever runs it
BY = (*RUN_BY, "virtual_url", "official_id")


class Told(NamedTuple):
    kind: str
    external_id: str
    fields: dict[str, Any]


class Columns:
    """`renames` leads from the names in the file to ours. Knows in the end which columns meant nothing."""

    def __init__(self, kind: str = "", renames: Mapping[str, str] | None = None) -> None:
        if kind and kind not in KINDS:
            raise Invalid(f"{kind!r} is no kind of record; there are {', '.join(KINDS)}.")
        self.kind = kind
        self.renames = {_folded(given): ours for given, ours in (renames or {}).items()}
        self.unknown: set[str] = set()
        self._made = Seen()
        self._again: dict[str, int] = {}
        known = understood(kind)
        for ours in self.renames.values():
            if ours not in known:
                raise Invalid(f"{ours!r} is no field of {kind or 'any kind'}; there are {', '.join(known)}.")

    def of_header(self, cells: Sequence[str]) -> list[str]:
        """The names in the first line, as they are; refused if two mean the same or one to be renamed is not there."""
        there = {_folded(cell) for cell in cells}
        if missing := [given for given in self.renames if given not in there]:
            raise Invalid(f"There is no column {missing[0]!r} to rename; there are {', '.join(filter(None, cells))}.")
        ours = [name for cell in cells if (name := self.name_of(cell))]
        if not self.kind and "kind" not in ours:
            raise Invalid(f"No column says of what kind each row is: give --kind; there are {', '.join(KINDS)}.")
        if twice := next((name for name in ours if ours.count(name) > 1), ""):
            raise Invalid(f"Two columns mean {twice}: rename one of them with --map, or leave it out.")
        return list(cells)

    def name_of(self, given: str) -> str:
        """Our name of a column; spaces and capitals make no difference."""
        folded = _folded(given)
        return self.renames.get(folded, folded)

    def read(self, given: Mapping[str, Any]) -> Told:
        """Cells that say nothing are left out."""
        named = {self.name_of(name): value for name, value in given.items() if name and value not in (None, "")}
        kind = self.kind or str(named.get("kind") or "").strip().lower()
        if kind not in KINDS:
            told = f"{kind!r} is no kind of record" if kind else "It does not say of what kind it is: give --kind"
            raise Invalid(f"{told}; there are {', '.join(KINDS)}.")
        types = KINDS[kind].fields
        if (own := _runner(kind)) and own not in map(self.name_of, given):
            runner = next((name for name in RUN_BY if name in named), None)
            named |= {own: named.pop(runner)} if runner else {}
        fields = {name: _spelled(value, types[name]) for name, value in named.items() if name in types}
        self.unknown |= named.keys() - fields.keys() - set(OWN)
        if not str(fields.get("name") or "").strip():
            raise Invalid(NAMELESS)
        return Told(kind, self._id(kind, named, fields), fields)

    def _id(self, kind: str, named: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
        """The file's own, else made from what tells it apart; rows that look the same are told apart by their order."""
        of = str(named.get("source") or "").strip()
        if own := str(named.get("id") or "").strip():
            return external_id(f"{of} {own}" if of else own)
        parts = [kind, of, *(normal.name(str(fields.get(name) or "")) for name in (*APART, *BY))]
        digest = _digest("\0".join(parts))
        if not self._made.add(digest):
            self._again[digest] = self._again.get(digest, 1) + 1
            digest = _digest(f"{digest} {self._again[digest]}")
        return f"row-{digest[:24]}"


def _runner(kind: str) -> str | None:
    """Who provides a course or funds a festival is who runs it: a file without this column may have another of them."""
    return next((name for name in RUN_BY if name in KINDS[kind].fields), None)


def understood(kind: str) -> list[str]:
    """The names of columns that mean something, in a file of this kind or of any."""
    kinds = [kind] if kind else list(KINDS)
    return sorted(set(OWN).union(*(KINDS[each].fields for each in kinds), *(RUN_BY for each in kinds if _runner(each))))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def read_renames(text: str) -> dict[str, str]:
    """`Site name=name,Zip=postal_code`."""
    found = {}
    for each in filter(None, (part.strip() for part in text.split(","))):
        given, sign, ours = (part.strip() for part in each.rpartition("="))
        if not (given and sign and ours):
            raise Invalid(f'{each!r} is no renaming; write them like "Site name=name,Zip=postal_code".')
        found[given] = _folded(ours)
    return found


def _spelled(value: Any, type_name: str) -> Any:
    """A cell as people write it in a table, where it can mean only one thing."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if type_name == NUMBER and _THOUSANDS.fullmatch(text):
        return re.sub(r"\D", "", text)
    if type_name in (NUMBER, LATITUDE, LONGITUDE) and _DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    if type_name == URL and _BARE_SITE.fullmatch(text):
        return f"https://{text}"
    if type_name in (MOMENT, DAY) and (found := _WITH_DOTS.fullmatch(text)):
        day, month, year, clock = found.groups()
        return f"{year}-{month:0>2}-{day:0>2}" + (f"T{clock:0>5}" if clock else "")
    return value


def _folded(name: str) -> str:
    return _APART.sub("_", name.strip().casefold()).strip("_")

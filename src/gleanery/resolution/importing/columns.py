"""Maps the columns of a file to fields, and reads the kind, id and fields of each row. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gleanery.errors import Invalid
from gleanery.kinds import KINDS
from gleanery.matching import normal
from gleanery.resolution.importing.cells import currency_of, standard_spelling, sum_of
from gleanery.resolution.importing.column_synonyms import doubt, synonym
from gleanery.resolution.importing.hash_set import HashSet
from gleanery.resolution.records.values import NAMELESS, value_of

OWN = ("id", "source", "kind")  # columns that are not fields
_APART = re.compile(r"[\W_]+")
# Fields that make the id of a row in a file without ids. More than identity: two times of one event are two rows.
APART = ("name", "start", "deadline", "year", "address", "locality", "region", "postal_code", "venue_name")
RUN_BY = ("organizer_name", "funder_name", "provider_name")  # each kind has at most one of these
MOST_TAKEN = 1_000  # JSON lines may have any number of names
BY = (*RUN_BY, "virtual_url", "official_id")


class RowFields(NamedTuple):
    kind: str
    external_id: str
    fields: dict[str, Any]


class Columns:
    """Columns of one file, and a reader of its rows. `renames` maps names in the file to fields.

    After reading, `unknown` has the columns that mean nothing, `taken` those understood by a synonym.
    """

    def __init__(self, kind: str = "", renames: Mapping[str, str] | None = None) -> None:
        if kind and kind not in KINDS:
            raise Invalid(f"{kind!r} is not a kind of record. Use one of {', '.join(KINDS)}.")
        self.kind = kind
        self.renames = {_folded(given): ours for given, ours in (renames or {}).items()}
        self.unknown: set[str] = set()  # spelled as in the file, like those in `taken`
        self.taken: dict[str, str] = {}
        self._by_header: Mapping[str, str] | None = None
        self._by_names: dict[tuple[str, ...], Mapping[str, str]] = {}
        self._made = HashSet()
        self._again: dict[str, int] = {}
        self._known = frozenset(known := understood(kind))
        for ours in self.renames.values():
            if ours not in known:
                raise Invalid(f"{ours!r} is not a field of {kind or 'any kind'}. Use one of {', '.join(known)}.")

    def of_header(self, cells: Sequence[str]) -> list[str]:
        """Return the names in the header; refuse it if two mean the same field or one to be renamed is missing."""
        there = {_folded(cell) for cell in cells}
        if missing := [given for given in self.renames if given not in there]:
            raise Invalid(
                f"There is no column {missing[0]!r} to rename. The columns are {', '.join(filter(None, cells))}."
            )
        self._by_header = self._synonyms(cells)
        ours = [name for cell in cells if (name := self.name_of(cell))]
        if not self.kind and "kind" not in ours:
            raise Invalid(f"No column gives the kind of each row. Give --kind, one of {', '.join(KINDS)}.")
        if twice := next((name for name in ours if ours.count(name) > 1), ""):
            raise Invalid(f"Two columns mean {twice}. Rename one of them with --map, or leave it out.")
        return list(cells)

    def name_of(self, given: str) -> str:
        """Return the field of a column, ignoring spaces and case. Synonyms count once the header is known."""
        folded = _folded(given)
        return self.renames.get(folded) or (self._by_header or {}).get(folded, folded)

    def is_understood(self, given: str) -> bool:
        """Return True if a column of this name is understood, unless another column means the same."""
        folded = _folded(given)
        return folded in self.renames or folded in self._known or synonym(self.kind, given) in self._known

    def _synonyms(self, given: Sequence[str]) -> dict[str, str]:
        """Return field per folded name, for synonyms of fields that no other column has; the first column wins.

        Fields of the kind itself go first: the funder counts as organiser of an event only if no column names one.
        """
        own = KINDS[self.kind].fields.keys() if self.kind else self._known
        plain = {cell: self.renames.get(_folded(cell), _folded(cell)) for cell in given}
        there, found = set(plain.values()), dict[str, str]()
        meant = {cell: field for cell, ours in plain.items() if (field := self._other_name(cell, ours))}
        for cell, field in sorted(meant.items(), key=lambda each: (each[1] not in own, doubt(each[0]))):
            runs = there.intersection(RUN_BY) if field not in own else ()
            if field not in there and not runs:
                there.add(field)
                found[plain[cell]] = field
                if len(self.taken) < MOST_TAKEN:
                    self.taken[cell.strip()] = field
        return found

    def _other_name(self, cell: str, ours: str) -> str:
        field = "" if ours in self._known else synonym(self.kind, cell)
        return field if field in self._known else ""

    def _names(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the field of each cell. Without a header each row is read alone, so ids depend on no other row."""
        if (others := self._by_header) is None:
            names = tuple(given)
            others = self._by_names.get(names)
            if others is None:
                others = self._synonyms(names)
                if len(self._by_names) < MOST_TAKEN:
                    self._by_names[names] = others
        return {name: others.get(ours := self.name_of(name), ours) for name in given if name}

    def read(self, given: Mapping[str, Any]) -> RowFields:
        """Return kind, id and fields of a row, without empty cells."""
        names = self._names(given)
        named = {names[name]: value for name, value in given.items() if name and value not in (None, "")}
        kind = self.kind or str(named.get("kind") or "").strip().lower()
        if kind not in KINDS:
            problem = f"{kind!r} is not a kind of record" if kind else "The row has no kind. Give --kind"
            raise Invalid(f"{problem}; the kinds are {', '.join(KINDS)}.")
        types = KINDS[kind].fields
        if (own := _runner(kind)) and own not in names.values():
            runner = next((name for name in RUN_BY if name in named), None)
            named |= {own: named.pop(runner)} if runner else {}
        fields = _fields(named, types)
        if nothing := named.keys() - fields.keys() - set(OWN):
            self.unknown |= {name.strip() for name, ours in names.items() if ours in nothing}
        fields = self._readable(kind, fields)
        if not str(fields.get("name") or "").strip():
            raise Invalid(NAMELESS)
        return RowFields(kind, self._id(kind, named, fields), fields)

    def _readable(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Leave out unreadable values of columns understood by a synonym; they remain in the original."""
        guessed = set(self.taken.values())
        return {name: value for name, value in fields.items() if name not in guessed or _can_be_read(kind, name, value)}

    def _id(self, kind: str, named: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
        """Return the id in the file, else one made from distinguishing fields; equal rows are numbered in order."""
        of = str(named.get("source") or "").strip()
        if own := str(named.get("id") or "").strip():
            return f"{of} {own}" if of else own
        parts = [kind, of, *(normal.name(str(fields.get(name) or "")) for name in (*APART, *BY))]
        digest = _digest("\0".join(parts))
        if not self._made.add(digest):
            self._again[digest] = self._again.get(digest, 1) + 1
            digest = _digest(f"{digest} {self._again[digest]}")
        return f"row-{digest[:24]}"


def _can_be_read(kind: str, name: str, value: Any) -> bool:
    try:
        value_of(kind, name, value)
    except Invalid:
        return False
    return True


def _fields(named: Mapping[str, Any], types: Mapping[str, str]) -> dict[str, Any]:
    """Return the field values in standard spelling; the currency comes from an amount if no cell names it."""
    country = str(named.get("country") or "")
    fields: dict[str, Any] = {}
    currencies = set()
    for name, value in named.items():
        if name not in types:
            continue
        if found := sum_of(value, name):
            fields[name] = found[0]
            currencies.add(currency_of(value, found[1], country))
        else:
            fields[name] = standard_spelling(value, types[name], country=country)
    currencies.discard("")
    if "currency" not in fields and len(currencies) == 1:
        fields["currency"] = currencies.pop()
    return fields


def _runner(kind: str) -> str | None:
    """Return the field for the organisation that runs things of this kind; a file may use another of RUN_BY."""
    return next((name for name in RUN_BY if name in KINDS[kind].fields), None)


def understood(kind: str) -> list[str]:
    """Return the field names understood in a file of this kind, or of any kind."""
    kinds = [kind] if kind else list(KINDS)
    return sorted(set(OWN).union(*(KINDS[each].fields for each in kinds), *(RUN_BY for each in kinds if _runner(each))))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def read_renames(text: str) -> dict[str, str]:
    """Return field per column name, from text like `Site name=name,Zip=postal_code`."""
    found = {}
    for each in filter(None, (part.strip() for part in text.split(","))):
        given, sign, ours = (part.strip() for part in each.rpartition("="))
        if not (given and sign and ours):
            raise Invalid(
                f'{each!r} does not name a column and a field. Write them like "Site name=name,Zip=postal_code".'
            )
        found[given] = _folded(ours)
    return found


def _folded(name: str) -> str:
    return _APART.sub("_", name.strip().casefold()).strip("_")

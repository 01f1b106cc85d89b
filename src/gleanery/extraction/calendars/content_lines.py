"""Content lines of a calendar: unfolded, numbered, split into name, parameters and value, all capped. Pure."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

LONGEST_LINE = 20_000
MOST_PARAMETERS = 20

NAME = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]{0,60})\s?(?=[:;])")
_PARAMETER = re.compile(r";\s?([A-Za-z0-9-]{1,60})=(\"[^\"]*\"|[^;:\"]*)")
_FOLDS = " \t"


class Property(NamedTuple):
    """One property of the file. `rest` holds its parameters and value, not parsed yet."""

    line: int
    name: str
    rest: str

    @property
    def value(self) -> str:
        return self.rest[1:].strip() if self.rest.startswith(":") else self._split()[1]

    @property
    def parameters(self) -> dict[str, str]:
        return {} if self.rest.startswith(":") else self._split()[0]

    def _split(self) -> tuple[dict[str, str], str]:
        """Split parameters and value. A broken parameter ends the list; the value begins at the next colon."""
        found: dict[str, str] = {}
        at = 0
        while len(found) < MOST_PARAMETERS and (match := _PARAMETER.match(self.rest, at)):
            found.setdefault(match[1].upper(), match[2].strip('" '))
            at = match.end()
        return found, self.rest[at:].partition(":")[2].strip()


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Number the lines, split at CR and LF only and not at other Unicode separators."""
    return enumerate(io.StringIO(text, newline=""), 1)


def unfolded(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield unfolded lines with the number of their first line, without empty ones."""
    first, pieces, length = 0, [""], 0
    for number, written in lines:
        line = written.rstrip("\r\n")
        if line[:1] in _FOLDS and (line or not written):
            if length < LONGEST_LINE:
                pieces.append(line[1:])
                length += len(line)
        elif line:
            if first:
                yield first, "".join(pieces)[:LONGEST_LINE]
            first, pieces, length = number, [line], len(line)
    if first:
        yield first, "".join(pieces)[:LONGEST_LINE]

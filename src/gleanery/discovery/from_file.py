"""Results that somebody brings in a file: sifted and taken in by the ten thousand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

from gleanery.discovery import services
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import take_in
from gleanery.discovery.models import Session
from gleanery.discovery.providers.manual_input import NAME, BadLine
from gleanery.discovery.sifting import Sifted, sift

LINES_AT_ONCE = 10_000


def take_in_lines(session: Session, lines: Iterable[Hit | BadLine], tell: Callable[[int], None]) -> Session:
    """Every line becomes a row, a bad one too; `tell` hears how many lines each step took."""
    places = Places()
    batch: list[Sifted] = []
    for line in lines:
        batch.append(places.free(_sifted(line)))
        if len(batch) == LINES_AT_ONCE:
            _take(session, batch, tell)
    _take(session, batch, tell)
    return services.close_session(session)


def _take(session: Session, batch: list[Sifted], tell: Callable[[int], None]) -> None:
    services.renew(session)
    taken: Counter[str] = take_in(session.pk, NAME, batch)
    tell(taken.total())
    batch.clear()


def _sifted(line: Hit | BadLine) -> Sifted:
    """Whatever is wrong with a line is told with its number, be it the JSON or the address in it."""
    if isinstance(line, BadLine):
        return Sifted("", "", "", "", line.number, outcome="invalid", reason=f"Line {line.number}: {line.reason}")
    sifted = sift(line)
    return replace(sifted, reason=f"Line {line.line}: {sifted.reason}") if sifted.outcome == "invalid" else sifted


class Places:
    """A position may be taken already in a file that somebody wrote: the line then gets the first free one."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, set[int]] = defaultdict(set)
        self._free: defaultdict[str, int] = defaultdict(lambda: 1)

    def free(self, hit: Sifted) -> Sifted:
        taken, position = self._taken[hit.query], hit.position
        if position in taken:
            position = self._free[hit.query]
            while position in taken:
                position += 1
            self._free[hit.query] = position + 1
        taken.add(position)
        return hit if position == hit.position else replace(hit, position=position)

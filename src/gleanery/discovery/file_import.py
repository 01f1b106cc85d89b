"""Imports results from a file, in batches of ten thousand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

from gleanery.discovery import services
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import store_hits
from gleanery.discovery.models import Session
from gleanery.discovery.providers.manual_input import NAME, BadLine
from gleanery.discovery.screening import ScreenedHit, screen

LINES_AT_ONCE = 10_000


def import_lines(session: Session, lines: Iterable[Hit | BadLine], progress: Callable[[int], None]) -> Session:
    """Store every line, including invalid ones; `progress` is called with the number of lines per batch."""
    places = FreePositions()
    batch: list[ScreenedHit] = []
    for line in lines:
        batch.append(places.free(_screened(line)))
        if len(batch) == LINES_AT_ONCE:
            _take(session, batch, progress)
    _take(session, batch, progress)
    return services.close_session(session)


def _take(session: Session, batch: list[ScreenedHit], progress: Callable[[int], None]) -> None:
    services.renew(session)
    taken: Counter[str] = store_hits(session.pk, NAME, batch)
    progress(taken.total())
    batch.clear()


def _screened(line: Hit | BadLine) -> ScreenedHit:
    """Return the checked line; a problem is reported with the line number."""
    if isinstance(line, BadLine):
        return ScreenedHit("", "", "", "", line.number, outcome="invalid", reason=f"Line {line.number}: {line.reason}")
    screened = screen(line)
    return (
        replace(screened, reason=f"Line {line.line}: {screened.reason}") if screened.outcome == "invalid" else screened
    )


class FreePositions:
    """Gives lines whose position is already taken the first free position of their query."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, set[int]] = defaultdict(set)
        self._free: defaultdict[str, int] = defaultdict(lambda: 1)

    def free(self, hit: ScreenedHit) -> ScreenedHit:
        taken, position = self._taken[hit.query], hit.position
        if position in taken:
            position = self._free[hit.query]
            while position in taken:
                position += 1
            self._free[hit.query] = position + 1
        taken.add(position)
        return hit if position == hit.position else replace(hit, position=position)

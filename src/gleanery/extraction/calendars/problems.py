"""Problems found in a calendar, by line and without duplicates. Pure."""

from __future__ import annotations

MOST_NOTES = 500


class Problems:
    def __init__(self) -> None:
        self._said: dict[str, int] = {}

    def add(self, line: int, sentence: str) -> None:
        if len(self._said) < MOST_NOTES:
            self._said.setdefault(f"Line {line}: {sentence}", line)

    def sentences(self) -> tuple[str, ...]:
        return tuple(sorted(self._said, key=self._said.__getitem__))

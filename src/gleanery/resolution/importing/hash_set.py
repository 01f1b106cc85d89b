"""A memory-saving set of the keys that a file has had so far. Pure."""

from __future__ import annotations

from array import array


class HashSet:
    """A set of hashes that uses 16 to 32 bytes each, where a Python set uses a hundred and more."""

    def __init__(self) -> None:
        self._table, self._count = array("Q", bytes(8 * 1024)), 0

    def add(self, digest: str) -> bool:
        """Add a digest and return True, or return False if it was added before."""
        if self._count * 2 >= len(self._table):
            self._grow()
        return self._put(int(digest[:16], 16) or 1)

    def _put(self, value: int) -> bool:
        table, place = self._table, value % len(self._table)
        while table[place]:
            if table[place] == value:
                return False
            place = (place + 1) % len(table)
        table[place] = value
        self._count += 1
        return True

    def _grow(self) -> None:
        old, self._count = self._table, 0
        self._table = array("Q", bytes(8 * 2 * len(old)))
        for value in filter(None, old):
            self._put(value)

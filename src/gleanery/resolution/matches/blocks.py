"""Which rows of a file are worth comparing: those that share a key which not too many have. Pure, in little memory."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b

from gleanery.resolution.matches.keys import keys
from gleanery.resolution.matches.traits import Traits

PARTS = 64
# A key that more than 50 share says nothing, and is passed over; a small file can afford to look at larger groups.
FEW, MANY = 50, (400, 200, 100)
PAIRS_A_ROW, MOST_PAIRS = 200, 3_000_000


def fingerprints(one: Traits) -> bytes:
    """Of its keys, eight bytes each."""
    return b"".join(blake2b(f"{rule}\0{value}".encode(), digest_size=8).digest() for rule, value in keys(one))


class Neighbours:
    """For each row the groups that it is in; all of them numbers."""

    def __init__(self, rows: int, groups: list[array[int]]) -> None:
        self._groups = groups
        self._of: list[array[int]] = [array("I") for _ in range(rows)]
        for number, group in enumerate(groups):
            for row in group:
                self._of[row].append(number)

    def after(self, row: int) -> list[int]:
        """The later rows that it has a key in common with."""
        found: set[int] = set()
        for number in self._of[row]:
            group = self._groups[number]
            found.update(group[bisect_right(group, row) :])
        return sorted(found)


class Blocks:
    """Takes the keys of row after row. They are kept in parts, so that only one at a time is taken apart."""

    def __init__(self) -> None:
        self.rows = 0
        self._keys = [array("Q") for _ in range(PARTS)]
        self._rows = [array("I") for _ in range(PARTS)]
        self._like: dict[int, int] = {}
        self._chains: list[array[int]] = []

    def add(self, one: Traits, prints: bytes) -> None:
        row = self.rows
        for key in memoryview(prints).cast("Q"):
            self._keys[key % PARTS].append(key)
            self._rows[key % PARTS].append(row)
        same = hash(one)
        if same in self._like:  # rows that say the very same find each other, however many they are
            self._chains.append(array("I", [self._like[same], row]))
        self._like[same] = row
        self.rows += 1

    def neighbours(self) -> Neighbours:
        groups = [group for part in range(PARTS) for group in self._groups(part)]
        most = self._most(Counter(map(len, groups)))
        return Neighbours(self.rows, [*(group for group in groups if len(group) <= most), *self._chains])

    def _groups(self, part: int) -> Iterator[array[int]]:
        found: dict[int, list[int]] = {}
        for key, row in zip(self._keys[part], self._rows[part], strict=True):
            found.setdefault(key, []).append(row)
        return (array("I", rows) for rows in found.values() if 1 < len(rows) <= max(MANY))

    def _most(self, sizes: Counter[int]) -> int:
        room = min(MOST_PAIRS, PAIRS_A_ROW * self.rows)
        for most in MANY:
            if sum(many * size * (size - 1) // 2 for size, many in sizes.items() if size <= most) <= room:
                return most
        return FEW

"""Blocking of table rows: finds rows that share a key which few rows have, in little memory. Pure."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import blake2b

from gleanery.matching.facts import Facts
from gleanery.matching.keys import keys

PARTS = 64
# Keys shared by more than 50 rows are ignored; a small table can afford larger groups.
FEW, MANY = 50, (400, 200, 100)
PAIRS_A_ROW, MOST_PAIRS = 200, 600_000
LEAST_VOTE = 0.26  # in a large table: a single key shared with four others is not enough


def fingerprints(one: Facts) -> bytes:
    """Return the hashed keys of a row, eight bytes each."""
    return b"".join(blake2b(f"{rule}\0{value}".encode(), digest_size=8).digest() for rule, value in keys(one))


class Neighbours:
    """Index of the groups each row is in.

    Two rows are neighbours if the votes of their common groups reach `least`; large groups have small votes.
    """

    def __init__(self, rows: int, groups: list[array[int]], least: float = 0.0) -> None:
        self._groups = groups
        self._least = least
        self._of: list[array[int]] = [array("I") for _ in range(rows)]
        for number, group in enumerate(groups):
            for row in group:
                self._of[row].append(number)

    def after(self, row: int) -> list[int]:
        """Return the neighbours of a row that come after it."""
        votes: defaultdict[int, float] = defaultdict(float)
        for number in self._of[row]:
            group = self._groups[number]
            vote = 1 / (len(group) - 1)
            for other in group[bisect_right(group, row) :]:
                votes[other] += vote
        return sorted(other for other, vote in votes.items() if vote >= self._least)


class Blocks:
    """Collects the keys of each row, partitioned so that only one part is processed at a time."""

    def __init__(self) -> None:
        self.rows = 0
        self._keys = [array("Q") for _ in range(PARTS)]
        self._rows = [array("I") for _ in range(PARTS)]
        self._like: dict[int, int] = {}
        self._chains: list[array[int]] = []

    def add(self, one: Facts, prints: bytes) -> None:
        row = self.rows
        keys, rows = self._keys, self._rows
        for key in memoryview(prints).cast("Q"):
            part = key % PARTS
            keys[part].append(key)
            rows[part].append(row)
        same = hash(one)
        if same in self._like:  # identical rows always find each other, however many there are
            self._chains.append(array("I", [self._like[same], row]))
        self._like[same] = row
        self.rows += 1

    def neighbours(self) -> Neighbours:
        groups = [group for part in range(PARTS) for group in self._groups(part)]
        most, least = self._limits(Counter(map(len, groups)))
        return Neighbours(self.rows, [*(group for group in groups if len(group) <= most), *self._chains], least)

    def _groups(self, part: int) -> Iterator[array[int]]:
        """Return the rows of each shared key; keys with one row, the most common, cost no list."""
        first: dict[int, int] = {}
        shared: dict[int, list[int]] = {}
        for key, row in zip(self._keys[part], self._rows[part], strict=True):
            if key not in first:
                first[key] = row
            elif key in shared:
                shared[key].append(row)
            else:
                shared[key] = [first[key], row]
        return (array("I", rows) for rows in shared.values() if len(rows) <= max(MANY))

    def _limits(self, sizes: Counter[int]) -> tuple[int, float]:
        """Return the largest usable group and the least vote; a small table needs no vote."""
        room = min(MOST_PAIRS, PAIRS_A_ROW * self.rows)
        for most in (*MANY, FEW):
            if sum(many * size * (size - 1) // 2 for size, many in sizes.items() if size <= most) <= room:
                return most, 0.0
        return FEW, LEAST_VOTE

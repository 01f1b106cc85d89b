"""Wording: how far the words of a result speak for spam, as learned from labelled results.

The score is a sum over words, so it can be told which of them speak loudest. A word is seen as itself and as the
pieces of three to five letters in it, so that inflected and disguised forms count too. `tools/train_wording.py`
makes the weights.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import NamedTuple
from zlib import crc32

from gleanery.discovery.spam.reading import Reading

SLOTS = 1 << 17
PIECES = (3, 4, 5)
HEADER = struct.Struct("<fff")  # bias, what one step of a weight is worth, what one step of a rarity is worth
ENDING = re.compile(r"[.\-\d]+")


class Model(NamedTuple):
    """For each slot a weight and a rarity: common pieces say little, whatever they say."""

    bias: float
    weights: array[float]
    rarities: array[float]


def units(reading: Reading, *, host: bool = True) -> Iterator[str]:
    """Each word once, each pair of neighbours once, and the words of the title and the host, marked as such."""
    tokens = reading.tokens
    yield from set(tokens)
    yield from {f"^{word}" for word in reading.title_tokens}
    if host:
        yield from {f"@{word}" for word in ENDING.split(reading.domain.display) if word}
    yield from {f"{first} {second}" for first, second in pairwise(tokens)}


def slots(unit: str) -> list[int]:
    if " " in unit or unit[0] == "^":
        return [crc32(unit.encode()) % SLOTS]
    framed = f"<{unit}>"
    pieces = [framed[at : at + size] for size in PIECES for at in range(len(framed) - size + 1)]
    return [crc32(piece.encode()) % SLOTS for piece in (framed, *pieces)]


def score_of(reading: Reading, *, host: bool = True) -> float:
    """Above 0 the words speak for spam; the length of the text does not matter."""
    total = size = 0.0
    for unit in units(reading, host=host):
        weight, room = _voice(unit)
        total += weight
        size += room
    return MODEL.bias + total / (sqrt(size) or 1.0)


def telling(reading: Reading) -> list[str]:
    """The words that speak loudest for spam, the loudest first."""
    loudest = sorted(units(reading), key=lambda unit: (-_voice(unit)[0], unit))
    return list(dict.fromkeys(unit.lstrip("@^") for unit in loudest))


@lru_cache(maxsize=1 << 16)
def _voice(unit: str) -> tuple[float, float]:
    """What a unit adds to the sum and to the length; the same words come again and again."""
    found = slots(unit)
    return sum(MODEL.weights[slot] for slot in found), sum(MODEL.rarities[slot] ** 2 for slot in found)


def _load() -> Model:
    data = (files(__package__) / "wording.bin").read_bytes()
    bias, weight, rarity = HEADER.unpack_from(data)
    steps = array("b", data[HEADER.size : HEADER.size + SLOTS])
    rarities = data[HEADER.size + SLOTS :]
    return Model(bias, array("f", (step * weight for step in steps)), array("f", (step * rarity for step in rarities)))


MODEL = _load()

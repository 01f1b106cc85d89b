"""Wording: how far the words of a result speak for spam, as learned from labelled results.

The score is a sum over features, so it can be told which words speak loudest. A word is seen as itself and as the
pieces of three to five letters in it, so that inflected and disguised forms count too; the shape of text and host
counts beside them. What is rare says most, so a feature's size is its rarity to the third power; what only one
author wrote says nothing. `tools/train_wording.py` makes the weights.
"""

from __future__ import annotations

import re
import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import NamedTuple
from zlib import crc32

from gleanery.discovery.spam.reading import Reading
from gleanery.domains.names import DomainName

PIECES = (3, 4, 5)
POWER = 3  # of the rarity
HEADER = struct.Struct("<Ifff")  # how many features, the bias, what one step of a weight and of a rarity is worth
ENDING = re.compile(r"[.\-\d]+")
MARKS = re.compile(r"[^\w\s]")
SHAPE, HOST = "!", "="  # what a unit begins with that is no word


class Model(NamedTuple):
    """What the score is made of: features by their sorted keys, each with its weight and its rarity, in steps."""

    bias: float
    keys: array[int]
    weights: array[int]
    rarities: bytes
    step: float  # of a weight
    squares: tuple[float, ...]  # of the size that each step of a rarity stands for


def units(reading: Reading, *, host: bool = True) -> Iterator[str]:
    """The words, the pairs of neighbours and the shape of the text, and the words and the shape of the host."""
    tokens = reading.tokens
    yield from set(tokens)
    yield from {f"{first} {second}" for first, second in pairwise(tokens)}
    yield from _text_shape(reading)
    if host:
        yield from _host_units(reading.domain)


def _text_shape(reading: Reading) -> Iterator[str]:
    """How long title and description are, how many numbers they hold, and which marks."""
    title, numbers = len(reading.title_tokens), sum(token[0].isdigit() for token in reading.tokens)
    yield f"!title{min(title // 2, 8)}"
    yield f"!words{min((len(reading.tokens) - title) // 5, 10)}"
    yield f"!numbers{min(numbers, 6)}"
    for name, text in (("", reading.text), ("title", reading.title)):
        yield from [f"!{name}{mark}" for mark in MARKS.findall("".join(set(text)))]


@lru_cache(maxsize=4096)
def _host_units(domain: DomainName) -> tuple[str, ...]:
    """The words of a name, its pieces, its ending, and how long it is and of how many parts."""
    host = domain.display
    return (
        *dict.fromkeys(f"@{word}" for word in ENDING.split(host) if word),
        f"{HOST}{domain.registrable.partition('.')[0]}",
        f"!.{host.rpartition('.')[2]}",
        f"!hyphens{min(host.count('-'), 3)}",
        f"!letters{min(len(host) // 4, 8)}",
        f"!dots{host.count('.')}",
    )


def keys(unit: str) -> list[int]:
    """The features of a unit as numbers: itself, and the pieces of a word; those of a host are kept apart."""
    mark = HOST if unit[0] == HOST else ""
    if unit[0] == SHAPE or " " in unit:
        return [crc32(unit.encode())]
    framed = f"<{unit[len(mark) :]}>"
    pieces = [framed[at : at + size] for size in PIECES for at in range(len(framed) - size + 1)]
    return [crc32(f"{mark}{piece}".encode()) for piece in (framed, *pieces)]


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
    words = [unit for unit in units(reading) if unit[0] != SHAPE]
    loudest = sorted(words, key=lambda unit: (-_voice(unit)[0], unit))
    return list(dict.fromkeys(unit.lstrip("@=") for unit in loudest))


@lru_cache(maxsize=1 << 16)
def _voice(unit: str) -> tuple[float, float]:
    """What a unit adds to the sum and to the length; the same words come again and again."""
    places = [(key, bisect_left(MODEL.keys, key)) for key in keys(unit)]
    known = [at for key, at in places if at < len(MODEL.keys) and MODEL.keys[at] == key]
    weight = MODEL.step * sum(MODEL.weights[at] for at in known)
    return weight, sum(MODEL.squares[MODEL.rarities[at]] for at in known)


def _load() -> Model:
    """As it lies in the file: to unpack some hundred thousand numbers would hold up every command."""
    data = (files(__package__) / "wording.bin").read_bytes()
    count, bias, step, rarity = HEADER.unpack_from(data)
    found = array("I"), array("h")
    at = HEADER.size
    for column in found:
        column.frombytes(data[at : at + count * column.itemsize])
        at += count * column.itemsize
        if sys.byteorder == "big":
            column.byteswap()
    return Model(bias, *found, data[at:], step, tuple((each * rarity) ** (2 * POWER) for each in range(256)))


MODEL = _load()

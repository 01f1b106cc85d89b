"""A linear model of the wording of spam, trained on labelled results.

The score is a sum over features, so the strongest words can be shown. A word counts as itself and by its pieces of
three to five letters, so that inflected and disguised forms count too; the shape of text and host are further
features. Rare features count more (rarity to the third power); features used by a single author are ignored.
`tools/train_wording.py` trains the weights.
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

from gleanery.discovery.spam.result_text import ResultText
from gleanery.domains.names import DomainName

PIECES = (3, 4, 5)
POWER = 3  # of the rarity
HEADER = struct.Struct("<Ifff")  # number of features, bias, step of a weight, step of a rarity
ENDING = re.compile(r"[.\-\d]+")
MARKS = re.compile(r"[^\w\s]")
SHAPE, HOST = "!", "="  # prefixes of units that are not words


class Model(NamedTuple):
    """The trained model: sorted keys of features, with weights and rarities in steps."""

    bias: float
    keys: array[int]
    weights: array[int]
    rarities: bytes
    step: float  # of a weight
    squares: tuple[float, ...]  # squared size for each step of a rarity


def units(result: ResultText, *, host: bool = True) -> Iterator[str]:
    """Yield the units of a result: words, word pairs and shape of the text, words and shape of the host."""
    tokens = result.tokens
    yield from set(tokens)
    yield from {f"{first} {second}" for first, second in pairwise(tokens)}
    yield from _text_shape(result)
    if host:
        yield from _host_units(result.domain)


def _text_shape(result: ResultText) -> Iterator[str]:
    """Yield the lengths of title and description, the count of numbers, and the punctuation used."""
    title, numbers = len(result.title_tokens), sum(token[0].isdigit() for token in result.tokens)
    yield f"!title{min(title // 2, 8)}"
    yield f"!words{min((len(result.tokens) - title) // 5, 10)}"
    yield f"!numbers{min(numbers, 6)}"
    for name, text in (("", result.text), ("title", result.title)):
        yield from [f"!{name}{mark}" for mark in MARKS.findall("".join(set(text)))]


@lru_cache(maxsize=4096)
def _host_units(domain: DomainName) -> tuple[str, ...]:
    """Return the words of a host name, its ending, its length and its number of parts."""
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
    """Return the feature keys of a unit: itself and its pieces, separate for hosts."""
    mark = HOST if unit[0] == HOST else ""
    if unit[0] == SHAPE or " " in unit:
        return [crc32(unit.encode())]
    framed = f"<{unit[len(mark) :]}>"
    pieces = [framed[at : at + size] for size in PIECES for at in range(len(framed) - size + 1)]
    return [crc32(f"{mark}{piece}".encode()) for piece in (framed, *pieces)]


def score_of(result: ResultText, *, host: bool = True) -> float:
    """Return the score, above 0 for spam, independent of the length of the text."""
    total = size = 0.0
    for unit in units(result, host=host):
        weight, room = _contribution(unit)
        total += weight
        size += room
    return MODEL.bias + total / (sqrt(size) or 1.0)


def strongest_words(result: ResultText) -> list[str]:
    """Return the words with the highest weight for spam, highest first."""
    words = [unit for unit in units(result) if unit[0] != SHAPE]
    loudest = sorted(words, key=lambda unit: (-_contribution(unit)[0], unit))
    return list(dict.fromkeys(unit.lstrip("@=") for unit in loudest))


@lru_cache(maxsize=1 << 16)
def _contribution(unit: str) -> tuple[float, float]:
    """Return what a unit adds to the sum and to the length; cached, since words recur."""
    places = [(key, bisect_left(MODEL.keys, key)) for key in keys(unit)]
    known = [at for key, at in places if at < len(MODEL.keys) and MODEL.keys[at] == key]
    weight = MODEL.step * sum(MODEL.weights[at] for at in known)
    return weight, sum(MODEL.squares[MODEL.rarities[at]] for at in known)


def _load() -> Model:
    """Load the model as arrays, since unpacking hundreds of thousands of numbers would slow every start."""
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

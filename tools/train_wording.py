"""Learns the weights of `discovery/spam/wording.py` from labelled results, and says how well that goes.

    .venv/bin/python tools/train_wording.py            # leave authors out: how it does on rows of somebody new
    .venv/bin/python tools/train_wording.py --write    # learn from all and write the weights

Rows come from tests/discovery/data/wording/ (one file an author), the even half of spam_results.jsonl, and the invented
results of the tests. The odd half is never read here. Logistic regression by AdaGrad, in a fixed order, so that the
same rows always give the same weights.
"""

from __future__ import annotations

import json
import random
import sys
from array import array
from collections.abc import Iterable, Iterator
from math import exp, log, sqrt
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from gleanery.discovery.spam import table_rule
from gleanery.discovery.spam.reading import Reading, read
from gleanery.discovery.spam.wording import HEADER, SLOTS, slots, units
from gleanery.domains.names import DomainName, domain_of
from gleanery.errors import InvalidDomain

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "discovery"
TARGET = ROOT / "src" / "gleanery" / "discovery" / "spam" / "wording.bin"
ROUNDS = 30
RATE = 0.5
SHRINK = 1e-6
LESSONS = 6


class Row(NamedTuple):
    author: str
    spam: bool
    features: dict[int, float]
    ruled: bool


class Learned(NamedTuple):
    bias: float
    weights: list[float]
    rarities: list[float]


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    for file in sorted((DATA / "data" / "wording").glob("*.jsonl")):
        yield from ((file.stem, row) for row in _lines(file))
    yield from (("invented", row) for row in _lines(DATA / "spam" / "invented.jsonl"))
    yield from (("even", row) for row in _lines(DATA / "data" / "spam_results.jsonl") if int(row["id"][1:]) % 2 == 0)


def _lines(file: Path) -> Iterator[dict[str, str]]:
    for line in file.read_text().splitlines():
        if line.strip():
            yield json.loads(line)


def reading_of(row: dict[str, str]) -> Reading:
    host = row.get("domain") or urlsplit(row["url"]).hostname or ""
    try:
        domain = domain_of(host)
    except InvalidDomain:
        domain = DomainName(host, host)
    return read(row["title"], row["description"], domain)


def rarities_of(all_slots: list[list[int]]) -> list[float]:
    seen = [0] * SLOTS
    for found in all_slots:
        for slot in set(found):
            seen[slot] += 1
    return [log((1 + len(all_slots)) / (1 + count)) + 1 for count in seen]


def prepared() -> tuple[list[Row], list[float]]:
    labelled = [(author, row["label"] == "spam", reading_of(row)) for author, row in rows()]
    found = [[slot for unit in units(reading) for slot in slots(unit)] for _, _, reading in labelled]
    rarities = rarities_of(found)
    made = []
    for (author, spam, reading), each in zip(labelled, found, strict=True):
        length = sqrt(sum(rarities[slot] ** 2 for slot in each)) or 1.0
        features: dict[int, float] = {}
        for slot in each:
            features[slot] = features.get(slot, 0.0) + rarities[slot] / length
        made.append(Row(author, spam, features, table_rule(reading) is not None))
    return made, rarities


def learn(given: Iterable[Row], rarities: list[float]) -> Learned:
    order = list(given)
    weights, pace = [0.0] * SLOTS, [1e-8] * SLOTS
    bias = 0.0
    chance = random.Random(7)  # noqa: S311  # the same order every time
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for row in order:
            score = bias + sum(weights[slot] * value for slot, value in row.features.items())
            error = (1 / (1 + exp(-max(-30.0, min(30.0, score))))) - row.spam
            bias -= 0.01 * error
            for slot, value in row.features.items():
                slope = error * value + SHRINK * weights[slot]
                pace[slot] += slope * slope
                weights[slot] -= RATE * slope / sqrt(pace[slot])
    return Learned(bias, weights, rarities)


def score(learned: Learned, row: Row) -> float:
    return learned.bias + sum(learned.weights[slot] * value for slot, value in row.features.items())


def report(scored: list[tuple[float, Row]], with_rule: float) -> None:
    """How much spam is caught where a given part of the honest rows is lost."""
    total = [(value + with_rule * row.ruled, row.spam) for value, row in scored]
    honest = sorted((value for value, spam in total if not spam), reverse=True)
    spam = [value for value, is_spam in total if is_spam]
    for lost in (0.005, 0.01, 0.02, 0.04):
        limit = honest[int(lost * len(honest))]
        caught = sum(value > limit for value in spam) / len(spam)
        sys.stdout.write(f"  honest lost {lost:.1%}: spam caught {caught:.3f} (limit {limit:.2f})\n")


def leave_authors_out(made: list[Row], rarities: list[float]) -> None:
    """A few at a time: each would take as many lessons as there are authors."""
    authors = sorted({row.author for row in made} - {"invented", "even"})
    scored: list[tuple[float, Row]] = []
    for group in (authors[start::LESSONS] for start in range(LESSONS)):
        learned = learn((row for row in made if row.author not in group), rarities)
        scored += [(score(learned, row), row) for row in made if row.author in group]
    rules = [row for _, row in scored if row.ruled]
    sys.stdout.write(f"{len(scored)} rows of {len(authors)} authors, each judged without having seen its author\n")
    sys.stdout.write(
        f"tables alone: caught {sum(row.spam for row in rules) / sum(row.spam for _, row in scored):.3f}, "
        f"honest lost {sum(not row.spam for row in rules) / sum(not row.spam for _, row in scored):.1%}\n"
    )
    for with_rule in (0.0, 1.0, 2.0, 3.0):
        sys.stdout.write(f"wording, with {with_rule:.0f} more where a table rule hits\n")
        report(scored, with_rule)


def write(learned: Learned) -> None:
    """One byte for each weight and each rarity; the weight carries its rarity, so that it need not be multiplied."""
    voices = [weight * rarity for weight, rarity in zip(learned.weights, learned.rarities, strict=True)]
    step, rarity_step = max(map(abs, voices)) / 127, max(learned.rarities) / 255
    data = HEADER.pack(learned.bias, step, rarity_step)
    data += array("b", (round(voice / step) for voice in voices)).tobytes()
    data += bytes(round(rarity / rarity_step) for rarity in learned.rarities)
    TARGET.write_bytes(data)


def main() -> None:
    made, rarities = prepared()
    if "--write" in sys.argv:
        write(learn(made, rarities))
    else:
        leave_authors_out(made, rarities)


if __name__ == "__main__":
    main()

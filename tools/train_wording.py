"""Learns the weights of `discovery/spam/wording.py` from labelled results, and reports their quality.

    .venv/bin/python tools/train_wording.py            # cross-validation by author
    .venv/bin/python tools/train_wording.py --write    # learn from all rows and write the weights

Rows come from tests/labelled (`learn/spam_wording`, `choose/spam_results`) and the invented results of the tests. What
is held out is never read here. A support vector machine, taught in a fixed order, so that the
same rows always give the same weights.
"""

from __future__ import annotations

import json
import random
import struct
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import log, sqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import labelled

from gleanery.discovery.spam import LIMIT, RULE, WITHOUT_HOST, table_rule
from gleanery.discovery.spam.result_text import ResultText, parse_result
from gleanery.discovery.spam.wording import HEADER, POWER, SHAPE, keys, units
from gleanery.domains.names import DomainName, domain_of
from gleanery.errors import InvalidDomain

ROOT = Path(__file__).parents[1]
INVENTED = ROOT / "tests" / "discovery" / "spam" / "invented.jsonl"
TARGET = ROOT / "src" / "gleanery" / "discovery" / "spam" / "wording.bin"
ROUNDS = 30
SLACK = 0.5  # cost of rows on the wrong side
FEWEST_AUTHORS = 2  # features of a single author show the author, not spam
SHAPE_RARITY = 5.4  # shapes are common and would not count by their rarity
LESSONS = 6


class Row(NamedTuple):
    author: str
    spam: bool
    keys: Counter[int]
    without_host: Counter[int]
    shapes: Counter[int]
    ruled: bool


class Learned(NamedTuple):
    """Learned model: the weight (including its size) and rarity of each feature."""

    bias: float
    weights: dict[int, float]
    rarities: dict[int, float]


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    yield from ((row["author"], row) for row in labelled.rows("learn", "spam_wording"))
    yield from (("invented", row) for row in _lines(INVENTED))
    yield from (("even", row) for row in labelled.rows("choose", "spam_results"))


def _lines(file: Path) -> Iterator[dict[str, str]]:
    for line in file.read_text().splitlines():
        if line.strip():
            yield json.loads(line)


def reading_of(row: dict[str, str]) -> ResultText:
    host = row.get("domain") or urlsplit(row["url"]).hostname or ""
    try:
        domain = domain_of(host)
    except InvalidDomain:
        domain = DomainName(host, host)
    return parse_result(row["title"], row["description"], domain)


def prepared() -> list[Row]:
    made = []
    for author, row in rows():
        reading = reading_of(row)
        found = list(units(reading))
        shapes = (unit for unit in found if unit[0] == SHAPE)
        sets = (_keys(each) for each in (found, units(reading, host=False), shapes))
        made.append(Row(author, row["label"] == "spam", *sets, table_rule(reading) is not None))
    return made


def _keys(found: Iterable[str]) -> Counter[int]:
    return Counter(key for unit in found for key in keys(unit))


def rarities_of(given: list[Row]) -> dict[int, float]:
    """Return the rarity of each feature that several authors use."""
    seen, authors = Counter[int](), defaultdict[int, set[str]](set)
    shapes = {key for row in given for key in row.shapes}
    for row in given:
        seen.update(row.keys.keys())
        for key in row.keys:
            authors[key].add(row.author)
    return {
        key: SHAPE_RARITY if key in shapes else log((1 + len(given)) / (1 + seen[key])) + 1
        for key in sorted(seen)
        if len(authors[key]) >= FEWEST_AUTHORS
    }


def learn(given: list[Row]) -> Learned:
    """Train a support vector machine with squared hinge loss by dual coordinate descent."""
    rarities = rarities_of(given)
    places = {key: at for at, key in enumerate(rarities)}
    sizes = [rarity**POWER for rarity in rarities.values()]
    lessons = [_lesson(row, places, sizes) for row in given]
    weights, pull = [0.0] * (len(sizes) + 1), [0.0] * len(lessons)
    order, chance = list(range(len(lessons))), random.Random(7)  # noqa: S311  # the same order every time
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for number in order:
            side, found, values = lessons[number]
            length = sum(map(mul, values, values))
            margin = side * sum(map(mul, values, map(weights.__getitem__, found)))
            before = pull[number]
            pull[number] = max(0.0, before - (margin - 1 + SLACK * before) / (length + SLACK))
            change = (pull[number] - before) * side
            if change:
                for at, value in zip(found, values, strict=True):
                    weights[at] += change * value
    return Learned(weights[-1], {key: weights[at] * sizes[at] for key, at in places.items()}, rarities)


def _lesson(row: Row, places: dict[int, int], sizes: list[float]) -> tuple[int, list[int], list[float]]:
    """Return the side of the row, its features and their values; the last feature is the bias."""
    found = sorted((places[key], often) for key, often in row.keys.items() if key in places)
    length = sqrt(sum(often * sizes[at] ** 2 for at, often in found)) or 1.0
    values = [often * sizes[at] / length for at, often in found]
    return 1 if row.spam else -1, [*(at for at, _ in found), len(sizes)], [*values, 1.0]


def score(learned: Learned, found: Counter[int]) -> float:
    known = [(key, often) for key, often in found.items() if key in learned.rarities]
    size = sqrt(sum(often * learned.rarities[key] ** (2 * POWER) for key, often in known)) or 1.0
    return learned.bias + sum(often * learned.weights[key] for key, often in known) / size


class Judged(NamedTuple):
    row: Row
    score: float
    without_host: float


def judged(given: list[Row], learned: Learned) -> list[Judged]:
    return [Judged(row, score(learned, row.keys), score(learned, row.without_host)) for row in given]


def report(scored: list[Judged]) -> None:
    """Print the share of spam caught for given losses of honest rows, and for the limits in use."""
    for with_rule in (0.0, RULE):
        total = [(each.score + with_rule * each.row.ruled, each.row.spam) for each in scored]
        honest = sorted((value for value, spam in total if not spam), reverse=True)
        spam = [value for value, is_spam in total if is_spam]
        sys.stdout.write(f"wording, with {with_rule} more where a table rule hits\n")
        for lost in (0.005, 0.01, 0.02, 0.04):
            limit = honest[int(lost * len(honest))]
            caught = sum(value > limit for value in spam) / len(spam)
            sys.stdout.write(f"  honest lost {lost:.1%}: spam caught {caught:.3f} (limit {limit:.2f})\n")
    thrown = [each.row for each in scored if _is_thrown(each)]
    sys.stdout.write(f"with the limits in use: {_shares(thrown, [each.row for each in scored])}\n")


def _is_thrown(each: Judged) -> bool:
    if each.row.ruled:
        return each.score + RULE > LIMIT
    return each.score > LIMIT and each.without_host > WITHOUT_HOST


def _shares(thrown: list[Row], everything: list[Row]) -> str:
    caught, lost = (sum(row.spam == spam for row in thrown) for spam in (True, False))
    spam = sum(row.spam for row in everything)
    honest = len(everything) - spam
    return f"spam caught {caught / spam:.3f}, honest lost {lost} of {honest} ({lost / honest:.1%})"


def leave_authors_out(made: list[Row]) -> None:
    """Cross-validate with groups of authors left out, because one training run per author would take too long."""
    authors = sorted({row.author for row in made} - {"invented", "even"})
    scored: list[Judged] = []
    for group in (authors[start::LESSONS] for start in range(LESSONS)):
        learned = learn([row for row in made if row.author not in group])
        scored += judged([row for row in made if row.author in group], learned)
    everything = [each.row for each in scored]
    sys.stdout.write(f"{len(scored)} rows of {len(authors)} authors, each scored without training on its author\n")
    sys.stdout.write(f"tables alone: {_shares([row for row in everything if row.ruled], everything)}\n")
    report(scored)
    learned = learn([row for row in made if row.author != "even"])
    sys.stdout.write("the even half, scored without training on it (the tables were chosen with it)\n")
    report(judged([row for row in made if row.author == "even"], learned))


def write(learned: Learned) -> None:
    """Write two bytes per weight and one per rarity."""
    weights, rarities = learned.weights.values(), learned.rarities.values()
    step, rarity_step = max(map(abs, weights)) / 32767, max(rarities) / 255
    data = HEADER.pack(len(learned.weights), learned.bias, step, rarity_step)
    data += struct.pack(f"<{len(learned.weights)}I", *learned.weights)
    data += struct.pack(f"<{len(learned.weights)}h", *(round(weight / step) for weight in weights))
    data += bytes(round(rarity / rarity_step) for rarity in rarities)
    TARGET.write_bytes(data)


def main() -> None:
    made = prepared()
    if "--write" in sys.argv:
        write(learn(made))
    else:
        leave_authors_out(made)


if __name__ == "__main__":
    main()

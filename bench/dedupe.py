"""Speed of `gleanery dedupe` for 100,000 rows of each kind, a tenth of them near duplicates.

    .venv/bin/python bench/dedupe.py [--rows 100000] [KIND ...]

Each table is generated in two ways: with realistic word frequencies, and with names drawn evenly from few words, as in
generated lists, where very many rows share each word. A tenth of the rows is measured as well, to show the growth.
"""

from __future__ import annotations

import argparse
import csv
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lookup_world import MANY_GENRES, MANY_SORTS, STREETS, TOWNS, WORDS, blurred, uneven, word

MOST_SECONDS = 120
FIRST, SECOND = 30, 4_000  # first and further words of evenly drawn names
Names = Callable[[random.Random], str]


def by_life(chance: random.Random) -> str:
    return " ".join(word(uneven(chance, WORDS)) for _ in range(chance.choice((1, 2, 2, 3))))


def by_program(chance: random.Random) -> str:
    return f"{word(chance.randrange(FIRST))} {word(FIRST + chance.randrange(SECOND))}"


def row(kind: str, number: int, names: Names) -> dict[str, Any]:
    chance = random.Random(number)
    town = chance.randrange(TOWNS) if names is by_program else uneven(chance, TOWNS)
    day = f"2027-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    where = {
        "address": f"{word(chance.randrange(STREETS))} Street {chance.randrange(1, 200)}",
        "locality": word(WORDS + town),
        "phone": f"+3592{chance.randrange(10**7):07}",
    }
    by_kind: dict[str, dict[str, Any]] = {
        "place": {"sort": MANY_SORTS, **where},
        "organization": {"sort": ["Foundation", "Association", "Club", "Society"], **where},
        "event": {"sort": MANY_GENRES, "start": f"{day}T{chance.randrange(9, 22):02}:00", "venue_name": names(chance)},
        "funding": {"sort": ["Grants", "Fund", "Prize", "Scholarship"], "deadline": day, "funder_name": names(chance)},
        "service": {"sort": ["Advice", "Shelter", "Kitchen", "Course"], "provider_name": names(chance), **where},
        "opportunity": {"sort": ["Volunteer", "Internship", "Camp"], "organizer_name": names(chance), "deadline": day},
    }
    fields = by_kind[kind]
    if kind in ("event", "opportunity"):
        fields["locality"] = where["locality"]
    if kind == "funding":
        fields |= {"amount_max": 500 * chance.randrange(1, 100), "currency": "EUR"}
    return {"name": f"{names(chance)} {chance.choice(fields.pop('sort'))}"} | fields


def table(kind: str, many: int, names: Names, file: Path) -> set[tuple[str, str]]:
    """Write a table and return its true pairs."""
    chance, own = random.Random(7), many * 9 // 10
    rows = [{"id": str(number)} | row(kind, number, names) for number in range(own)]
    truth = set()
    for number in range(own, many):
        first = rows[chance.randrange(own)]
        rows.append(blurred(first, chance) | {"id": str(number)})
        truth.add((first["id"], str(number)))
    chance.shuffle(rows)
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, sorted({name for each in rows for name in each}))
        writer.writeheader()
        writer.writerows(rows)
    return truth


def measure(kind: str, many: int, names: Names) -> tuple[float, float]:
    """Return seconds and recall."""
    with tempfile.TemporaryDirectory() as scratch:
        file, output = Path(scratch, "rows.csv"), Path(scratch, "pairs.csv")
        truth = table(kind, many, names, file)
        begun = time.perf_counter()
        line = [sys.executable, "-m", "gleanery", "dedupe", str(file), "--kind", kind, "-o", str(output), "--json"]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
        seconds = time.perf_counter() - begun
        with output.open(encoding="utf-8") as opened:
            found = {
                tuple(sorted((each["id_a"], each["id_b"]), key=int))
                for each in csv.DictReader(opened)
                if each["band"] != "none"
            }
    return seconds, len(found & truth) / len(truth)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    given = parser.parse_args()
    slowest = 0.0
    for kind in given.kinds or ("place", "organization", "event", "funding", "service", "opportunity"):
        for names, said in ((by_life, "uneven names"), (by_program, "even names")):
            few, _ = measure(kind, given.rows // 10, names)
            many, recall = measure(kind, given.rows, names)
            slowest = max(slowest, many)
            growth = f"{many / few:4.1f}x the time of a tenth"
            print(f"{kind:13} {said:13} {many:6.1f} s for {given.rows} rows, {growth}; {recall:.3f} of the pairs found")
    holds = slowest <= MOST_SECONDS
    print(f"claim {'holds' if holds else 'FAILS'}: the slowest took {slowest:.0f} s of {MOST_SECONDS}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())

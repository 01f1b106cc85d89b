"""Recall and precision of the extractors, and their time per page.

Run: .venv/bin/python bench/extraction.py [--form json-ld] [--wrong]

Real pages are measured first, if `../shared/data/pages` exists: dates and times of coming events.

The expected results are beside each page in tests/extraction/pages. Pages in fresh/ were written after the extractors
and are not consulted during development, so their figures apply to new sites. A thing is found if one of the same kind
and a similar name (and day, for events) is expected. Values must be equal except for case, white space and final
punctuation. Descriptions match if one begins with the other. Times are compared as instants if both have an offset.
"""

from __future__ import annotations

import argparse
import difflib
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import real_pages

from gleanery.extraction.draft import ContactDraft, Draft, PageSource
from gleanery.extraction.draft_merging import same_time
from gleanery.extraction.extractors import STRUCTURED, extract
from gleanery.extraction.generated_ids import fold_name
from gleanery.extraction.structured.html_page import HtmlPage

PAGES = Path(__file__).parents[1] / "tests" / "extraction" / "pages"
READ, FRESH = ("plain", "structured"), ("fresh",)
TIMES = frozenset({"start", "end", "deadline"})
CONTACT = ("name", "role", "email", "phone", "address")
ALIKE = 0.6
ALIKE_ON_THE_DAY = 0.35
SIZE = 20_000
ROUNDS = 300
SECONDS = 3


@dataclass(slots=True)
class Count:
    """Numbers of correct, wrong and missing values."""

    right: int = 0
    wrong: int = 0
    missing: int = 0

    def add(self, right: bool, wrong: bool, missing: bool) -> None:
        self.right += right
        self.wrong += wrong
        self.missing += missing

    def row(self) -> str:
        precision = self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0
        recall = self.right / (self.right + self.missing) if self.right + self.missing else 1.0
        return f"{precision:9.3f} {recall:9.3f} {self.right:6d} {self.wrong:6d} {self.missing:6d}"


@dataclass(slots=True)
class Case:
    name: str
    source: PageSource
    form: str
    observations: list[dict[str, Any]]
    contacts: list[dict[str, str]]


@dataclass(slots=True)
class Scores:
    things: dict[tuple[str, str], Count] = field(default_factory=lambda: defaultdict(Count))
    values: dict[tuple[str, str], Count] = field(default_factory=lambda: defaultdict(Count))
    fields: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    contacts: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    contact_fields: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    remarks: list[str] = field(default_factory=list)


def cases(folders: Iterable[str], form: str = "") -> Iterator[Case]:
    for path in sorted(each for folder in folders for each in (PAGES / folder).glob("*.json")):
        expected = json.loads(path.read_text(encoding="utf-8"))
        if form in ("", expected["form"]):
            page = next(each for each in path.parent.glob(f"{path.stem}.*") if each.suffix != ".json")
            source = PageSource(
                html=page.read_text(encoding="utf-8"),
                url=expected["url"],
                media_type="text/calendar" if page.suffix == ".ics" else "text/html",
                fetched=date.fromisoformat(expected["fetched"]),
                country=expected["country"],
                language=expected["language"],
            )
            yield Case(path.stem, source, expected["form"], expected["observations"], expected["contacts"])


def measured(case: Case, scores: Scores) -> None:
    found = extract(case.source)
    drafts = [_fields(draft) for draft in found.drafts]
    pairs = _paired(drafts, case.observations)
    for actual, truth in pairs:
        kind = (actual or truth or {})["kind"]
        scores.things[case.form, kind].add(bool(actual and truth), actual is not None and truth is None, actual is None)
        if actual is None or truth is None:
            scores.remarks.append(
                f"{case.name}: {'missed' if actual is None else 'invented'} {kind} {(actual or truth or {})['name']!r}"
            )
        _compare(case, kind, actual or {}, truth or {}, scores)
    for person, truth in _paired_contacts([_person(each) for each in found.contacts], case.contacts):
        scores.contacts[case.form].add(bool(person and truth), bool(person and not truth), not person)
        if not person or not truth:
            scores.remarks.append(f"{case.name}: {'invented' if person else 'missed'} contact {person or truth}")
        for name in CONTACT:
            one, other = (person or {}).get(name, ""), (truth or {}).get(name, "")
            same = bool(one and other and _same(name, one, other))
            scores.contact_fields[name].add(same, bool(one) and not same, bool(other) and not same)


def _compare(case: Case, kind: str, actual: dict[str, Any], truth: dict[str, Any], scores: Scores) -> None:
    for name in sorted((actual.keys() | truth.keys()) - {"kind"}):
        if name == "external_id" and name not in truth:  # every draft has one, but the truth only if the page does
            continue
        same = name in actual and name in truth and _same(name, actual[name], truth[name])
        for count in (scores.values[case.form, kind], scores.fields[name]):
            count.add(same, name in actual and not same, name in truth and not same)
        if not same and actual and truth:
            scores.remarks.append(f"{case.name}: {kind} {name}: {actual.get(name)!r:.120} for {truth.get(name)!r:.120}")


def _paired(
    drafts: list[dict[str, Any]], truths: list[dict[str, Any]]
) -> list[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    """Pair things with their best match, most similar first; the rest stay unpaired."""
    ranked = sorted(
        ((_likeness(one, other), i, j) for i, one in enumerate(drafts) for j, other in enumerate(truths)),
        key=lambda each: (-each[0], each[1:]),
    )
    free, left = set(range(len(drafts))), set(range(len(truths)))
    pairs: list[tuple[dict[str, Any] | None, dict[str, Any] | None]] = []
    for likeness, i, j in ranked:
        if likeness and i in free and j in left:
            free.discard(i)
            left.discard(j)
            pairs.append((drafts[i], truths[j]))
    return [*pairs, *((drafts[i], None) for i in sorted(free)), *((None, truths[j]) for j in sorted(left))]


def _likeness(one: dict[str, Any], other: dict[str, Any]) -> float:
    if one["kind"] != other["kind"]:
        return 0
    names: float = difflib.SequenceMatcher(None, fold_name(one["name"]), fold_name(other["name"])).ratio()
    on_the_day = one.get("start", "")[:10] == other.get("start", "")[:10]
    if names < (ALIKE_ON_THE_DAY if on_the_day and one["kind"] == "event" else ALIKE):
        return 0
    return names + float(on_the_day)


def _paired_contacts(
    people: list[dict[str, str]], truths: list[dict[str, str]]
) -> Iterator[tuple[dict[str, str] | None, dict[str, str] | None]]:
    left = list(truths)
    alone = []
    for person in people:
        match = max(left, key=lambda each: _shared(person, each), default=None)
        if match is not None and _shared(person, match):
            left.remove(match)
            yield person, match
        else:
            alone.append(person)
    yield from ((person, None) for person in alone)
    yield from ((None, truth) for truth in left)


def _shared(one: dict[str, str], other: dict[str, str]) -> int:
    """Return the number of shared identifying values; a role or an address alone is not enough."""
    same = {name for name in CONTACT if one.get(name) and other.get(name) and _same(name, one[name], other[name])}
    known_by = same & {"name", "email", "phone"} or (
        {"role"} & same if not (one.get("name") or other.get("name")) else set()
    )
    return len(same) if known_by else 0


def _fields(draft: Draft) -> dict[str, Any]:
    return {"kind": draft.kind, "external_id": draft.external_id, **draft.fields}


def _person(contact: ContactDraft) -> dict[str, str]:
    return {name: getattr(contact, name) for name in CONTACT if getattr(contact, name)}


def _same(name: str, one: Any, other: Any) -> bool:  # noqa: PLR0911 - one line for each sort of value
    if name in TIMES:
        return bool(len(one) > len("2026-12-05")) == bool(len(other) > len("2026-12-05")) and same_time(one, other)
    if name == "occurrences":
        return len(one) == len(other) and all(_same_span(*pair) for pair in zip(one, other, strict=True))
    if isinstance(one, list) and isinstance(other, list):
        return sorted(map(_normal, one)) == sorted(map(_normal, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 1e-6
    first, second = _normal(one), _normal(other)
    if name == "description":
        return bool(first and second) and (first.startswith(second) or second.startswith(first))
    return first == second


def _same_span(one: dict[str, str], other: dict[str, str]) -> bool:
    return one.keys() == other.keys() and all(_same("start", one[name], other[name]) for name in one)


def _normal(value: Any) -> str:
    return " ".join(str(value).casefold().split()).strip(" .,;:…/")


def _sum(counts: Iterable[Count]) -> Count:
    whole = Count()
    for each in counts:
        whole.right += each.right
        whole.wrong += each.wrong
        whole.missing += each.missing
    return whole


def printed(scores: Scores) -> None:
    head = f"{'':44} {'precision':>9} {'recall':>9} {'right':>6} {'wrong':>6} {'missed':>6}"
    print(head)
    for form in sorted({form for form, _ in scores.things} | set(scores.contacts)):
        for kind in sorted(kind for each, kind in scores.things if each == form):
            print(f"{f'{form}, {kind}: things':44} {scores.things[form, kind].row()}")
            print(f"{f'{form}, {kind}: their values':44} {scores.values[form, kind].row()}")
        print(f"{f'{form}: contacts':44} {scores.contacts[form].row()}")
    print(f"{'all things':44} {_sum(scores.things.values()).row()}")
    print(f"{'all values':44} {_sum(scores.values.values()).row()}")
    print(f"{'all contacts':44} {_sum(scores.contacts.values()).row()}\n\n{head}")
    for name, count in sorted(scores.fields.items()):
        print(f"{name:44} {count.row()}")
    for name, count in sorted(scores.contact_fields.items()):
        print(f"{f'contact {name}':44} {count.row()}")


def printed_real() -> None:
    if not real_pages.are_there():
        print("No real pages are measured: ../shared/data/pages is not there.")
        return
    head = f"{'days':>9} {'moments':>9} {'precision':>9} {'F1':>6} {'sites read':>10}"
    print(f"{'real pages of boards and councils':44} {head}")
    # Each page is read only once, because caches would make a second time faster.
    read, alone = real_pages.scored(kept=False), real_pages.scored(kept=True)
    score = read + alone
    for name, part in (("that may be read", read), ("that are measured alone", alone), ("all", score)):
        print(f"{name:44} {part.row()}")
    for name, size in (("20 kB", 20_000), ("250 kB", 250_000)):
        near = [(ms, chars) for chars, ms in score.times if 0.6 * size <= chars <= 1.4 * size]
        print(
            f"{len(near)} pages of about {name}: {statistics.mean(ms for ms, _ in near):.1f} ms on average, "
            f"{max(ms * size / chars for ms, chars in near):.0f} ms the slowest, brought to that size"
        )


def timed() -> None:
    """A page of 20 kB with an event in each form that pages use: what machines read, and all of it."""
    for form in ("json-ld", "microdata", "rdfa"):
        source = _padded(next(case.source for case in cases(READ, form) if case.observations))
        structured = _milliseconds(lambda source=source: _structured(source))
        whole = _milliseconds(lambda source=source: extract(source))
        print(f"{form} on a page of {len(source.html) // 1000} kB: {structured:.2f} ms structured, {whole:.2f} ms all")
    source = _dense(next(case.source for case in cases(READ, "json-ld") if case.observations))
    found, taken = extract(source), _milliseconds(lambda: _structured(source))
    print(
        f"nothing but {len(found.drafts)} events in JSON-LD, {len(source.html) // 1000} kB: {taken:.2f} ms structured"
    )


def _structured(source: PageSource) -> None:
    page = HtmlPage(source)
    for each in STRUCTURED:
        each(page)


def _padded(source: PageSource) -> PageSource:
    paragraph = '<p class="text">Some words of a page, with <a href="/more">a link</a> and <b>more</b>.</p>\n'
    more = paragraph * ((SIZE - len(source.html)) // len(paragraph))
    return replace(source, html=source.html.replace("</body>", f"{more}</body>"))


def _dense(source: PageSource) -> PageSource:
    """The most that a page of this size can tell: one event after the other."""
    script = source.html.partition('ld+json">')[2].partition("</script>")[0].strip()
    events: list[str] = []
    while sum(map(len, events)) + len(script) < SIZE:
        events.append(script.replace('"name":"', f'"name":"{len(events)} ', 1))
    return replace(source, html=f'<script type="application/ld+json">[{",".join(events)}]</script>')


def _milliseconds(work: Any) -> float:
    taken: list[float] = []
    while len(taken) < ROUNDS and sum(taken) < SECONDS:
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return statistics.median(taken) * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", default="")
    parser.add_argument("--wrong", action="store_true", help="list wrong and missing values")
    given = parser.parse_args()
    printed_real()
    for folders, what in ((READ, "pages that were read while the extractors were written"), (FRESH, "fresh pages")):
        scores = Scores()
        for case in cases(folders, given.form):
            measured(case, scores)
        print(f"\n{what}\n")
        printed(scores)
        if given.wrong and folders is READ:  # who looks at the wrong ones of the fresh pages has none any more
            print("\n" + "\n".join(scores.remarks))
    print()
    timed()


if __name__ == "__main__":
    main()

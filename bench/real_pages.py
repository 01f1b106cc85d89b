"""Score on saved pages of real boards and councils, compared with events found by hand-written scrapers.

The pages are not part of the project; without `../shared/data/pages` nothing is measured. Half of the sites, chosen by
a hash of their names, may be consulted during development; the other half is only measured.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from gleanery.extraction.draft import PageSource
from gleanery.extraction.extractors import extract

PAGES = Path(__file__).parents[2] / "shared" / "data" / "pages"


@dataclass(slots=True)
class Score:
    counts: Counter[str] = field(default_factory=Counter)
    times: list[tuple[int, float]] = field(default_factory=list)  # characters of a page, milliseconds

    @property
    def recall(self) -> float:
        return self.counts["hit"] / max(self.counts["days"], 1)

    @property
    def moments(self) -> float:
        return self.counts["moment_hit"] / max(self.counts["moments"], 1)

    @property
    def precision(self) -> float:
        return self.counts["hit"] / max(self.counts["got"], 1)

    @property
    def f1(self) -> float:
        return 2 * self.recall * self.precision / max(self.recall + self.precision, 1e-9)

    def __add__(self, other: Score) -> Score:
        return Score(self.counts + other.counts, self.times + other.times)

    def row(self) -> str:
        read = f"{self.counts['sites_hit']} of {self.counts['sites']}"
        return f"{self.recall:9.3f} {self.moments:9.3f} {self.precision:9.3f} {self.f1:6.3f} {read:>10}"


def are_there() -> bool:
    return PAGES.is_dir()


def may_be_read(site: str) -> bool:
    return hashlib.sha256(site.encode()).digest()[0] % 2 == 0


def sites(*, kept: bool) -> Iterator[dict[str, Any]]:
    for line in (PAGES / "pages.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if kept != may_be_read(row["site"]):
            yield row


def sources_of(row: dict[str, Any]) -> Iterator[PageSource]:
    for page in row["pages"]:
        yield PageSource(
            html=(PAGES / "html" / page["file"]).read_text(encoding="utf-8"),
            url=page["url"],
            media_type="text/calendar" if page["file"].endswith(".ics") else "text/html",
            fetched=date.fromisoformat(row["day"]),
            country="US",
            language="en",
        )


def scored(*, kept: bool) -> Score:
    """Score days, and days with times, as `../shared/tools/pages_eval.py` does."""
    score = Score()
    for row in sites(kept=kept):
        found: list[str] = []
        for source in sources_of(row):
            began = time.process_time()
            drafts = extract(source).drafts
            score.times.append((len(source.html), 1000 * (time.process_time() - began)))
            found += [str(each.fields["start"]) for each in drafts if each.kind == "event"]
        days = {each["start"][:10] for each in row["events"]}
        moments = {each["start"] for each in row["events"]}
        got = {each[:10] for each in found if each[:10] >= row["day"]}
        score.counts.update(
            days=len(days),
            hit=len(days & got),
            got=len(got),
            moments=len(moments),
            moment_hit=len(moments & {each[:16] for each in found}),
            sites=bool(days),
            sites_hit=bool(days & got),
        )
    return score

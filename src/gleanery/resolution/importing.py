"""Importing a file: row by row into batches of intake, with a report of what became of each; or only the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any, BinaryIO

from django.db import transaction

from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.extraction import services as extraction
from gleanery.extraction.models import HIGHEST_TRUST, LOWEST_TRUST, TRUST, Source
from gleanery.resolution.columns import Columns
from gleanery.resolution.files import BadRow, Row, read_rows
from gleanery.resolution.intake import MOST, intake
from gleanery.resolution.told import OUTCOMES, Given
from gleanery.text import clean_text

LONGEST_NAME = 253
MOST_TOLD = 1_000  # refusals that are listed; the others are counted
Tell = Callable[[int], None]


@dataclass(slots=True)
class Report:
    """What became of the rows of a file."""

    source: str
    dry_run: bool
    rows: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    refused: list[dict[str, Any]] = field(default_factory=list)
    unknown_columns: list[str] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        self.outcomes["refused"] += 1
        if len(self.refused) < MOST_TOLD:
            self.refused.append({"line": line, "reason": reason})

    def as_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "dry_run": self.dry_run,
            "rows": self.rows,
            **{outcome: self.outcomes[outcome] for outcome in OUTCOMES},
            "warnings": dict(sorted(self.warnings.items())),
            "refusals": self.refused,
            "unknown_columns": self.unknown_columns,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One file of one source. What was taken in before an import broke off is unchanged, and cheap, the next time."""

    actor: Actor
    source: str
    trust: int | None
    form: str
    columns: Columns
    today: date

    def run(self, file: BinaryIO, tell: Tell = lambda position: None) -> Report:
        """`tell` hears how far the file was read."""
        return self._take(file, feed_named(self.actor, self.source, self.trust), tell, dry_run=False)

    def dry_run(self, file: BinaryIO, tell: Tell = lambda position: None) -> Report:
        """All that an import would do, taken back at the end; others who write records wait meanwhile."""
        with transaction.atomic():
            source = feed_named(self.actor, self.source, self.trust)
            report = self._take(file, source, tell, dry_run=True)
            transaction.set_rollback(True)
        return report

    def _take(self, file: BinaryIO, source: Source, tell: Tell, *, dry_run: bool) -> Report:
        report = Report(source.name, dry_run)
        rows = read_rows(file, self.form, self.columns, self.today)
        while batch := list(islice(rows, MOST)):
            self._take_batch(source, batch, report)
            tell(file.tell())
        report.unknown_columns = sorted(self.columns.unknown)
        return report

    def _take_batch(self, source: Source, batch: list[Row | BadRow], report: Report) -> None:
        report.rows += len(batch)
        for bad in (each for each in batch if isinstance(each, BadRow)):
            report.refuse(bad.line, bad.reason)
        good = [each for each in batch if isinstance(each, Row)]
        for row, answer in zip(good, intake(source, [given(each) for each in good], self.actor), strict=True):
            if answer.outcome == "refused":
                report.refuse(row.line, answer.reason)
                continue
            report.outcomes[answer.outcome] += 1
            report.warnings.update({doubt.code for doubt in answer.warnings})


def given(row: Row) -> Given:
    return Given(
        kind=row.kind,
        external_id=row.external_id,
        payload=row.fields,
        original=row.original,
        evidence=dict.fromkeys(row.fields, f"line {row.line}"),
        extractor=row.extractor,
    )


@transaction.atomic
def feed_named(actor: Actor, name: str, trust: int | None = None) -> Source:
    """The source that brings things by itself, made if there is none. To set a trust is for admins."""
    name = clean_text(name, limit=LONGEST_NAME)
    if not name:
        raise Invalid("Say who says this: a source needs a name.")
    if trust is not None and not LOWEST_TRUST <= trust <= HIGHEST_TRUST:
        raise Invalid(f"A trust is a number from {LOWEST_TRUST} to {HIGHEST_TRUST}.")
    Source.objects.bulk_create([Source(kind="import", name=name)], ignore_conflicts=True)
    source = Source.objects.get(name=name)
    if source.kind != "import":
        raise Invalid(f"{name} is a {source.kind} source already: choose another name for what you bring.")
    if trust is not None and (source.trust != trust or (trust != TRUST and not source.is_trust_set)):
        source = extraction.set_trust(actor, source, trust)
    return source

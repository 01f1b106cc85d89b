"""Imports a file in batches and reports the outcome of each row; a dry run only reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any, BinaryIO

from django.db import transaction

from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.extraction import services as extraction
from gleanery.extraction.models import HIGHEST_TRUST, LOWEST_TRUST, TRUST, Source
from gleanery.kinds import REFERENCED
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.importing.files import BadRow, Row, read_rows
from gleanery.resolution.intake.answer import OUTCOMES, Answer
from gleanery.resolution.intake.batch import MOST, intake
from gleanery.resolution.intake.observation_draft import Given
from gleanery.resolution.models import Record
from gleanery.text import clean_text

LONGEST_NAME = 253
MOST_LISTED = 1_000  # entries of each list in the report; the others are only counted
Progress = Callable[[int], None]


@dataclass(slots=True)
class Report:
    """Outcomes of the rows of a file."""

    source: str
    dry_run: bool
    rows: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    refused: list[dict[str, Any]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)  # why rows were refused
    joined: list[dict[str, Any]] = field(default_factory=list)  # rows that joined existing records
    waiting: list[dict[str, Any]] = field(default_factory=list)  # rows whose new records wait for review
    unknown_columns: list[str] = field(default_factory=list)
    taken_columns: dict[str, str] = field(default_factory=dict)  # name of the column in the file -> field

    def refuse(self, line: int, reason: str) -> None:
        self.outcomes["refused"] += 1
        if reason in self.reasons or len(self.reasons) < MOST_LISTED:
            self.reasons[reason] += 1
        if len(self.refused) < MOST_LISTED:
            self.refused.append({"line": line, "reason": reason})

    def take(self, row: Row, answer: Answer) -> None:
        self.outcomes[answer.outcome] += 1
        self.warnings.update({doubt.code for doubt in answer.warnings})
        self.notes.update(answer.notes)
        listed = {"merged": self.joined, "in_review": self.waiting}.get(answer.outcome)
        if listed is not None and len(listed) < MOST_LISTED:
            listed.append({"line": row.line, "name": row.fields["name"], "record": answer.record})

    def as_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "dry_run": self.dry_run,
            "rows": self.rows,
            **{outcome: self.outcomes[outcome] for outcome in OUTCOMES},
            "warnings": dict(sorted(self.warnings.items())),
            "notes": dict(sorted(self.notes.items())),
            "joined": self.joined,
            "waiting": self.waiting,
            "refusals": self.refused,
            "reasons": [{"reason": reason, "rows": count} for reason, count in self.reasons.most_common()],
            "unknown_columns": self.unknown_columns,
            "taken_columns": self.taken_columns,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """Import of one file of a source. It can be repeated after an interruption; stored rows stay unchanged."""

    actor: Actor
    source: str
    trust: int | None
    form: str
    columns: Columns
    today: date

    def run(self, file: BinaryIO, progress: Progress = lambda position: None) -> Report:
        """Import a file. `progress` is called with the position in the file after each batch."""
        return self.take(self._rows(file), lambda: progress(file.tell()))

    def dry_run(self, file: BinaryIO, progress: Progress = lambda position: None) -> Report:
        return self.dry_take(self._rows(file), lambda: progress(file.tell()))

    def take(self, rows: Iterator[Row | BadRow], progress: Callable[[], None] = lambda: None) -> Report:
        """Import rows from any origin, a batch at a time."""
        return self._take(rows, progress, dry_run=False)

    def dry_take(self, rows: Iterator[Row | BadRow], progress: Callable[[], None] = lambda: None) -> Report:
        """Do the whole import and roll it back; other writers of records wait meanwhile."""
        with transaction.atomic():
            report = self._take(rows, progress, dry_run=True)
            transaction.set_rollback(True)
        listed = [*report.joined, *report.waiting]
        there = {
            str(each)
            for each in Record.objects.filter(pk__in=[each["record"] for each in listed]).values_list("pk", flat=True)
        }
        for each in listed:
            each["record"] = each["record"] if each["record"] in there else None
        return report

    def _rows(self, file: BinaryIO) -> Iterator[Row | BadRow]:
        return read_rows(file, self.form, self.columns, self.today)

    def _take(self, rows: Iterator[Row | BadRow], progress: Callable[[], None], *, dry_run: bool) -> Report:
        """Take in all rows. The source is created with the first readable row, so a useless file leaves no trace."""
        report = Report(source_name(self.source), dry_run)
        source: Source | None = None
        while batch := list(islice(rows, MOST)):
            report.rows += len(batch)
            for bad in (each for each in batch if isinstance(each, BadRow)):
                report.refuse(bad.line, bad.reason)
            if good := [each for each in batch if isinstance(each, Row)]:
                source = source or feed_named(self.actor, self.source, self.trust)
                self._take_batch(source, good, report)
            progress()
        report.unknown_columns = sorted(self.columns.unknown)
        report.taken_columns = dict(self.columns.taken)
        return report

    def _take_batch(self, source: Source, good: list[Row], report: Report) -> None:
        """Places and organisations first: what a file says of them goes before what others say by naming them."""
        first = [row for row in good if row.kind in REFERENCED]
        self._take_rows(source, first, report)
        self._take_rows(source, [row for row in good if row.kind not in REFERENCED], report)

    def _take_rows(self, source: Source, rows: list[Row], report: Report) -> None:
        answers = intake(source, [given(each) for each in rows], self.actor) if rows else []
        for row, answer in zip(rows, answers, strict=True):
            if answer.outcome == "refused":
                report.refuse(row.line, answer.reason)
            else:
                report.take(row, answer)


def given(row: Row) -> Given:
    return Given(
        kind=row.kind,
        external_id=row.external_id,
        payload=row.fields,
        original=row.original,
        evidence=dict.fromkeys(row.fields, f"line {row.line}"),
        extractor=row.extractor,
    )


def source_name(given: str) -> str:
    name = clean_text(given)
    if len(name) > LONGEST_NAME:
        raise Invalid(f"The name of the source has {len(name):,} characters. Use at most {LONGEST_NAME}.")
    if not name:
        raise Invalid("The source has no name. Name the source of the data.")
    return name


@transaction.atomic
def feed_named(actor: Actor, name: str, trust: int | None = None) -> Source:
    """Return the import source of this name, created if there is none. Only admins may set its trust."""
    name = source_name(name)
    if trust is not None and not LOWEST_TRUST <= trust <= HIGHEST_TRUST:
        raise Invalid(f"The trust must be a number from {LOWEST_TRUST} to {HIGHEST_TRUST}. Nothing was changed.")
    Source.objects.bulk_create([Source(kind="import", name=name)], ignore_conflicts=True)
    source = Source.objects.get(name=name)
    if source.kind != "import":
        raise Invalid(f"{name} is already the name of a {source.kind} source. Nothing was stored; choose another name.")
    if trust is not None and (source.trust != trust or (trust != TRUST and not source.is_trust_set)):
        source = extraction.set_trust(actor, source, trust)
    return source

"""Computes records from their observations and edits, compares them with others, and stores them if changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime

from gleanery.kinds import KINDS, REFERENCED
from gleanery.matching.live import stored
from gleanery.resolution.intake import collisions, publication, storage, withdrawal
from gleanery.resolution.intake.observation_draft import identity_of, named_by
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.near import likeness
from gleanery.resolution.records.identity import Subject
from gleanery.resolution.records.projection import CurrentObservation, Edited, Projection, SourceInfo, add, project


def reproject(
    ids: Collection[str], now: datetime, *, undone: bool = False, retracted: bool = False
) -> dict[str, RecordDraft]:
    """Compute these records again from all observations and edits, and return those that are live.

    Records whose sources are all blacklisted are withdrawn; merged and deleted records stay as they are.

    `undone`: a decision about them was undone, so a person decides again. `retracted`: a merge or an edit was undone,
    so records that were published only because of it wait again.
    """
    rows = {row_id: row for row_id, row in storage.records(ids=ids).items() if row.is_live}
    for row_id in (silent := withdrawal.only_blacklisted(rows)):
        del rows[row_id]
    withdrawal.take_down(silent)
    shaky = [rows[row_id] for row_id in publication.public_by_what_was_undone(rows)] if retracted else []
    for row in shaky:
        row.was_published = False
    _whole(list(rows.values()), now)
    publication.hold_back(shaky)
    settle(rows.values(), now, undone=undone)
    return rows


def follow(rows: Iterable[RecordDraft], source_info: SourceInfo, now: datetime) -> None:
    """Work the stored observations of this batch into these records."""
    whole = []
    for row in rows:
        if row.is_new:
            if row.projected_from != len(row.joined):
                _begin(row, source_info, now)
        elif not (_only_adds(row) and _added(row, source_info, now)) and row.is_live:
            whole.append(row)
    _whole(whole, now)


def _added(row: RecordDraft, source_info: SourceInfo, now: datetime) -> bool:
    """Add the new observations and return True, or return False if the identity changes and all must be read again."""
    later = [each.version.current(source_info) for each in row.joined]
    fields, provenance = add(row.kind, row.fields, row.provenance, later)
    if identity_of(row.kind, Subject(fields)) != row.identity:
        return False
    row.apply(Projection(fields, provenance, [], None, None), later, now.date(), adds=True)
    return True


def begin(rows: Iterable[RecordDraft], source_info: SourceInfo, now: datetime) -> None:
    """Project the new records from the observations of the batch."""
    for row in rows:
        if row.is_new:
            _begin(row, source_info, now)


def _begin(row: RecordDraft, source_info: SourceInfo, now: datetime) -> None:
    row.projected_from = len(row.joined)
    _project(row, [each.version.current(source_info) for each in row.joined], (), now)


def settle(rows: Iterable[RecordDraft], now: datetime, *, undone: bool = False, withdraw: bool = False) -> None:
    """Store changed records and report their warnings to review, in the same transaction.

    `withdraw`: drop warnings about near duplicates that are no longer found. Only intake does this: merges and edits
    can be undone, and then the warnings should be as before.
    """
    rows = [row for row in rows if row.is_live]
    storage.lock([row.id for row in rows if row.changed and not row.is_new])
    kept = likeness.changed([row for row in rows if row.content_changed or undone], anyway=undone)
    likeness.flag(rows, kept)
    storage.save(rows, now)
    stored.write(kept, {row.id for row in rows if row.is_new})
    compared = [row for row in rows if row.id in kept and not row.is_new] if withdraw else []
    likeness.withdraw(compared)
    met = [row for row in rows if not row.is_new and (undone or row.identity_changed)]
    publication.weigh(rows, likeness.with_flags(rows, collisions.among(met)), undone=undone)
    likeness.release(compared)


def _only_adds(row: RecordDraft) -> bool:
    """Return True if all new observations are later than the record, so that a busy venue need not be read again."""
    return (
        row.kind in REFERENCED
        and not row.is_brought_back
        and row.status == "published"
        and all(each.version.number == 1 and _is_later(each.version.first, row.updated_at) for each in row.joined)
    )


def _is_later(first: datetime, than: datetime | None) -> bool:
    return than is not None and first > than


def _whole(rows: list[RecordDraft], now: datetime) -> None:
    ids = [row.id for row in rows]
    said, edits = observations_of(ids), edits_of(ids)
    times = storage.occurrences([row.id for row in rows if "start" in KINDS[row.kind].fields])
    for row in rows:
        row.spans_before = times.get(row.id, [])
        _project(row, said[row.id], edits.get(row.id, ()), now)


def _project(row: RecordDraft, said: list[CurrentObservation], edits: Iterable[Edited], now: datetime) -> None:
    row.apply(project(row.kind, said, edits), said, now.date())


def observations_of(ids: Collection[str]) -> defaultdict[str, list[CurrentObservation]]:
    """Return the current observations of each record, with the records that they name."""
    rows = storage.observations(ids)
    named: dict[str, dict[str, tuple[str, str, str]]] = {}
    for each in rows:
        names = named_by(each.kind, each.external_id, each.payload) if KINDS[each.kind].names else ()
        named[each.id] = {name.reference: (each.source, *key) for name, key, _ in names}
    there = storage.references({key for keys in named.values() for key in keys.values()})
    found: defaultdict[str, list[CurrentObservation]] = defaultdict(list)
    for each in rows:
        keys = named[each.id]
        found[each.record].append(
            CurrentObservation(
                id=each.id,
                source=each.source,
                trust=each.trust,
                first=each.first,
                external_id=each.external_id,
                payload=each.payload,
                extractor=each.extractor,
                asks=each.asks,
                **{reference: there.get(key) for reference, key in keys.items()},
            )
        )
    return found


def edits_of(ids: Collection[str]) -> dict[str, list[Edited]]:
    """Return the edits of each record; references to merged records point to their survivors."""
    edits = storage.edits(ids)
    named = {each.value for listed in edits.values() for each in listed if _is_reference(each)}
    if named:
        ends = storage.survivors(named)
        for record, listed in edits.items():
            edits[record] = [
                each._replace(value=ends.get(each.value, each.value)) if _is_reference(each) else each
                for each in listed
            ]
    return edits


def _is_reference(edit: Edited) -> bool:
    return edit.field in REFERENCED and bool(edit.value)

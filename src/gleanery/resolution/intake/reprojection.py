"""Records follow what is said and written about them: projected anew, or added to, compared, and stored if changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime

from gleanery.kinds import KINDS, REFERENCED
from gleanery.matching.live import stored
from gleanery.resolution.intake import collisions, publication, storage, withdrawal
from gleanery.resolution.intake.observation_draft import identity_of, named_by
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.near import following
from gleanery.resolution.records.identity import Subject
from gleanery.resolution.records.projection import Edited, Projection, Seen, Voice, add, project


def reproject(
    ids: Collection[str], now: datetime, *, undone: bool = False, retracted: bool = False
) -> dict[str, RecordDraft]:
    """These records anew, from all that is known; those that are merged away or deleted stay as they are.

    Those of which only silent sources speak are withdrawn.

    `undone`: a decision about them was taken back, so somebody decides anew. `retracted`: a merge or an edit was, so
    that what only this had made fit to be published waits again.
    """
    rows = {row_id: row for row_id, row in storage.records(ids=ids).items() if row.is_live}
    for row_id in (silent := withdrawal.unheard(rows)):
        del rows[row_id]
    withdrawal.take_down(silent)
    shaky = [rows[row_id] for row_id in publication.public_by_what_was_undone(rows)] if retracted else []
    for row in shaky:
        row.was_published = False
    _whole(list(rows.values()), now)
    publication.hold_back(shaky)
    settle(rows.values(), now, undone=undone)
    return rows


def follow(rows: Iterable[RecordDraft], voice: Voice, now: datetime) -> None:
    """What joined them in this batch, whose observations are stored, is worked into these records."""
    whole = []
    for row in rows:
        if row.is_new:
            if row.become_of != len(row.joined):
                _begin(row, voice, now)
        elif not (_only_adds(row) and _added(row, voice, now)) and row.is_live:
            whole.append(row)
    _whole(whole, now)


def _added(row: RecordDraft, voice: Voice, now: datetime) -> bool:
    """Add what joined to what is known, unless that makes another identity of it: then all is read again."""
    later = [each.version.seen(voice) for each in row.joined]
    fields, provenance = add(row.kind, row.fields, row.provenance, later)
    if identity_of(row.kind, Subject(fields)) != row.identity:
        return False
    row.become(Projection(fields, provenance, [], None, None), later, now.date(), adds=True)
    return True


def begin(rows: Iterable[RecordDraft], voice: Voice, now: datetime) -> None:
    """New ones become what the batch says of them."""
    for row in rows:
        if row.is_new:
            _begin(row, voice, now)


def _begin(row: RecordDraft, voice: Voice, now: datetime) -> None:
    row.become_of = len(row.joined)
    _become(row, [each.version.seen(voice) for each in row.joined], (), now)


def settle(rows: Iterable[RecordDraft], now: datetime, *, undone: bool = False, withdraw: bool = False) -> None:
    """Stored if changed; whoever has to look at one is told in the same transaction.

    `withdraw`: a likeness that was found before and is not found any more is no warning any more. Only what sources say
    does that: what people merge and edit they may take back, and then all should be as it was.
    """
    rows = [row for row in rows if row.is_live]
    storage.lock([row.id for row in rows if row.changed and not row.is_new])
    kept = following.changed([row for row in rows if row.says_other or undone], anyway=undone)
    following.flag(rows, kept)
    storage.save(rows, now)
    stored.write(kept, {row.id for row in rows if row.is_new})
    compared = [row for row in rows if row.id in kept and not row.is_new] if withdraw else []
    following.withdraw(compared)
    met = [row for row in rows if not row.is_new and (undone or row.identity_changed)]
    publication.weigh(rows, following.with_flags(rows, collisions.among(met)), undone=undone)
    following.release(compared)


def _only_adds(row: RecordDraft) -> bool:
    """A venue that many name need not be read again: the new ones come after all that it knows."""
    return (
        row.kind in REFERENCED
        and not row.is_back
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
        _become(row, said[row.id], edits.get(row.id, ()), now)


def _become(row: RecordDraft, said: list[Seen], edits: Iterable[Edited], now: datetime) -> None:
    row.become(project(row.kind, said, edits), said, now.date())


def observations_of(ids: Collection[str]) -> defaultdict[str, list[Seen]]:
    """What is said now about each of these records, with the records that it names."""
    rows = storage.observations(ids)
    named: dict[str, dict[str, tuple[str, str, str]]] = {}
    for each in rows:
        names = named_by(each.kind, each.external_id, each.payload) if KINDS[each.kind].names else ()
        named[each.id] = {name.reference: (each.source, *key) for name, key, _ in names}
    there = storage.references({key for keys in named.values() for key in keys.values()})
    found: defaultdict[str, list[Seen]] = defaultdict(list)
    for each in rows:
        keys = named[each.id]
        found[each.record].append(
            Seen(
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
    """A place or an organisation that a curator named is the one that it became by merges."""
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

"""Use cases for merging two records and undoing a merge, without losing any data of either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.extraction.write_lock import take_write_lock
from gleanery.matching.live import stored
from gleanery.resolution.decisions import chains, merge_rows
from gleanery.resolution.decisions.chains import Chain
from gleanery.resolution.decisions.merge_rows import Moved, NewMerge
from gleanery.resolution.decisions.verdicts import record_verdict, require_decider
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.intake.dependents import follow_references
from gleanery.resolution.intake.observation_draft import lookup_identities_of
from gleanery.resolution.intake.publication import publish_many, unpublish_many
from gleanery.resolution.models import Edit, Merge, OtherIdentity, Record
from gleanery.resolution.records.life import LIVE, RECORD
from gleanery.resolution.records.values import value_of

Fields = Mapping[str, Any] | Sequence[str]


@transaction.atomic
def merge(actor: Actor, loser: Record, survivor: Record, fields: Fields | None = None, reason: str = "") -> Merge:
    """Merge the loser into the survivor, or into the record that the survivor was merged into.

    `fields`: names of fields to take from the loser, or values for fields; they are kept as edits.
    """
    require_decider(actor, "merge records")
    take_write_lock()
    loser, survivor = _pair(loser.pk, survivor.pk)
    now = storage.batch_time()
    moved_chains = chains.of(str(loser.pk))
    edits = [str(each) for each in Edit.objects.filter(record=loser).values_list("pk", flat=True)]
    gives = survivor.status == "in_review" and loser.published_at is not None
    moved = Moved(
        chains=sorted(moved_chains),
        edits=edits,
        made=[str(each) for each in _take_fields(actor, loser, survivor, fields, now)],
        asked=pipeline.is_asked(loser.pk, survivor.pk),
        gave=gives,
        loser=merge_rows.state(loser, loser.identity_hash),
        survivor=merge_rows.state(survivor, survivor.identity_hash),
    )
    new = NewMerge(str(loser.pk), loser.name, str(survivor.pk), survivor.name, moved, reason)
    (merge_id,) = merge_rows.write(actor, [new], now)
    chains.move(moved_chains, loser.kind, str(loser.pk), str(survivor.pk))
    Edit.objects.filter(pk__in=edits).update(record=survivor)
    grown: dict[str, Any] = {"version": F("version") + 1, "updated_at": now}
    journal.move(loser, RECORD, "merge", actor, reason=reason, merged_into=survivor, **grown)
    if gives:  # what was public stays public
        publish_many(actor, [survivor.pk], reason, since=loser.published_at)
        pipeline.happened_to_records("published", [survivor.pk])
    record_verdict(actor, loser, survivor, "same", now)
    pipeline.happened_to_records("settled", [loser.pk])
    stored.forget([str(loser.pk)])
    OtherIdentity.objects.filter(record=loser).delete()  # the survivor has them now
    reprojection.reproject([str(survivor.pk)], now)
    follow_references([str(loser.pk)], now)
    return Merge.objects.get(pk=merge_id)


@transaction.atomic
def unmerge(actor: Actor, what: Merge | Record, reason: str = "", verdict: str = "") -> Record:
    """Undo a merge: the loser gets back all that it had, and later observations that match only its identity.

    Without a `verdict` the two are recorded as different, unless one of them waits for review again or the pair was in
    review when it was merged; then review asks about the pair again.
    """
    require_decider(actor, "split records")
    take_write_lock()
    row = _active(what)
    end = storage.survivors([str(row.survivor_id)])[str(row.survivor_id)]
    locked = _locked(row.loser_id, UUID(end))
    loser, holder = locked[row.loser_id], locked[UUID(end)]
    now, moved = storage.batch_time(), row.moved
    elsewhere = _later_merges(row, holder)
    others = {tuple(each) for merge in elsewhere for each in merge.moved["chains"]}
    back = {tuple(each) for each in moved["chains"]} - others
    later = chains.joined_after(str(holder.pk), row.at) - back - others
    back |= _belonging(later, back, loser, holder, moved["survivor"]["identity"])
    chains.move(back, loser.kind, str(holder.pk), str(loser.pk))
    kept = {each for merge in elsewhere for each in merge.moved["edits"]}
    edits = [each for each in moved["edits"] if each not in kept]
    Edit.objects.filter(pk__in=edits, record=holder).update(record=loser)
    Edit.objects.filter(pk__in=moved["made"], withdrawn_at=None).update(withdrawn_at=now)
    Merge.objects.filter(pk=row.pk).update(undone_at=now)
    _go_back(actor, loser, holder, reason, now)
    was_public = holder.status == "published"
    _take_publication_back(actor, row, holder, reason, now)
    loser.refresh_from_db()
    holder.refresh_from_db()
    is_open = moved.get("asked") or "in_review" in (loser.status, holder.status)
    record_verdict(actor, loser, holder, verdict or ("unsure" if is_open else "different"), now)
    _ask_again(loser, holder, now, undone=was_public and holder.status == "in_review")
    follow_references([str(loser.pk), str(holder.pk)], now)
    loser.refresh_from_db()
    return loser


def survivor_of(record: Record) -> Record:
    """Return the final survivor of a record, or the record itself if it is not merged."""
    return Record.objects.get(pk=storage.survivors([str(record.pk)])[str(record.pk)])


def _pair(loser_id: UUID, survivor_id: UUID) -> tuple[Record, Record]:
    """Return the loser and the final survivor, locked in the order of ids."""
    if loser_id == survivor_id:
        raise Invalid("A record cannot be merged into itself. Choose another record.")
    end = storage.survivors([str(survivor_id)]).get(str(survivor_id))
    if end is None:
        raise NotFound("There is no such record.")
    if UUID(end) == loser_id:
        raise Conflict("The two are already merged in the other direction. Nothing was changed.")
    rows = _locked(loser_id, UUID(end))
    loser, survivor = rows[loser_id], rows[UUID(end)]
    if loser.kind != survivor.kind:
        raise Invalid(
            f"Only records of the same kind can be merged: this is of kind {loser.kind}, the other {survivor.kind}."
        )
    if loser.status == "merged":
        raise Conflict(f"{loser} is already merged into another record. Undo that merge first.")
    if survivor.status not in LIVE:
        raise Conflict(f"{survivor} is {survivor.status}, so nothing can be merged into it. Restore it first.")
    return loser, survivor


def _locked(*ids: UUID) -> dict[UUID, Record]:
    rows = Record.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    found = {row.pk: row for row in rows}
    if set(ids) - found.keys():
        raise NotFound("There is no such record.")
    return found


def _take_fields(actor: Actor, loser: Record, survivor: Record, fields: Fields | None, now: datetime) -> list[UUID]:
    if not fields:
        return []
    values = fields if isinstance(fields, Mapping) else {name: loser.fields.get(name) for name in fields}
    read = {name: None if given is None else value_of(loser.kind, name, given) for name, given in values.items()}
    if "name" in read and not read["name"]:
        raise Invalid("A record needs a name. Nothing was changed.")
    rows = [
        Edit(record=survivor, field=name, value=value, by=actor.user, at=now) for name, value in sorted(read.items())
    ]
    return [row.pk for row in Edit.objects.bulk_create(rows)]


def _active(what: Merge | Record) -> Merge:
    merges: QuerySet[Merge] = Merge.objects.filter(undone_at=None)
    found = merges.filter(pk=what.pk) if isinstance(what, Merge) else merges.filter(loser=what.pk)
    row = found.first()
    if row is None:
        raise Conflict("This record is not merged into another one. Nothing was changed.")
    return row


def _later_merges(row: Merge, holder: Record) -> list[Merge]:
    """Return later merges into the holder; undoing this merge must not move back what those moved."""
    later = Merge.objects.filter(undone_at=None, at__gt=row.at, survivor__in=storage.absorbed(holder.pk))
    # Merges of the survivor itself are left out: they moved these chains along, but the chains are not theirs.
    return list(later.exclude(pk=row.pk).exclude(loser__in=_way(row.survivor_id)))


def _way(record: UUID) -> list[UUID]:
    """Return the record and all records that it was merged into, in order."""
    seen: list[UUID] = []
    step: UUID | None = record
    while step is not None and step not in seen:
        seen.append(step)
        step = Record.objects.values_list("merged_into_id", flat=True).get(pk=step)
    return seen


def _belonging(later: set[Chain], back: set[Chain], loser: Record, holder: Record, before: str | None) -> set[Chain]:
    """Return later chains with an identity of the loser or its chains that the survivor did not have."""
    if not later:
        return set()
    mine = {bytes(loser.identity_hash)} if loser.identity_hash else set()
    theirs = {bytes.fromhex(before)} if before else set()
    said = {
        (each.source, each.external_id): {
            found.identity for found in lookup_identities_of(loser.kind, each.subject) if not found.loose
        }
        for each in reprojection.observations_of([str(holder.pk)])[str(holder.pk)]
    }
    for chain in said.keys() - later:
        (mine if chain in back else theirs).update(said[chain])
    return {chain for chain in later & said.keys() if said[chain] & (mine - theirs)}


def _go_back(actor: Actor, loser: Record, holder: Record, reason: str, now: datetime) -> None:
    """Return the loser to its previous state, unless what had made it public was undone meanwhile."""
    back = "unmerge_published" if loser.published_at is not None else "unmerge_in_review"
    grown: dict[str, Any] = {"version": F("version") + 1, "updated_at": now}
    journal.move(loser, RECORD, back, actor, reason=reason, merged_into=None, **grown)
    journal.write(actor, "release", holder, after={"split_off": str(loser.pk), "name": loser.name}, reason=reason)


def _take_publication_back(actor: Actor, row: Merge, holder: Record, reason: str, now: datetime) -> None:
    """Return survivors to review that were public only because of the loser and of no other merged record."""
    gave: Merge | None = row
    for record in sorted(Record.objects.filter(pk__in=(way := _way(row.survivor_id))), key=lambda x: way.index(x.pk)):
        if gave is None or not gave.moved.get("gave"):
            return
        _note_gift(gave, given=False)
        others = Merge.objects.filter(survivor=record, undone_at=None, loser__published_at__isnull=False)
        if (other := others.select_related("loser").order_by("at").first()) is not None:
            _note_gift(other, given=True)
            Record.objects.filter(pk=record.pk).update(published_at=other.loser.published_at)
            return
        if record.status == "published":
            unpublish_many(actor, [holder.pk], reason)
        else:
            Record.objects.filter(pk=record.pk).update(published_at=None, version=F("version") + 1, updated_at=now)
        gave = Merge.objects.filter(loser=record, undone_at=None).first()


def _ask_again(loser: Record, holder: Record, now: datetime, *, undone: bool) -> None:
    """Reproject both; the one in review comes last, so that it is compared with the current state of the other.

    `undone`: the holder returned to review, so its merged features are dropped before the loser is compared.
    """
    if undone:
        stored.forget([str(holder.pk)])
    both = [(holder, undone), (loser, True)]
    for record, anew in reversed(both) if undone and loser.status == "published" else both:
        reprojection.reproject([str(record.pk)], now, undone=anew, retracted=True)


def _note_gift(row: Merge, *, given: bool) -> None:
    Merge.objects.filter(pk=row.pk).update(moved=row.moved | {"gave": given})

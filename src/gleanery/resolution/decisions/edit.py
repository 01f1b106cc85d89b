"""Use cases for editing fields of a record and undoing such edits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.extraction.write_lock import take_write_lock
from gleanery.kinds import KINDS, REFERENCED
from gleanery.resolution.decisions.verdicts import require_decider
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.models import Edit, Record
from gleanery.resolution.records.life import LIVE
from gleanery.resolution.records.values import value_of


@transaction.atomic
def edit(
    actor: Actor, record: Record, changes: Mapping[str, Any], expected_version: int | None = None, reason: str = ""
) -> Record:
    """Set fields to the values of a curator, which override all sources; None clears a field."""
    require_decider(actor, "edit a record")
    take_write_lock()
    row = _editable(record, expected_version)
    values = {name: _value(row, name, given) for name, given in changes.items()}
    if not values:
        raise Invalid("No field was given. Nothing was changed; name at least one field.")
    now = storage.batch_time()
    rows = [Edit(record=row, field=name, value=value, by=actor.user, at=now) for name, value in sorted(values.items())]
    Edit.objects.bulk_create(rows)
    before = {name: _shown(row, name) for name in values}
    journal.write(actor, "edit", row, before=before, after=values, reason=reason)
    fresh = _followed(row, now)
    pipeline.happened_to_records("edited", [row.pk])
    return fresh


@transaction.atomic
def unedit(
    actor: Actor, record: Record, fields: Collection[str], expected_version: int | None = None, reason: str = ""
) -> Record:
    """Undo the newest edit of each of these fields; the edit before it applies again, or else the value from sources.

    A record that was published only because of the edit waits for review again; others stay public.
    """
    require_decider(actor, "edit a record")
    take_write_lock()
    row = _editable(record, expected_version)
    current = Edit.objects.filter(record=row, field__in=fields, withdrawn_at=None).order_by("at", "pk")
    newest = {each.field: each for each in current}
    if not newest:
        raise Conflict("These fields have no edit to undo. Nothing was changed.")
    now = storage.batch_time()
    Edit.objects.filter(pk__in=[each.pk for each in newest.values()]).update(withdrawn_at=now)
    before = {name: each.value for name, each in newest.items()}
    fresh = _followed(row, now, retracted=True)
    after = {name: _shown(fresh, name) for name in newest}
    journal.write(actor, "unedit", row, before=before, after=after, reason=reason)
    return fresh


def _editable(record: Record, expected_version: int | None) -> Record:
    row = Record.objects.select_for_update(no_key=True).filter(pk=record.pk).first()
    if row is None:
        raise NotFound("There is no such record.")
    if row.status not in LIVE:
        raise Conflict(f"{row} is {row.status}, so it cannot be edited. Nothing was changed.")
    if expected_version is not None and expected_version != row.version:
        raise Conflict(f"{row} has changed since you opened it, so your edit was not saved. Reload it and try again.")
    return row


def _value(record: Record, name: str, given: Any) -> Any:
    """Return the checked value; None and empty values clear the field."""
    if name in _references(record):
        return _reference(record, name, given) if given else None
    if name not in KINDS[record.kind].fields:
        raise Invalid(f"A record of kind {record.kind} has no field {name}.")
    value = None if given in (None, "") else value_of(record.kind, name, given)
    if name == "name" and not value:
        raise Invalid("A record needs a name. Nothing was changed.")
    return None if value == "" else value


def _references(record: Record) -> set[str]:
    return {named.reference for named in KINDS[record.kind].names}


def _reference(record: Record, name: str, given: Any) -> str:
    try:
        wanted = UUID(str(given))
    except ValueError:
        raise Invalid(f"{name} must be the id of a record. Nothing was changed.") from None
    if not Record.objects.filter(pk=wanted, kind=name).exclude(status="deleted").exists():
        raise Invalid(f"There is no {name} with this id. Nothing was changed.")
    return str(wanted)


def _shown(record: Record, name: str) -> Any:
    if name in REFERENCED:
        found = getattr(record, f"{name}_id")
        return str(found) if found else None
    return record.fields.get(name)


def _followed(record: Record, now: datetime, *, retracted: bool = False) -> Record:
    reprojection.reproject([str(record.pk)], now, retracted=retracted)
    record.refresh_from_db()
    return record

"""What is worked out of observations before the turn to write is taken, so that several do it side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gleanery.resolution import lines, storage
from gleanery.resolution.matches import stored
from gleanery.resolution.matches.traits import traits
from gleanery.resolution.told import Told


def prepare(source: str, told: Collection[Told]) -> None:
    """Only a hint: whatever others write meanwhile, the turn itself looks again, and does what is missing."""
    known = storage.look(source, [each.key for each in told])
    for each in told:
        before = known.get(each.key)
        if before is None or before.payload_hash != each.digest or before.record is None:
            prepare_new(each)


def take_over(told: Collection[Told], prepared: Mapping[str, Told]) -> None:
    """What was read again in the turn has what was worked out when it was read before."""
    for each in told:
        if before := prepared.get(each.id):
            each.written, each.traits, each.named = before.written, before.traits, before.named


def prepare_new(told: Told) -> None:
    lines.payload(told)
    told.names()
    told.traits = traits(told.kind, told.payload)
    stored.digests(told.traits)

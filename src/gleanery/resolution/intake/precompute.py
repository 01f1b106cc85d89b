"""What is worked out of observations before the turn to write is taken, so that several do it side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gleanery.ids import text7
from gleanery.matching.facts import Facts, facts
from gleanery.matching.live import stored
from gleanery.resolution.intake import copy_rows, storage
from gleanery.resolution.intake.assignment import Matching
from gleanery.resolution.intake.observation_draft import Key, Told, named
from gleanery.resolution.near import flagging


def prepare(source: str, told: Collection[Told]) -> None:
    """Only a hint: whatever others write meanwhile, the turn itself looks again, and does what is missing."""
    known = storage.look(source, [each.key for each in told])
    news = []
    for each in told:
        before = known.get(each.key)
        if before is None or before.payload_hash != each.digest or before.record is None:
            prepare_new(each)
            if before is None or before.record is None:
                news.append(each)
    foresee(source, news)


def take_over(told: Collection[Told], prepared: Mapping[str, Told]) -> None:
    """What was read again in the turn has what was worked out when it was read before."""
    for each in told:
        if before := prepared.get(each.id):
            each.written, each.compared, each.named = before.written, before.compared, before.named
            each.foreseen = before.foreseen


def prepare_new(told: Told) -> None:
    copy_rows.payload(told)
    told.names()
    told.compared = facts(told.kind, told.payload)
    stored.digests(told.compared)


def foresee(source: str, news: Collection[Told]) -> None:
    """The near duplicates of what will be new records, if what they name are the records that it is now."""
    if not news:
        return
    records = _named(source, news)
    asked: dict[str, Facts] = {}
    for told in news:
        assert told.compared is not None  # noqa: S101 - it was prepared
        refers = {name.reference: records[key] or "" for name, key, _ in told.names()}
        asked[told.id] = told.compared._replace(at=refers.get("place", ""), by=refers.get("organization", ""))
    found = flagging.foresee(asked)
    for told in news:
        told.foreseen = found[told.id]


def _named(source: str, news: Collection[Told]) -> dict[Key, str | None]:
    """The records of the places and organisations that these name, as far as there are some."""
    children = {key: named(key, fields, text7()) for told in news for _, key, fields in told.names()}
    known = storage.look(source, children)
    for key, child in children.items():
        if before := known.get(key):
            child.record = before.record
    matching = Matching(list(children.values()))
    return {key: matching.guess(child) for key, child in children.items()}

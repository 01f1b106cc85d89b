"""Which record an observation tells of: the one its source meant before, one of equal identity, or a new one."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from gleanery.extraction.values import clock
from gleanery.ids import text7
from gleanery.kinds import KINDS
from gleanery.resolution.intake import storage
from gleanery.resolution.intake.observation_draft import Told
from gleanery.resolution.intake.record_draft import Row, new_row
from gleanery.resolution.records.conflicts import in_conflict
from gleanery.resolution.records.identity import asks

ASIDE = "It was deleted, so it does not come back; what the source says is kept aside."


class Matching:
    """One round of look-ups for a batch; then everything is found in memory, also what the batch itself brings."""

    def __init__(self, batch: list[Told]) -> None:
        fresh = [told for told in batch if told.record is None]
        found = {told.id: told.identities() for told in fresh}
        self.hashes = {told: own for told, (own, _) in found.items()}
        self.ties = {told.id: asks(told.kind, told.subject) for told in fresh}
        self.others = {told: others for told, (_, others) in found.items() if others}
        wanted = {each for each in self.hashes.values() if each}
        wanted.update(each for listed in self.others.values() for each in listed)
        self.rows = storage.records(
            ids={told.record for told in batch if told.record}, hashes=wanted, ties=set().union(*self.ties.values())
        )
        self.ends = self._follow_merges()
        self.alike: defaultdict[bytes, list[Row]] = defaultdict(list)
        for row in sorted(self.rows.values(), key=lambda row: row.id):
            end = self.end_of(row)
            for each in row.identities:
                if end not in self.alike[each]:
                    self.alike[each].append(end)
        self.instants = self._instants()

    def assign(self, batch: list[Told]) -> list[Row]:
        """Each gets its record; the records that are concerned, each once."""
        touched: dict[str, Row] = {}
        for told in batch:
            row = self._known(told) if told.record else self._found(told)
            row.join(told)
            self._answer(row, told)
            if not row.is_live and row.status != "withdrawn":
                told.outcome, told.reason = "refused", ASIDE
            touched[row.id] = row
        return list(touched.values())

    def guess(self, told: Told) -> str | None:
        """The record that it would get now, if there is one."""
        if told.record:
            return self.end_of(self.rows[told.record]).id if told.record in self.rows else None
        return next((row.id for row in self._fitting(told) if row.is_live), None)

    def end_of(self, row: Row) -> Row:
        return self.rows[self.ends.get(row.id, row.id)]

    def _follow_merges(self) -> dict[str, str]:
        merged = [row.id for row in self.rows.values() if row.status == "merged"]
        ends = storage.survivors(merged)
        missing = set(ends.values()) - self.rows.keys()
        self.rows.update(storage.records(ids=missing))
        return ends

    def _known(self, told: Told) -> Row:
        told.outcome = "updated"
        return self.end_of(self.rows[str(told.record)])

    def _found(self, told: Told) -> Row:
        fitting = [*self._fitting(told), *self._tied(told)]
        live = next((row for row in fitting if row.is_live), None) or self._at_the_same_instant(told)
        if live is not None:
            told.outcome = "merged"
            return live
        if not fitting:
            return self._new(told, self.hashes[told.id])
        told.outcome = "merged"
        return next((row for row in fitting if row.status == "withdrawn"), fitting[0])

    def _fitting(self, told: Told) -> list[Row]:
        identity_hash = self.hashes[told.id]
        return [row for row in self.alike[identity_hash] if _fits(row, told)] if identity_hash else []

    def _tied(self, told: Told) -> list[Row]:
        """Of one name and start, with something in common that ties them; the surest tie first."""
        found = {
            row.id: row
            for hashed, tie in self.ties[told.id].items()
            for row in sorted(self.alike[hashed], key=lambda row: row.id)
            if not tie.unless(row.facts, told.payload)
        }
        return list(found.values())

    def _answer(self, row: Row, told: Told) -> None:
        """Later ones of the batch find it by what this one says."""
        for each in told.answers():
            if row not in self.alike[each.identity]:
                self.alike[each.identity].append(row)

    def _at_the_same_instant(self, told: Told) -> Row | None:
        """Told of with another offset, so that it falls on another day there."""
        moment = _instant(told)
        for each in self.others.get(told.id, ()):
            for row in self.alike[each]:
                if row.is_live and moment in self.instants[row.id]:
                    return row
        return None

    def _new(self, told: Told, identity_hash: bytes | None) -> Row:
        row = new_row(text7(), told, identity_hash)
        self.rows[row.id] = row
        if told.kind == "event" and (moment := _instant(told)):
            self.instants[row.id].add(moment)
        told.outcome = "created"
        return row

    def _instants(self) -> defaultdict[str, set[datetime]]:
        """Of the few that might be the same but for the day."""
        near = {row.id for listed in self.others.values() for each in listed for row in self.alike[each]}
        found: defaultdict[str, set[datetime]] = defaultdict(set)
        for record, spans in storage.occurrences(near).items():
            found[record].update(span.start for span in spans)
        return found


def _fits(row: Row, told: Told) -> bool:
    return not (KINDS[told.kind].may_conflict and in_conflict(row.facts, told.payload))


def _instant(told: Told) -> datetime | None:
    moment = clock.read(told.subject.text("start"), told.subject.text("country"))
    return moment.exact if moment else None

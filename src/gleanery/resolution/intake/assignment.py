"""Assigns each observation a record: that of its previous version, one of equal identity, or a new one."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import datetime

from gleanery.extraction.values import clock
from gleanery.ids import text7
from gleanery.kinds import KINDS
from gleanery.resolution.intake import storage
from gleanery.resolution.intake.observation_draft import Assigned, Version
from gleanery.resolution.intake.record_draft import RecordDraft, new_row
from gleanery.resolution.records.conflicts import in_conflict
from gleanery.resolution.records.identity import tie_identities

FORMS = frozenset({"jsonl", "csv", "icalendar"})  # of files that somebody imports
RECORD_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
ASIDE = "The record was deleted, so it is not created again. The data was kept; restore the record to use it."


class Assignment:
    """Looks up all candidate records of a batch once; records that the batch itself creates are found in memory."""

    def __init__(self, batch: list[Version]) -> None:
        fresh = [version for version in batch if version.record is None]
        found = {version.id: version.identities() for version in fresh}
        self.hashes = {each: own for each, (own, _) in found.items()}
        self.ties = {version.id: tie_identities(version.kind, version.subject) for version in fresh}
        self.others = {each: others for each, (_, others) in found.items() if others}
        wanted = {each for each in self.hashes.values() if each}
        wanted.update(each for listed in self.others.values() for each in listed)
        ids = {version.record for version in batch if version.record}
        self.rows = storage.records(ids=ids, hashes=wanted, ties=set().union(*self.ties.values()))
        self.ends = self._follow_merges()
        self.alike: defaultdict[bytes, list[RecordDraft]] = defaultdict(list)
        for row in sorted(self.rows.values(), key=lambda row: row.id):
            end = self.end_of(row)
            for each in row.identities:
                if end not in self.alike[each]:
                    self.alike[each].append(end)
        self.instants = self._instants()
        self.kept_ids = storage.unused({kept for version in fresh if (kept := id_of_a_copy(version))})

    def assign(self, batch: list[Version]) -> list[RecordDraft]:
        """Add each version to its record, and return these records, each once."""
        touched: dict[str, RecordDraft] = {}
        for version in batch:
            row, outcome = self._known(version) if version.record else self._found(version)
            is_aside = not row.is_live and row.status != "withdrawn"
            row.join(Assigned(version, row.id, "refused", ASIDE) if is_aside else Assigned(version, row.id, outcome))
            self._remember_identities(row, version)
            touched[row.id] = row
        return list(touched.values())

    def guess(self, version: Version) -> str | None:
        """Return the existing record that this version would get now, if any."""
        if version.record:
            return self.end_of(self.rows[version.record]).id if version.record in self.rows else None
        return next((row.id for row in self._fitting(version) if row.is_live), None)

    def end_of(self, row: RecordDraft) -> RecordDraft:
        return self.rows[self.ends.get(row.id, row.id)]

    def _follow_merges(self) -> dict[str, str]:
        merged = [row.id for row in self.rows.values() if row.status == "merged"]
        ends = storage.survivors(merged)
        missing = set(ends.values()) - self.rows.keys()
        self.rows.update(storage.records(ids=missing))
        return ends

    def _known(self, version: Version) -> tuple[RecordDraft, str]:
        return self.end_of(self.rows[str(version.record)]), "updated"

    def _found(self, version: Version) -> tuple[RecordDraft, str]:
        fitting = [*self._fitting(version), *self._tied(version)]
        live = next((row for row in fitting if row.is_live), None) or self._at_the_same_instant(version)
        if live is not None:
            return live, "merged"
        if not fitting:
            return self._new(version, self.hashes[version.id]), "created"
        return next((row for row in fitting if row.status == "withdrawn"), fitting[0]), "merged"

    def _fitting(self, version: Version) -> list[RecordDraft]:
        identity_hash = self.hashes[version.id]
        return [row for row in self.alike[identity_hash] if _fits(row, version)] if identity_hash else []

    def _tied(self, version: Version) -> list[RecordDraft]:
        """Return records of the same name and start that share another part (see TIES), surest tie first."""
        found = {
            row.id: row
            for hashed, tie in self.ties[version.id].items()
            for row in sorted(self.alike[hashed], key=lambda row: row.id)
            if not tie.unless(row.facts, version.payload)
        }
        return list(found.values())

    def _remember_identities(self, row: RecordDraft, version: Version) -> None:
        """Let later versions of the batch find the record by the identities of this one."""
        for each in version.lookup_identities():
            if row not in self.alike[each.identity]:
                self.alike[each.identity].append(row)

    def _at_the_same_instant(self, version: Version) -> RecordDraft | None:
        """Return a record of the same instant that another time zone puts on another day."""
        moment = _instant(version)
        for each in self.others.get(version.id, ()):
            for row in self.alike[each]:
                if row.is_live and moment in self.instants[row.id]:
                    return row
        return None

    def _new(self, version: Version, identity_hash: bytes | None) -> RecordDraft:
        row = new_row(self._id_for(version), version, identity_hash)
        self.rows[row.id] = row
        if version.kind == "event" and (moment := _instant(version)):
            self.instants[row.id].add(moment)
        return row

    def _id_for(self, version: Version) -> str:
        own = id_of_a_copy(version)
        if own not in self.kept_ids:
            return text7()
        self.kept_ids.remove(own)
        return own

    def _instants(self) -> defaultdict[str, set[datetime]]:
        """Return the start times of the records that might differ only in the day."""
        near = {row.id for listed in self.others.values() for each in listed for row in self.alike[each]}
        found: defaultdict[str, set[datetime]] = defaultdict(set)
        for record, spans in storage.occurrences(near).items():
            found[record].update(span.start for span in spans)
        return found


def id_of_a_copy(version: Version) -> str:
    """The id of the record that a file of ours holds: a copy of a site keeps its addresses."""
    observation = version.observation
    is_ours = observation.extractor in FORMS and RECORD_ID.fullmatch(observation.external_id)
    return observation.external_id if is_ours else ""


def _fits(row: RecordDraft, version: Version) -> bool:
    return not (KINDS[version.kind].may_conflict and in_conflict(row.facts, version.payload))


def _instant(version: Version) -> datetime | None:
    moment = clock.read(version.subject.text("start"), version.subject.text("country"))
    return moment.exact if moment else None

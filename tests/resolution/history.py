"""Random histories of records: the steps, a player for them, and an oracle that checks the result."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from hypothesis import HealthCheck
from hypothesis import strategies as st

from gleanery.accounts import services as accounts
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import User
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation, Source
from gleanery.extraction.payload import normalised, payload_hash
from gleanery.extraction.values import clock
from gleanery.matching.facts import facts
from gleanery.matching.live import stored
from gleanery.resolution import services
from gleanery.resolution.intake.observation_draft import Given, named_by
from gleanery.resolution.models import Edit, Likeness, LikenessKey, Occurrence, Record
from gleanery.resolution.records.identity import Subject, identity, lookup_identities
from gleanery.resolution.records.life import LIVE
from gleanery.resolution.records.projection import CurrentObservation, Edited, Span, project
from gleanery.resolution.records.values import checked
from gleanery.review import services as review
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.roles import Role

SOURCES = "abcdef"
TRUSTS = dict(zip(SOURCES, (3, 5, 5, 5, 6, 8), strict=True))  # to begin with
REFUSALS = (Conflict, Invalid, NotFound)
REFERENCES = ("place", "organization")
MOSTLY = 25
ORDER = ("created_at", "kind", "name", "pk")  # ids of one millisecond have no order, and a failure should come again
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
Telling = dict[tuple[str, str, str], dict[str, Any]]  # by source, kind and external id

# Few words, so that things collide: with and without what tells them apart, in several spellings.
names = st.sampled_from(["Rex", "The Rex", "REX!", "Inn & Mill", "Inn and Mill"])
days = st.sampled_from(
    ["2027-03-12", "2027-03-12T19:00:00+02:00", "2027-03-12T17:00:00Z", "2027-03-12T23:30:00-04:00", "2027-03-13"]
)
towns = st.sampled_from(["Sofia", "Ruse"])
texts = st.sampled_from(["One.", "Two.", "Three."])
where = {"locality": towns, "address": st.sampled_from(["5 Main St.", "7 Main St."]), "phone": texts}
payloads = st.one_of(
    st.fixed_dictionaries({"name": names}, optional={**where, "description": texts, "official_id": texts}).map(
        lambda fields: ("place", fields)
    ),
    st.fixed_dictionaries({"name": names}, optional={"locality": towns, "description": texts, "email": texts}).map(
        lambda fields: ("organization", fields)
    ),
    st.fixed_dictionaries(
        {"name": names, "start": days, "venue_name": names},
        optional={
            "locality": towns,
            "description": texts,
            "organizer_name": names,
            "end": days,
            "occurrences": st.lists(st.fixed_dictionaries({"start": days}), min_size=1, max_size=2),
        },
    ).map(lambda fields: ("event", fields)),
    st.fixed_dictionaries(
        {"name": names}, optional={"funder_name": names, "deadline": days, "description": texts, "year": st.just(2027)}
    ).map(lambda fields: ("funding", fields)),
)
things = st.tuples(payloads, st.sampled_from("123"))
which = st.integers(0, 30)
edits = st.one_of(
    st.dictionaries(st.sampled_from(["name", "description", "url"]), st.one_of(names, st.none()), min_size=1),
    st.dictionaries(st.sampled_from(["locality", "address", "phone"]), st.one_of(towns, st.none()), min_size=1),
    st.dictionaries(st.sampled_from(["start", "end"]), st.one_of(days, st.none()), min_size=1),
    st.dictionaries(st.sampled_from(REFERENCES), st.sampled_from(["some record", None]), min_size=1),
)
steps = st.one_of(
    st.tuples(st.just("observe"), st.sampled_from(SOURCES), st.lists(things, min_size=1, max_size=3)),
    st.tuples(st.just("observe"), st.sampled_from(SOURCES), st.lists(things, min_size=1, max_size=3)),
    st.tuples(st.just("again"), which),
    st.tuples(st.just("edit"), which, edits),
    st.tuples(st.just("unedit"), which, st.sampled_from(["name", "description", "place"])),
    st.tuples(st.just("merge"), which, which, st.sampled_from([None, ["name"], ["description"]])),
    st.tuples(st.just("merge"), which, which, st.none()),
    st.tuples(st.just("unmerge"), which),
    st.tuples(st.just("trust"), st.sampled_from(SOURCES), st.integers(1, 10)),
    st.tuples(st.just("withdraw"), which),
    st.tuples(st.just("decide"), which, st.sampled_from(["approve", "reject"])),
    st.tuples(st.just("undo"), which),
    st.tuples(st.just("delete"), which),
    st.tuples(st.just("restore"), which),
    st.tuples(st.just("update_a_deleted_record"), which, payloads, st.booleans()),
)
beginnings = st.lists(st.tuples(payloads, st.sampled_from(SOURCES)), min_size=2, max_size=5)
histories = st.tuples(beginnings, st.lists(steps, min_size=2, max_size=10))


WRONG_IN_THE_QUEUE = """
    WITH answers AS (
        SELECT id AS record, identity_hash AS hash FROM record
        UNION SELECT record_id, identity_hash FROM other_identity WHERE NOT loose
    ), asked AS (
        SELECT item.id, record_id, record.status, identity_hash FROM review_item AS item
             JOIN record ON record.id = record_id WHERE item.status = 'pending'
    ), reason AS (
        SELECT asked.*, detail, detail ->> 'duplicate_of' AS other FROM asked
             JOIN review_warning ON item_id = asked.id
    )
    SELECT id, 'it waits, and nobody is asked' FROM record
    WHERE status = 'in_review' AND id NOT IN (SELECT record_id FROM asked)
    UNION ALL
    SELECT record_id, 'it is gone' FROM asked WHERE status NOT IN ('in_review', 'published')
    UNION ALL
    SELECT record_id, 'nobody says why' FROM asked WHERE id NOT IN (SELECT id FROM reason)
    UNION ALL
    SELECT record_id, 'it is public already' FROM reason WHERE status = 'published' AND other IS NULL
    UNION ALL
    SELECT record_id, 'they are not alike' FROM reason
    WHERE detail ->> 'by' = 'identity' AND NOT EXISTS (
        SELECT FROM record WHERE record.id = other::uuid AND record.status IN ('in_review', 'published')
           AND (SELECT array_agg(hash) FROM answers WHERE record = record_id)
               && (SELECT array_agg(hash) FROM answers WHERE record = other::uuid))
    UNION ALL
    SELECT record_id, 'they were told apart' FROM reason JOIN verdict
         ON record_id IN (low_id, high_id) AND other::uuid IN (low_id, high_id)
    WHERE verdict = 'different' AND superseded_at IS NULL
"""


@dataclass
class Player:
    """Plays steps through the real services; what they may refuse is refused. `told` is what each source said last."""

    actor: Actor
    alone: bool = True  # nobody else writes meanwhile
    told: Telling = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    refused: int = 0

    def begin(self, beginning: list[tuple[tuple[str, dict[str, Any]], str]]) -> None:
        for source in SOURCES:
            said = [(each, f"begin {number}") for number, (each, by) in enumerate(beginning) if by == source]
            if said:
                self.observe(source, said)

    def play(self, step: tuple[Any, ...]) -> None:
        action, *arguments = step
        try:
            getattr(self, action)(*arguments)
        except REFUSALS:
            self.refused += 1

    def observe(self, source: str, listed: list[tuple[tuple[str, dict[str, Any]], str]]) -> None:
        drafts = [Given(kind=kind, external_id=key, payload=said) for (kind, said), key in listed]
        answers = services.intake(self._source(source), drafts)
        assert len(answers) == len(drafts)
        for draft, answer in zip(drafts, answers, strict=True):
            assert answer.record or answer.reason
            if answer.record:
                said = normalised(checked(draft.kind, draft.payload))
                self.told[source, draft.kind, draft.external_id] = said

    def again(self, number: int) -> None:
        """Send the same observation again: nothing changes, not even a version."""
        if not self.told:
            return
        (source, kind, key), said = sorted(self.told.items(), key=repr)[number % len(self.told)]
        before = snapshot(versions=True) if self.alone else None
        (answer,) = services.intake(self._source(source), [Given(kind=kind, external_id=key, payload=said)])
        if self.alone:
            assert answer.outcome == "unchanged"
            assert snapshot(versions=True) == before

    def edit(self, number: int, changes: dict[str, Any]) -> None:
        if (record := self._some(number)) is not None:
            services.edit(
                self.actor, record, {name: self._meant(name, value, number) for name, value in changes.items()}
            )

    def unedit(self, number: int, name: str) -> None:
        edited = list(Edit.objects.filter(field=name, withdrawn_at=None).order_by("at"))
        if edited:
            services.unedit(self.actor, edited[number % len(edited)].record, [name])

    def merge(self, number: int, other: int, fields: list[str] | None) -> None:
        """Merge two similar records, or now and then two that cannot be merged."""
        if (loser := self._some(number)) is None:
            return
        alike = list(Record.objects.filter(kind=loser.kind).exclude(pk=loser.pk).order_by(*ORDER)) or [loser]
        services.merge(self.actor, loser, alike[other % len(alike)], fields)

    def unmerge(self, number: int) -> None:
        merged = list(Record.objects.filter(status="merged").order_by(*ORDER))
        if merged:
            services.unmerge(self.actor, merged[number % len(merged)])

    def trust(self, source: str, trust: int) -> None:
        extraction.set_trust(self.actor, self._source(source), trust)

    def withdraw(self, number: int) -> None:
        if (record := self._some(number)) is not None:
            services.withdraw(self.actor, record)

    def decide(self, number: int, action: str) -> None:
        if (item := self._item(number, "pending")) is not None:
            review.decide(self.actor, item, action, **({"reason": "No good."} if action == "reject" else {}))

    def undo(self, number: int) -> None:
        if (item := self._item(number, "approved", "rejected")) is not None:
            review.decide(self.actor, item, "undo")

    def delete(self, number: int) -> None:
        if (record := self._some(number)) is not None:
            services.delete(self.actor, record, "No good.")

    def restore(self, number: int) -> None:
        deleted = list(Record.objects.filter(status="deleted").order_by(*ORDER))
        if deleted:
            services.restore(self.actor, deleted[number % len(deleted)])

    def update_a_deleted_record(self, number: int, thing: tuple[str, dict[str, Any]], restored: bool) -> None:
        """Send a change of a deleted record, and perhaps restore it afterwards."""
        kind, said = thing
        told = sorted(key for key in self.told if key[1] == kind)
        if not told:
            return
        source, _, key = told[number % len(told)]
        record = Record.objects.get(
            pk=Observation.objects.get(source__name=source, kind=kind, external_id=key, superseded_at=None).record
        )
        with contextlib.suppress(*REFUSALS):
            services.delete(self.actor, record, "No good.")
        self.observe(source, [((kind, said), key)])
        if restored:
            services.restore(self.actor, record)

    def _source(self, name: str) -> Source:
        if name not in self.sources:
            self.sources[name] = services.source_named(name, trust=TRUSTS[name])
        return self.sources[name]

    def _some(self, number: int) -> Record | None:
        """Return a record, usually a live one."""
        rows = sorted(Record.objects.order_by(*ORDER), key=lambda row: row.status not in LIVE)
        live = sum(row.status in LIVE for row in rows)
        return rows[number % (len(rows) if number > MOSTLY else live or 1)] if rows else None

    def _item(self, number: int, *states: str) -> Item | None:
        items = list(Item.objects.filter(status__in=states).order_by("opened_at", "record__name", "pk"))
        return claims.find(items[number % len(items)].pk) if items else None

    def _meant(self, name: str, value: Any, number: int) -> Any:
        if name not in REFERENCES or value is None:
            return value
        rows = list(Record.objects.filter(kind=name).order_by(*ORDER))
        return str(rows[number % len(rows)].pk) if rows else "nothing"


def curator() -> Actor:
    """Return the curator, shared by all histories of a test, since creating one takes as long as a step."""
    found = User.objects.filter(username="curator").first()
    return Actor(found or accounts.create_user(system(), "curator", Role.ADMIN))


def snapshot(*, versions: bool = False) -> dict[str, tuple[Any, ...]]:
    """Return the projected content of every record with its occurrences; on demand with versions and times."""
    spans = _spans()
    return {
        str(row.pk): (
            row.kind,
            row.status,
            row.name,
            row.fields,
            row.provenance,
            row.place_id,
            row.organization_id,
            row.merged_into_id,
            row.start_date,
            row.deadline,
            bytes(row.identity_hash or b""),
            spans[row.pk],
            *((row.version, row.updated_at) if versions else ()),
        )
        for row in Record.objects.all()
    }


def check(*told: Telling) -> None:
    """Check all that must always hold. If several writers send the same thing, the last one counts."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # references too, though the example is never committed
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    check_queue()
    likeness_is_kept()
    records = {row.pk: row for row in Record.objects.all()}
    observations = list(Observation.objects.select_related("source"))
    _merged_lead_somewhere(records)
    _no_observation_is_lost(observations, records, told)
    _stored_is_projected(records, [each for each in observations if each.is_current])


def check_queue() -> None:
    """Check that waiting records have a reason and settled ones none; one statement, since it runs after every step."""
    with connection.cursor() as cursor:
        cursor.execute(WRONG_IN_THE_QUEUE)
        wrong = cursor.fetchall()
        assert not wrong, sorted(why for _, why in wrong)


def likeness_is_kept() -> None:
    """Check that the stored features of live records match their fields, and that others have none."""
    live = {str(row.pk): row for row in Record.objects.filter(status__in=LIVE)}
    kept = stored.read([str(each) for each in Record.objects.values_list("pk", flat=True)])
    assert kept == {
        key: facts(
            row.kind,
            row.fields,
            place=str(row.place_id) if row.place_id else None,
            organization=str(row.organization_id) if row.organization_id else None,
        )
        for key, row in live.items()
    }
    keys = {(key, record) for record, one in kept.items() for key in stored.digests(one)}
    assert {(key, str(row.pk)) for row in Likeness.objects.all() for key in row.keys} == keys
    listed = {(key, str(record)) for key, record in LikenessKey.objects.values_list("key", "record")}
    assert listed <= keys
    left_out = {(key, stored.key_sets(kept[record]).wanted[key]) for key, record in keys - listed}
    assert all(rule not in stored.COUNTED for _, rule in left_out)


def _merged_lead_somewhere(records: dict[UUID, Record]) -> None:
    for row in records.values():
        end, steps = row, 0
        while end.merged_into_id is not None:
            end, steps = records[end.merged_into_id], steps + 1
            assert steps <= len(records), "a circle of merges"
        assert end.status != "merged"
        assert end.kind == row.kind


def _no_observation_is_lost(
    observations: list[Observation],
    records: dict[UUID, Record],
    told: tuple[Telling, ...],
) -> None:
    chains: defaultdict[tuple[str, str, str], list[Observation]] = defaultdict(list)
    for each in observations:
        chains[each.source.name, each.kind, each.external_id].append(each)
    for key, versions in chains.items():
        versions.sort(key=lambda each: each.version)
        assert [each.version for each in versions] == list(range(1, len(versions) + 1)), key
        assert [each.is_current for each in versions] == [False] * (len(versions) - 1) + [True], key
        assert len({(each.record, each.first_observed) for each in versions}) == 1, key
        assert all(each.resolved_at for each in versions)
        home = versions[0].record
        assert home is not None
        assert records[home].kind == versions[0].kind
        assert records[home].status != "merged", "what a source says of a merged record belongs to the survivor"
    for key in {key for telling in told for key in telling}:
        # One instant may be written in two ways, which is no change: it stays as it was first written.
        said = [payload_hash(key[1], telling[key]) for telling in told if key in telling]
        assert payload_hash(key[1], chains[key][-1].payload) in said, key
    for row in records.values():
        if row.status in LIVE:
            assert any(each.record == row.pk for each in observations) or row.edits.exists(), "nobody speaks of it"


def _stored_is_projected(records: dict[UUID, Record], current: list[Observation]) -> None:
    """The oracle reads the tables one row at a time, and shares nothing with the services but the pure functions."""
    homes = {(each.source_id, each.kind, each.external_id): each.record for each in current}
    spans, edited, said = _spans(), _edited(records), defaultdict(list)
    for each in current:
        names = {
            named.reference: str(home)
            for named, key, _ in named_by(each.kind, each.external_id, each.payload)
            if (home := homes[each.source_id, *key])
        }
        said[each.record].append(
            CurrentObservation(
                id=str(each.pk),
                source=str(each.source_id),
                trust=each.source.trust,
                first=each.first_observed,
                external_id=each.external_id,
                payload=each.payload,
                **names,
            )
        )
    for row in records.values():
        if row.status not in LIVE:
            continue
        made = project(row.kind, said[row.pk], edited[row.pk])
        assert row.fields == made.fields, row.pk
        assert row.provenance == made.provenance
        assert (_text(row.place_id), _text(row.organization_id)) == (made.place, made.organization)
        assert spans[row.pk] == made.occurrences
        assert row.name == made.fields.get("name", "(no name)")
        country = made.fields.get("country", "")
        assert row.start_date == clock.day_of(made.fields.get("start"), country)
        assert row.deadline == clock.day_of(made.fields.get("deadline"), country)
        hashed = identity(row.kind, Subject(made.fields, made.place, made.organization))
        assert (bytes(row.identity_hash) if row.identity_hash else None) == hashed
        said_of = {each.identity for seen in said[row.pk] for each in lookup_identities(row.kind, seen.subject)}
        others = {bytes(each.identity_hash) for each in row.other_identities.all()}
        assert others == said_of - {hashed}, "what else it answers to"


def _edited(records: dict[UUID, Record]) -> defaultdict[UUID, list[Edited]]:
    found: defaultdict[UUID, list[Edited]] = defaultdict(list)
    for each in Edit.objects.filter(withdrawn_at=None):
        value = each.value
        if each.field in REFERENCES and value:
            end = records[UUID(value)]
            while end.merged_into_id is not None:
                end = records[end.merged_into_id]
            value = str(end.pk)
        found[each.record_id].append(Edited(str(each.pk), each.field, value, each.at))
    return found


def _spans() -> defaultdict[UUID, list[Span]]:
    found: defaultdict[UUID, list[Span]] = defaultdict(list)
    for each in Occurrence.objects.order_by("start"):
        found[each.record_id].append(Span(each.start, each.end, each.start_date))
    return found


def _text(found: UUID | None) -> str | None:
    return str(found) if found else None

"""Steps of an observation on its way to its record, none of which changes: given, observation, version, assigned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from gleanery.errors import Invalid
from gleanery.extraction.payload import check_id, external_id, payload_hash
from gleanery.kinds import KINDS, REFERENCED, Named
from gleanery.matching.facts import Facts
from gleanery.matching.facts import facts as facts_of
from gleanery.matching.live.candidates import Precomputed
from gleanery.resolution.records.identity import Answered, Subject, answers, identities, identity
from gleanery.resolution.records.projection import Seen, Voice
from gleanery.resolution.records.values import checked
from gleanery.sql import json_cell
from gleanery.text import clean_text

PARTS = ("name", "address", "locality", "region", "url")  # all that the identity of places and organisations is made of
DIGEST = 12  # hexadecimal digits that distinguish one venue of an event from the next
BY_ITS_NAME = "named"  # the extractor of what another observation names
Key = tuple[str, str]  # kind and external id, within one source


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One thing as it comes in by a door. `payload` holds the fields of its kind, `original` what the source sent."""

    kind: str
    external_id: str
    payload: Mapping[str, Any]
    original: Any = None
    evidence: Mapping[str, str] = field(default_factory=dict)
    extractor: str = "import"


@dataclass(frozen=True, eq=False, kw_only=True)
class Observation:
    """What a source says about one thing, read and checked. What follows from it alone is computed once."""

    kind: str
    external_id: str
    payload: dict[str, Any]
    digest: bytes
    id: str
    original: Any = None
    evidence: Mapping[str, str] = field(default_factory=dict)
    extractor: str = "import"

    @cached_property
    def key(self) -> Key:
        return self.kind, self.external_id

    @cached_property
    def names(self) -> list[tuple[Named, Key, dict[str, Any]]]:
        """The places and organisations in it."""
        return list(named_by(self.kind, self.external_id, self.payload))

    @cached_property
    def facts(self) -> Facts:
        """Its features for matching, without the records that it names."""
        return facts_of(self.kind, self.payload)

    @cached_property
    def stored_payload(self) -> str:
        """Its payload as COPY reads it."""
        return json_cell(self.payload)


class Known(NamedTuple):
    """The current version of what the source said before about the same thing."""

    id: str
    payload_hash: bytes
    version: int
    record: str | None
    first: datetime


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Version:
    """An observation beside what its source said before about the same thing.

    `place` and `organization` are the records that it names; they are known once these have been assigned.
    """

    observation: Observation
    id: str
    first: datetime
    number: int = 1
    supersedes: str | None = None
    is_stored: bool = False  # its row is there already and only wants its record
    record: str | None = None  # that of the version before
    place: str | None = None
    organization: str | None = None
    foreseen: Precomputed | None = None  # its near duplicates, if they were looked for before the write lock was taken

    @property
    def kind(self) -> str:
        return self.observation.kind

    @property
    def key(self) -> Key:
        return self.observation.key

    @property
    def payload(self) -> dict[str, Any]:
        return self.observation.payload

    @property
    def subject(self) -> Subject:
        return Subject(self.payload, self.place, self.organization, self.observation.external_id)

    def identities(self) -> tuple[bytes | None, list[bytes]]:
        if self.kind in REFERENCED:
            return identity_of(self.kind, self.subject), []
        return identities(self.kind, self.subject)

    def answers(self) -> list[Answered]:
        return answers_of(self.kind, self.subject)

    def seen(self, voice: Voice) -> Seen:
        return Seen(
            id=self.id,
            source=voice.source,
            trust=voice.trust,
            asks=voice.asks,
            first=self.first,
            external_id=self.observation.external_id,
            payload=self.payload,
            place=self.place,
            organization=self.organization,
            extractor=self.observation.extractor,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Assigned:
    """A version with its record. `reason` says why it was refused."""

    version: Version
    record: str
    outcome: str
    reason: str = ""

    @property
    def observation(self) -> Observation:
        return self.version.observation

    @property
    def payload(self) -> dict[str, Any]:
        return self.version.payload


def version_after(before: Known | None, observation: Observation, now: datetime) -> Version:
    """Return the first version of a thing, the next one, or the one that is stored already."""
    if before is None:
        return Version(observation=observation, id=observation.id, first=now)
    facts: dict[str, Any] = {"observation": observation, "first": before.first, "record": before.record}
    if before.payload_hash != observation.digest:
        return Version(id=observation.id, number=before.version + 1, supersedes=before.id, **facts)
    return Version(id=before.id, number=before.version, is_stored=True, **facts)


def read(given: Given, new_id: str) -> Observation:
    """Invalid says what is wrong with it."""
    if given.kind not in KINDS:
        raise Invalid(f"There is no kind “{clean_text(str(given.kind), limit=40)}”: it is one of {', '.join(KINDS)}.")
    key = clean_text(str(given.external_id)) if given.external_id is not None else ""
    if not key:
        raise Invalid("It has no id of its own: without one it would be another thing at every import.")
    check_id(key)
    if not isinstance(given.payload, Mapping):
        raise Invalid("`fields` must be a JSON object.")
    payload = checked(given.kind, given.payload)
    return Observation(
        kind=given.kind,
        external_id=key,
        payload=payload,
        digest=payload_hash(given.kind, payload),
        id=new_id,
        original=given.payload if given.original is None else given.original,
        evidence=given.evidence,
        extractor=clean_text(given.extractor, limit=40),
    )


def named_by(kind: str, key: str, payload: Mapping[str, Any]) -> Iterator[tuple[Named, Key, dict[str, Any]]]:
    """The places and organisations that a thing names: role, key and payload of each.

    The key has a digest of what is named: an event that moves names another venue, it does not rename the first. It has
    the kind as well: the first event and the first service of a source may both be its number 1.
    """
    for named in KINDS[kind].names:
        if isinstance(payload.get(named.fields["name"]), str):
            fields = {
                name: value
                for name, field in named.fields.items()
                if isinstance(value := payload.get(field), str | int | float) and value != ""
            }
            hashed = _identity(named.reference, *map(Subject(fields).text, PARTS)) or b""
            digest = hashed.hex()[:DIGEST]
            yield named, (named.reference, external_id(f"{key}#{kind}.{named.role}:{digest}")), fields


def named(key: Key, fields: dict[str, Any], new_id: str) -> Observation:
    """Return what another observation names as an observation of its own."""
    kind, external_id = key
    digest = _payload_hash(kind, tuple(fields.items()))
    return Observation(
        kind=kind, external_id=external_id, payload=fields, digest=digest, id=new_id, extractor=BY_ITS_NAME
    )


def answers_of(kind: str, subject: Subject) -> list[Answered]:
    """All identities by which an observation is found; those of what others name are remembered."""
    if kind not in REFERENCED:
        return answers(kind, subject)
    own = identity_of(kind, subject)
    return [Answered(own, subject.place, subject.organization)] if own else []


def identity_of(kind: str, subject: Subject) -> bytes | None:
    """Return the identity, which is remembered for what others name."""
    return _identity(kind, *map(subject.text, PARTS)) if kind in REFERENCED else identity(kind, subject)


@lru_cache(maxsize=8_192)
def _identity(kind: str, *parts: str) -> bytes | None:
    """Cached, since the same few venues are named again and again."""
    return identity(kind, Subject(dict(zip(PARTS, parts, strict=True))))


@lru_cache(maxsize=8_192)
def _payload_hash(kind: str, fields: tuple[tuple[str, Any], ...]) -> bytes:
    return payload_hash(kind, dict(fields))

"""Immutable stages of an observation on its way to a record: given, observation, version, assigned."""

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
from gleanery.resolution.records.identity import LookupIdentity, Subject, identities, identity, lookup_identities
from gleanery.resolution.records.projection import CurrentObservation, SourceInfo
from gleanery.resolution.records.values import checked
from gleanery.sql import json_cell
from gleanery.text import clean_text

PARTS = ("name", "address", "locality", "region", "url")  # fields that identify places and organisations
DIGEST = 12  # hexadecimal digits that distinguish the venues of one event
BY_ITS_NAME = "named"  # extractor of places and organisations that another observation names
Key = tuple[str, str]  # kind and external id, within one source


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One observation as sent. `payload` holds the fields of its kind, `original` the data as the source had it."""

    kind: str
    external_id: str
    payload: Mapping[str, Any]
    original: Any = None
    evidence: Mapping[str, str] = field(default_factory=dict)
    extractor: str = "import"


@dataclass(frozen=True, eq=False, kw_only=True)
class Observation:
    """One checked observation. Properties that depend on it alone are computed once."""

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
        """The places and organisations that it names."""
        return list(named_by(self.kind, self.external_id, self.payload))

    @cached_property
    def facts(self) -> Facts:
        """Features for matching, without the records that it names."""
        return facts_of(self.kind, self.payload)

    @cached_property
    def stored_payload(self) -> str:
        """The payload as text for COPY."""
        return json_cell(self.payload)


class Known(NamedTuple):
    """The stored current version of the same thing."""

    id: str
    payload_hash: bytes
    version: int
    record: str | None
    first: datetime


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Version:
    """An observation with its version number and the version that it replaces.

    `place` and `organization` are the records that it names, set once those are assigned.
    """

    observation: Observation
    id: str
    first: datetime
    number: int = 1
    supersedes: str | None = None
    is_stored: bool = False  # the row exists already and only needs its record
    record: str | None = None  # record of the previous version
    place: str | None = None
    organization: str | None = None
    precomputed: Precomputed | None = None  # near duplicates found before the write lock

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

    def lookup_identities(self) -> list[LookupIdentity]:
        return lookup_identities_of(self.kind, self.subject)

    def current(self, source_info: SourceInfo) -> CurrentObservation:
        return CurrentObservation(
            id=self.id,
            source=source_info.source,
            trust=source_info.trust,
            asks=source_info.asks,
            first=self.first,
            external_id=self.observation.external_id,
            payload=self.payload,
            place=self.place,
            organization=self.organization,
            extractor=self.observation.extractor,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Assigned:
    """A version with its record and outcome. `reason` says why it was refused."""

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
    """Return the first version, the next one if the payload changed, or the stored one."""
    if before is None:
        return Version(observation=observation, id=observation.id, first=now)
    facts: dict[str, Any] = {"observation": observation, "first": before.first, "record": before.record}
    if before.payload_hash != observation.digest:
        return Version(id=observation.id, number=before.version + 1, supersedes=before.id, **facts)
    return Version(id=before.id, number=before.version, is_stored=True, **facts)


def read(given: Given, new_id: str) -> Observation:
    """Return the checked observation; raise Invalid with the problem."""
    if given.kind not in KINDS:
        raise Invalid(f"“{clean_text(str(given.kind), limit=40)}” is not a kind. Use one of {', '.join(KINDS)}.")
    key = clean_text(str(given.external_id)) if given.external_id is not None else ""
    if not key:
        raise Invalid("The id is missing. Give each thing an id that stays the same in every import.")
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
    """Yield role, key and payload of each place and organisation that a thing names.

    The key contains a digest of the named fields, so that an event that moves names another venue and does not rename
    the first. It contains the kind too, since an event and a service of one source may have the same id.
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
    """Return a place or organisation that another observation names, as an observation of its own."""
    kind, external_id = key
    digest = _payload_hash(kind, tuple(fields.items()))
    return Observation(
        kind=kind, external_id=external_id, payload=fields, digest=digest, id=new_id, extractor=BY_ITS_NAME
    )


def lookup_identities_of(kind: str, subject: Subject) -> list[LookupIdentity]:
    """Return all identities by which an observation is found; those of places and organisations are cached."""
    if kind not in REFERENCED:
        return lookup_identities(kind, subject)
    own = identity_of(kind, subject)
    return [LookupIdentity(own, subject.place, subject.organization)] if own else []


def identity_of(kind: str, subject: Subject) -> bytes | None:
    """Return the identity; those of places and organisations are cached."""
    return _identity(kind, *map(subject.text, PARTS)) if kind in REFERENCED else identity(kind, subject)


@lru_cache(maxsize=8_192)
def _identity(kind: str, *parts: str) -> bytes | None:
    """Return the identity from its parts. Cached, since many observations name the same few venues."""
    return identity(kind, Subject(dict(zip(PARTS, parts, strict=True))))


@lru_cache(maxsize=8_192)
def _payload_hash(kind: str, fields: tuple[tuple[str, Any], ...]) -> bytes:
    return payload_hash(kind, dict(fields))

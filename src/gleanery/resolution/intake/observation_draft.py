"""What sources tell, on its way to its records: given, read, with what it names, and what became of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.errors import Invalid
from gleanery.extraction.payload import check_id, external_id, payload_hash
from gleanery.kinds import KINDS, REFERENCED, Named
from gleanery.matching.facts import Facts
from gleanery.resolution.records.identity import Answered, Subject, answers, identities, identity
from gleanery.resolution.records.projection import Seen, Voice
from gleanery.resolution.records.quality import Doubt
from gleanery.resolution.records.values import checked
from gleanery.text import clean_text

TELLING = ("name", "address", "locality", "region", "url")  # all that the identity of places and organisations is of
DIGEST = 12  # hexadecimal digits that tell one venue of an event from the next
BY_ITS_NAME = "named"  # the extractor of what another observation names
OUTCOMES = ("created", "updated", "unchanged", "merged", "in_review", "refused")
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


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of it. `record` is the id of its record; `reason` says why it was refused."""

    outcome: str
    record: str | None = None
    warnings: tuple[Doubt, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()


class Known(NamedTuple):
    """The current version of what the source said before about the same thing."""

    id: str
    payload_hash: bytes
    version: int
    record: str | None
    first: datetime


@dataclass(slots=True, eq=False)
class Told:
    """One observation in work. `stored` if its row is there already and only wants its record."""

    kind: str
    external_id: str
    payload: dict[str, Any]
    digest: bytes
    id: str
    original: Any = None
    evidence: Mapping[str, str] = field(default_factory=dict)
    extractor: str = "import"
    page: str | None = None
    snapshot: str | None = None
    stored: bool = False
    version: int = 1
    first: datetime | None = None
    supersedes: str | None = None
    record: str | None = None
    place: str | None = None
    organization: str | None = None
    outcome: str = ""
    reason: str = ""
    written: str = ""  # its payload, as it is stored
    compared: Facts | None = None  # of the payload alone, without the records that it names
    foreseen: Any = None  # its near duplicates, as far as they were looked for before the turn to write it
    named: list[tuple[Named, Key, dict[str, Any]]] | None = None
    key: Key = field(init=False)

    def __post_init__(self) -> None:
        self.key = self.kind, self.external_id

    def names(self) -> list[tuple[Named, Key, dict[str, Any]]]:
        """The places and organisations in it; looked for once."""
        if self.named is None:
            self.named = list(named_by(self.kind, self.external_id, self.payload))
        return self.named

    @property
    def subject(self) -> Subject:
        return Subject(self.payload, self.place, self.organization, self.external_id)

    def identities(self) -> tuple[bytes | None, list[bytes]]:
        if self.kind in REFERENCED:
            return identity_of(self.kind, self.subject), []
        return identities(self.kind, self.subject)

    def answers(self) -> list[Answered]:
        return answers_of(self.kind, self.subject)

    def seen(self, voice: Voice) -> Seen:
        assert self.first is not None  # noqa: S101 - it was told when it was looked up
        return Seen(
            id=self.id,
            source=voice.source,
            trust=voice.trust,
            asks=voice.asks,
            first=self.first,
            external_id=self.external_id,
            payload=self.payload,
            place=self.place,
            organization=self.organization,
            extractor=self.extractor,
        )


def read(given: Given, new_id: str) -> Told:
    """Invalid says what is wrong with it."""
    if given.kind not in KINDS:
        raise Invalid(f"There is no kind “{clean_text(str(given.kind), limit=40)}”: it is one of {', '.join(KINDS)}.")
    key = clean_text(str(given.external_id)) if given.external_id is not None else ""
    if not key:
        raise Invalid("It has no id of its own: without one it would be another thing at every import.")
    check_id(key)
    if not isinstance(given.payload, Mapping):
        raise Invalid("Its fields are no object.")
    payload = checked(given.kind, given.payload)
    return Told(
        kind=given.kind,
        external_id=key,
        payload=payload,
        digest=payload_hash(given.kind, payload),
        id=new_id,
        original=given.payload if given.original is None else given.original,
        evidence=given.evidence,
        extractor=clean_text(given.extractor, limit=40),
    )


def answered(copies: Iterable[Told], last: Answer, before: bytes | None) -> Iterator[Answer]:
    """What a batch tells of several times is stored as it is told last; each time is answered as if it had come alone.

    `last` is the answer to that, `before` the digest of what was known of it before the batch.
    """
    if last.outcome not in ("updated", "unchanged"):
        before = None
    for copy in copies:
        if before is None or last.outcome == "refused":
            yield last
        elif copy.digest == before:
            yield Answer("unchanged", last.record)
        else:
            yield replace(last, outcome="updated")
        before = copy.digest


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
            hashed = _identity(named.reference, *map(Subject(fields).text, TELLING)) or b""
            digest = hashed.hex()[:DIGEST]
            yield named, (named.reference, external_id(f"{key}#{kind}.{named.role}:{digest}")), fields


def named(key: Key, fields: dict[str, Any], new_id: str) -> Told:
    """What another observation names, as an observation of its own."""
    kind, external_id = key
    digest = _payload_hash(kind, tuple(fields.items()))
    return Told(kind=kind, external_id=external_id, payload=fields, digest=digest, id=new_id, extractor=BY_ITS_NAME)


def answers_of(kind: str, subject: Subject) -> list[Answered]:
    """All identities by which an observation is found; those of what others name are remembered."""
    if kind not in REFERENCED:
        return answers(kind, subject)
    own = identity_of(kind, subject)
    return [Answered(own, subject.place, subject.organization)] if own else []


def identity_of(kind: str, subject: Subject) -> bytes | None:
    """Return the identity, which is remembered for what others name."""
    return _identity(kind, *map(subject.text, TELLING)) if kind in REFERENCED else identity(kind, subject)


@lru_cache(maxsize=8_192)
def _identity(kind: str, *told: str) -> bytes | None:
    """Cached, since the same few venues are named again and again."""
    return identity(kind, Subject(dict(zip(TELLING, told, strict=True))))


@lru_cache(maxsize=8_192)
def _payload_hash(kind: str, fields: tuple[tuple[str, Any], ...]) -> bytes:
    return payload_hash(kind, dict(fields))

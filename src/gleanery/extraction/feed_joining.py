"""Joins a feed's event with the page that it links to: one observation, where the page fills gaps of the feed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from gleanery.extraction.draft import Draft
from gleanery.extraction.draft_merging import fill_gaps, name_similarity, same_time
from gleanery.extraction.payload import normalised, payload_hash
from gleanery.extraction.storing.versions import Key, NewVersion, PreparedDraft

LONGEST_LINK = 300
TIME_FIELDS = frozenset({"end", "occurrences", "recurrence"})
PLACE_FIELDS = frozenset(str.split("address locality region postal_code country lat lon"))
FieldsAndEvidence = dict[str, dict[str, Any]]  # fields and their evidence


class FeedObservation(NamedTuple):
    """Current version of an observation from a feed. `parts` is set if a page was joined to it."""

    id: UUID
    kind: str
    external_id: str
    payload: dict[str, Any]
    payload_hash: bytes
    evidence: dict[str, str]
    original: Any
    extractor: str
    version: int
    feed: UUID
    link: str
    parts: dict[str, FieldsAndEvidence] | None
    page: UUID | None
    snapshot: UUID | None
    page_url: str
    still_on_page: bool

    @property
    def key(self) -> Key:
        return self.kind, self.external_id

    @property
    def own(self) -> FieldsAndEvidence:
        """Fields that came from the feed alone."""
        return self.parts["feed"] if self.parts else {"fields": self.payload, "evidence": self.evidence}

    @property
    def links(self) -> set[str]:
        """Normalised addresses of its page and of the page that it links to."""
        return {link_of(self.page_url), link_of(self.payload.get("url"))} - {""}


class JoinResult(NamedTuple):
    """`separate` are drafts that match no feed event; `versions` are feed observations completed by a page.

    `keys` maps the id used on a page to the id used by the feed.
    """

    separate: list[PreparedDraft]
    versions: list[NewVersion]
    keys: dict[tuple[UUID | None, Key], Key]


def link_of(url: object) -> str:
    """Return a web address without scheme, www. and trailing slash, or "" if it is not usable."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else urlsplit("")
    except ValueError:
        return ""
    query = f"?{parts.query}" if parts.query else ""
    link = f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}{query}" if parts.netloc else ""
    return link if len(link) <= LONGEST_LINK else ""


def spellings(link: str) -> list[str]:
    """Return every spelling of the address that `link_of` reduces to this link."""
    path, mark, query = link.partition("?")
    starts = [f"{scheme}{www}" for scheme in ("http://", "https://") for www in ("", "www.")]
    return [f"{start}{path}{slash}{mark}{query}" for start in starts for slash in ("", "/")]


def join_pages_to_feeds(
    prepared: Sequence[PreparedDraft], urls: Mapping[UUID | None, str], feed_events: Sequence[FeedObservation]
) -> JoinResult:
    joined = JoinResult([], [], {})
    events = Counter(each.page for each in prepared if each.draft.kind == "event")
    best: dict[Key, tuple[tuple[bool, int], PreparedDraft, FeedObservation]] = {}
    for each in prepared:
        url = urls.get(each.page, "")
        partner = matching_observation(each.draft, url, feed_events, is_alone=events[each.page] == 1)
        if partner is None:
            joined.separate.append(each)
            continue
        joined.keys[each.page, each.key] = partner.key
        rank = link_of(url) == partner.link, each.richness
        if partner.key not in best or rank > best[partner.key][0]:
            best[partner.key] = rank, each, partner
    for (is_linked, _), each, partner in best.values():
        # The linked page fills gaps first; another page does only if the joined one no longer lists the event.
        if is_linked or partner.page in (None, each.page) or not partner.still_on_page:
            joined.versions.extend(_version(each, partner))
    return joined


def matching_observation(
    draft: Draft, url: str, feed_events: Sequence[FeedObservation], *, is_alone: bool
) -> FeedObservation | None:
    """Return the feed event described by a draft, found by id or by link."""
    if draft.kind != "event":
        return None
    if own := next((each for each in feed_events if each.key == (draft.kind, draft.external_id)), None):
        return own
    links = {link_of(url), link_of(draft.fields.get("url"))} - {""}
    linked = [each for each in feed_events if each.link in links]
    return same_event(draft.fields, linked, feed_is_alone=len(linked) == 1, page_is_alone=is_alone)


def same_event(
    fields: Mapping[str, Any], linked: Sequence[FeedObservation], *, feed_is_alone: bool, page_is_alone: bool
) -> FeedObservation | None:
    """Return the matching event among those with the same link, by start time and name.

    If feed and page each describe a single event with a similar name, the start time on the page does not matter.
    """
    named = [each for each in linked if name_similarity(str(each.payload.get("name", "")), str(fields["name"]))]
    at_once = [each for each in named or linked if starts_together(each.payload, fields)]
    if at_once and (named or feed_is_alone or page_is_alone):
        return at_once[0]
    return named[0] if named and feed_is_alone and page_is_alone else None


def starts_together(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return same_time(str(one.get("start", "")), str(other.get("start", "")))


def _version(prepared: PreparedDraft, feed_event: FeedObservation) -> list[NewVersion]:
    page: FieldsAndEvidence = {"fields": prepared.payload, "evidence": dict(prepared.draft.evidence)}
    payload, evidence = combine(feed_event.own, page)
    digest = payload_hash(feed_event.kind, payload)
    if digest == feed_event.payload_hash:
        return []
    draft = replace(
        prepared.draft,
        external_id=feed_event.external_id,
        fields=payload,
        evidence=evidence,
        extractor=feed_event.extractor,
        original=feed_event.original,
    )
    parts = {"feed": feed_event.own, "page": page}
    joined = prepared._replace(
        draft=draft, payload=payload, payload_hash=digest, feed=feed_event.feed, link=feed_event.link, parts=parts
    )
    return [NewVersion(joined, feed_event.version + 1, feed_event.id)]


def combine(feed: FieldsAndEvidence, page: FieldsAndEvidence) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields of both. Page fields for another time or place than the feed states are not taken."""
    own, more = (Draft(kind="event", external_id="", extractor="", **part) for part in (feed, page))
    strange: set[str] = set()
    if not starts_together(own.fields, more.fields):
        strange |= TIME_FIELDS
    venues = [str(each.fields.get("venue_name", "")) for each in (own, more)]
    if all(venues) and not name_similarity(*venues):
        strange |= PLACE_FIELDS
    taken = {name: value for name, value in more.fields.items() if name not in strange}
    whole = fill_gaps(own, replace(more, fields=taken), None)
    return normalised(whole.fields), whole.evidence

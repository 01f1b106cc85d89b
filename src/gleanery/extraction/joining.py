"""A feed's event and the page that it links to are one observation: the page fills what the feed lacks. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from gleanery.extraction.draft import Draft
from gleanery.extraction.payload import normalised, payload_hash
from gleanery.extraction.storing.changes import Kept, Key, Said
from gleanery.extraction.uniting import alike, filled, same_time

LONGEST_LINK = 300
OF_ITS_TIME = frozenset({"end", "occurrences", "recurrence"})
OF_ITS_PLACE = frozenset(str.split("address locality region postal_code country lat lon"))
Part = dict[str, dict[str, Any]]  # fields and their evidence


class Fed(NamedTuple):
    """The current version of what a feed says; with parts, a page was joined to it."""

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
    parts: dict[str, Part] | None
    page: UUID | None
    snapshot: UUID | None
    page_url: str
    page_says_so: bool

    @property
    def key(self) -> Key:
        return self.kind, self.external_id

    @property
    def own(self) -> Part:
        """What the feed alone says."""
        return self.parts["feed"] if self.parts else {"fields": self.payload, "evidence": self.evidence}

    @property
    def links(self) -> set[str]:
        """The page that said so, and the one to which it points."""
        return {link_of(self.page_url), link_of(self.payload.get("url"))} - {""}


class Joined(NamedTuple):
    """`apart` is what pages say of their own; `kept` are versions of what feeds say, with what a page adds.

    `keys` are the ids under which the feed tells of what a page called otherwise.
    """

    apart: list[Said]
    kept: list[Kept]
    keys: dict[tuple[UUID | None, Key], Key]


def link_of(url: object) -> str:
    """What spellings of one page share: neither scheme nor www nor a slash at the end; "" if there is none."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else urlsplit("")
    except ValueError:
        return ""
    query = f"?{parts.query}" if parts.query else ""
    link = f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}{query}" if parts.netloc else ""
    return link if len(link) <= LONGEST_LINK else ""


def spellings(link: str) -> list[str]:
    """The addresses that share this link."""
    path, mark, query = link.partition("?")
    starts = [f"{scheme}{www}" for scheme in ("http://", "https://") for www in ("", "www.")]
    return [f"{start}{path}{slash}{mark}{query}" for start in starts for slash in ("", "/")]


def join(said: Sequence[Said], urls: Mapping[UUID | None, str], fed: Sequence[Fed]) -> Joined:
    joined = Joined([], [], {})
    events = Counter(each.page for each in said if each.draft.kind == "event")
    best: dict[Key, tuple[tuple[bool, int], Said, Fed]] = {}
    for each in said:
        url = urls.get(each.page, "")
        partner = partner_of(each.draft, url, fed, is_alone=events[each.page] == 1)
        if partner is None:
            joined.apart.append(each)
            continue
        joined.keys[each.page, each.key] = partner.key
        rank = link_of(url) == partner.link, each.richness
        if partner.key not in best or rank > best[partner.key][0]:
            best[partner.key] = rank, each, partner
    for (is_linked, _), each, partner in best.values():
        # Of several pages the one that the feed links to fills the gaps; another only where that one is silent.
        if is_linked or partner.page in (None, each.page) or not partner.page_says_so:
            joined.kept.extend(_version(each, partner))
    return joined


def partner_of(draft: Draft, url: str, fed: Sequence[Fed], *, is_alone: bool) -> Fed | None:
    """The feed's event that a page tells of, alone or among others: known by its id, or by its link."""
    if draft.kind != "event":
        return None
    if own := next((each for each in fed if each.key == (draft.kind, draft.external_id)), None):
        return own
    links = {link_of(url), link_of(draft.fields.get("url"))} - {""}
    linked = [each for each in fed if each.link in links]
    return same_event(draft.fields, linked, feed_is_alone=len(linked) == 1, page_is_alone=is_alone)


def same_event(
    fields: Mapping[str, Any], linked: Sequence[Fed], *, feed_is_alone: bool, page_is_alone: bool
) -> Fed | None:
    """The one among those with the same link. The time tells which, and the name where both tell of several.

    Where feed and page tell of one event alone, and call it alike, the time of the page does not matter.
    """
    named = [each for each in linked if alike(str(each.payload.get("name", "")), str(fields["name"]))]
    at_once = [each for each in named or linked if is_at_once(each.payload, fields)]
    if at_once and (named or feed_is_alone or page_is_alone):
        return at_once[0]
    return named[0] if named and feed_is_alone and page_is_alone else None


def is_at_once(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return same_time(str(one.get("start", "")), str(other.get("start", "")))


def _version(said: Said, fed: Fed) -> list[Kept]:
    page: Part = {"fields": said.payload, "evidence": dict(said.draft.evidence)}
    payload, evidence = with_page(fed.own, page)
    digest = payload_hash(fed.kind, payload)
    if digest == fed.payload_hash:
        return []
    draft = replace(
        said.draft,
        external_id=fed.external_id,
        fields=payload,
        evidence=evidence,
        extractor=fed.extractor,
        original=fed.original,
    )
    parts = {"feed": fed.own, "page": page}
    joined = said._replace(draft=draft, payload=payload, payload_hash=digest, feed=fed.feed, link=fed.link, parts=parts)
    return [Kept(joined, fed.version + 1, fed.id)]


def with_page(feed: Part, page: Part) -> tuple[dict[str, Any], dict[str, str]]:
    """Fields and evidence of both as one. What belongs to another time or place than the feed tells is not taken."""
    own, more = (Draft(kind="event", external_id="", extractor="", **part) for part in (feed, page))
    strange: set[str] = set()
    if not is_at_once(own.fields, more.fields):
        strange |= OF_ITS_TIME
    venues = [str(each.fields.get("venue_name", "")) for each in (own, more)]
    if all(venues) and not alike(*venues):
        strange |= OF_ITS_PLACE
    taken = {name: value for name, value in more.fields.items() if name not in strange}
    whole = filled(own, replace(more, fields=taken), None)
    return normalised(whole.fields), whole.evidence

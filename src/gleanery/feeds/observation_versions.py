"""New observation versions from the events of a feed, joined with pages that describe them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from gleanery.extraction.draft import Draft
from gleanery.extraction.feed_joining import FeedObservation, FieldsAndEvidence, combine, link_of, same_event
from gleanery.extraction.payload import external_id, normalised, payload_hash
from gleanery.extraction.storing import feed_statements
from gleanery.extraction.storing.versions import NewVersion, PreparedDraft
from gleanery.feeds.models import Feed


def changed_versions(
    source: UUID, feed: Feed, drafts: Sequence[Draft], others: Mapping[UUID, Collection[str]]
) -> list[NewVersion]:
    """Return the versions to write. Events that belong to one of the `others` are not changed."""
    prepared = [each for draft in drafts if (each := _prepared(feed.pk, draft))]
    known = feed_statements.current_by_key(source, (each.draft.external_id for each in prepared))
    new = [each for each in prepared if each.key[1] not in known]
    versions = [
        _version(each, current, feed.url)
        for each in prepared
        if (current := known.get(each.key[1])) and each.key[1] not in others.get(current.feed or feed.pk, ())
    ]
    links = Counter(each.link for each in prepared)
    firsts = first_versions(new, feed_statements.page_observations(source, {each.link for each in new} - {""}), links)
    return [*(each for each in versions if each is not None), *firsts]


def first_versions(
    new: Iterable[PreparedDraft], on_pages: Iterable[FeedObservation], links: Mapping[str, int]
) -> Iterator[NewVersion]:
    """Yield first versions, joined with an observation from a page. `links` counts feed events by link."""
    pages: dict[str, dict[UUID, FeedObservation]] = {}
    for page in on_pages:
        for link in page.links:
            pages.setdefault(link, {})[page.id] = page
    taken: set[UUID] = set()
    for each in new:
        left = [page for page in pages.get(each.link, {}).values() if page.id not in taken]
        known = same_event(each.payload, left, feed_is_alone=links[each.link] == 1, page_is_alone=len(left) == 1)
        if known is not None:
            taken.add(known.id)
        yield _first(each, known)


def _prepared(feed: UUID, draft: Draft) -> PreparedDraft | None:
    payload, key = normalised(draft.fields), external_id(draft.external_id)
    if not key or not payload.get("name"):
        return None
    link = link_of(draft.fields.get("url"))
    return PreparedDraft(
        None, None, replace(draft, external_id=key), payload, payload_hash(draft.kind, payload), feed, link
    )


def _version(prepared: PreparedDraft, current: FeedObservation, url: str) -> NewVersion | None:
    """Return the next version, with the page's fields while that page still lists the event."""
    if current.still_on_page and current.page_url != url and (current.parts or current.feed is None):
        prepared = _with_page(prepared, current, current.parts["page"] if current.parts else current.own)
    if prepared.payload_hash == current.payload_hash:
        return None
    return NewVersion(prepared, current.version + 1, current.id)


def _first(prepared: PreparedDraft, page: FeedObservation | None) -> NewVersion:
    if page is None:
        return NewVersion(prepared, 1, None)
    return NewVersion(_with_page(prepared, page, page.own), 1, page.id)


def _with_page(prepared: PreparedDraft, current: FeedObservation, page: FieldsAndEvidence) -> PreparedDraft:
    own: FieldsAndEvidence = {"fields": prepared.payload, "evidence": dict(prepared.draft.evidence)}
    payload, evidence = combine(own, page)
    return prepared._replace(
        page=current.page,
        snapshot=current.snapshot,
        draft=replace(prepared.draft, fields=payload, evidence=evidence),
        payload=payload,
        payload_hash=payload_hash(prepared.draft.kind, payload),
        parts={"feed": own, "page": page},
    )

"""What a feed's events change about what is known of its source, with the pages that are joined to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from gleanery.extraction.draft import Draft
from gleanery.extraction.joining import Fed, Part, link_of, same_event, with_page
from gleanery.extraction.payload import external_id, normalised, payload_hash
from gleanery.extraction.storing import feed_statements as fed
from gleanery.extraction.storing.changes import Kept, Said
from gleanery.feeds.models import Feed


def news(source: UUID, feed: Feed, drafts: Sequence[Draft], others: Mapping[UUID, Collection[str]]) -> list[Kept]:
    """The versions to be written. What one of the `others` says already is not contradicted."""
    said = [each for draft in drafts if (each := _said(feed.pk, draft))]
    known = fed.known(source, (each.draft.external_id for each in said))
    new = [each for each in said if each.key[1] not in known]
    kept = [
        _version(each, now, feed.url)
        for each in said
        if (now := known.get(each.key[1])) and each.key[1] not in others.get(now.feed or feed.pk, ())
    ]
    links = Counter(each.link for each in said)
    firsts = first_versions(new, fed.on_pages(source, {each.link for each in new} - {""}), links)
    return [*(each for each in kept if each is not None), *firsts]


def first_versions(new: Iterable[Said], on_pages: Iterable[Fed], links: Mapping[str, int]) -> Iterator[Kept]:
    """Each with the page that told of it before the feed did; `links` counts the events of the feed by their link."""
    pages: dict[str, dict[UUID, Fed]] = {}
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


def _said(feed: UUID, draft: Draft) -> Said | None:
    payload, key = normalised(draft.fields), external_id(draft.external_id)
    if not key or not payload.get("name"):
        return None
    link = link_of(draft.fields.get("url"))
    return Said(None, None, replace(draft, external_id=key), payload, payload_hash(draft.kind, payload), feed, link)


def _version(said: Said, now: Fed, url: str) -> Kept | None:
    """With what its page added, as long as that page says so; the feed itself, read as a page, fills no gaps."""
    if now.page_says_so and now.page_url != url and (now.parts or now.feed is None):
        said = _with_page(said, now, now.parts["page"] if now.parts else now.own)
    if said.payload_hash == now.payload_hash:
        return None
    return Kept(said, now.version + 1, now.id)


def _first(said: Said, page: Fed | None) -> Kept:
    if page is None:
        return Kept(said, 1, None)
    return Kept(_with_page(said, page, page.own), 1, page.id)


def _with_page(said: Said, now: Fed, page: Part) -> Said:
    own: Part = {"fields": said.payload, "evidence": dict(said.draft.evidence)}
    payload, evidence = with_page(own, page)
    return said._replace(
        page=now.page,
        snapshot=now.snapshot,
        draft=replace(said.draft, fields=payload, evidence=evidence),
        payload=payload,
        payload_hash=payload_hash(said.draft.kind, payload),
        parts={"feed": own, "page": page},
    )

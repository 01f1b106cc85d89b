"""What drafts change about what is known of a source: which are new, which are a new version. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from gleanery.extraction.draft import Draft

Key = tuple[str, str]  # kind and external id, within one source


class Said(NamedTuple):
    """A draft of one page or feed, ready to be kept."""

    page: UUID | None
    snapshot: UUID | None
    draft: Draft
    payload: dict[str, Any]
    payload_hash: bytes
    feed: UUID | None = None  # and what only feeds have, see joining.py
    link: str = ""
    parts: dict[str, Any] | None = None

    @property
    def key(self) -> Key:
        return self.draft.kind, self.draft.external_id

    @property
    def richness(self) -> int:
        return len(self.payload)


class Current(NamedTuple):
    """The version that holds now. `page_says_so` is false where the page that gave it does no longer."""

    id: UUID
    page: UUID | None
    payload_hash: bytes
    richness: int
    version: int
    page_says_so: bool


class Kept(NamedTuple):
    """A version to be written, in the place of `supersedes` if there is one."""

    said: Said
    version: int
    supersedes: UUID | None


def to_keep(said: Iterable[Said], current: Mapping[Key, Current]) -> list[Kept]:
    """One version at most for each thing.

    Several pages of a site tell of one thing: the list of events and the page of each. The page that says most is
    followed, so that they do not take turns in making versions; another one takes over when that one falls silent.
    """
    best: dict[Key, Said] = {}
    for each in said:
        other = best.get(each.key)
        if other is None or _rank(each, current.get(each.key)) > _rank(other, current.get(each.key)):
            best[each.key] = each
    return [kept for key, each in best.items() if (kept := _kept(each, current.get(key)))]


def _rank(said: Said, now: Current | None) -> tuple[int, bool]:
    return said.richness, now is not None and now.page == said.page


def _kept(said: Said, now: Current | None) -> Kept | None:
    if now is None:
        return Kept(said, 1, None)
    follows = now.page == said.page or not now.page_says_so or said.richness > now.richness
    if now.payload_hash == said.payload_hash or not follows:
        return None
    return Kept(said, now.version + 1, now.id)

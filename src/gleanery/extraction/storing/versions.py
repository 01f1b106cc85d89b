"""Decides which drafts become new observations or new versions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from gleanery.extraction.draft import Draft

Key = tuple[str, str]  # kind and external id, within one source


class PreparedDraft(NamedTuple):
    """A draft from a page or feed, normalised and ready to store."""

    page: UUID | None
    snapshot: UUID | None
    draft: Draft
    payload: dict[str, Any]
    payload_hash: bytes
    feed: UUID | None = None  # this and the following are set for feeds only, see feed_joining.py
    link: str = ""
    parts: dict[str, Any] | None = None

    @property
    def key(self) -> Key:
        return self.draft.kind, self.draft.external_id

    @property
    def richness(self) -> int:
        return len(self.payload)


class CurrentVersion(NamedTuple):
    """The current version. `still_on_page` is False if its page no longer lists it."""

    id: UUID
    page: UUID | None
    payload_hash: bytes
    richness: int
    version: int
    still_on_page: bool


class NewVersion(NamedTuple):
    """A version to write; it replaces the version `supersedes`, if any."""

    prepared: PreparedDraft
    version: int
    supersedes: UUID | None


def new_versions(prepared: Iterable[PreparedDraft], current: Mapping[Key, CurrentVersion]) -> list[NewVersion]:
    """Return at most one new version per thing.

    Several pages of a site may describe one thing, such as a list and a detail page. The page with the most fields is
    followed, so that they do not overwrite each other; another takes over when that one no longer lists the thing.
    """
    best: dict[Key, PreparedDraft] = {}
    for each in prepared:
        other = best.get(each.key)
        if other is None or _rank(each, current.get(each.key)) > _rank(other, current.get(each.key)):
            best[each.key] = each
    return [kept for key, each in best.items() if (kept := _new_version(each, current.get(key)))]


def _rank(prepared: PreparedDraft, now: CurrentVersion | None) -> tuple[int, bool]:
    return prepared.richness, now is not None and now.page == prepared.page


def _new_version(prepared: PreparedDraft, now: CurrentVersion | None) -> NewVersion | None:
    if now is None:
        return NewVersion(prepared, 1, None)
    follows = now.page == prepared.page or not now.still_on_page or prepared.richness > now.richness
    if now.payload_hash == prepared.payload_hash or not follows:
        return None
    return NewVersion(prepared, now.version + 1, now.id)

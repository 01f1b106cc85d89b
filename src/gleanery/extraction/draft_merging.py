"""Merges drafts of the same thing found by several extractors on one page."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.extraction.generated_ids import fold_name

LEAST_SIMILARITY = 0.6  # share of common words in two names
MOST_COMPARED = 20_000  # pairs of names of one page
FEWEST_WORDS = 2  # of a name that may abbreviate a longer one
DISTINGUISHING = frozenset(str.split("url venue_name address locality phone deadline start virtual_url amount_max"))
# Kinds under which pages describe the same premises.
PREMISES = frozenset({"place", "organization", "service"})


def merge_drafts(
    drafts: list[Draft], more: list[Draft], *, add: bool, fields: frozenset[str] | None = None
) -> list[Draft]:
    """Return `drafts` with gaps filled from `more`; with `add`, unmatched drafts of `more` are appended.

    Things that one extractor lists separately stay separate, unless they are identical. `fields` limits which gaps are
    filled.
    """
    result = list(drafts)
    known = DraftIndex(drafts)
    own = DraftIndex([])
    only = {kind for kind, count in Counter(each.kind for each in drafts).items() if count == 1}
    only &= {kind for kind, count in Counter(each.kind for each in more).items() if count == 1}
    for draft in more:
        index = known.find(draft)
        if index is None and not add and draft.kind in only:
            index = next(i for i, each in enumerate(drafts) if each.kind == draft.kind)
            index = index if _times_agree(drafts[index], draft) else None
        if index is None and add:
            index = own.find_equal(draft, strictly=True)
        if index is not None:
            result[index] = fill_gaps(result[index], draft, fields)
        elif add:
            own.note(draft, len(result))
            result.append(draft)
    return result


class DraftIndex:
    """Finds drafts by name: an equal name first, else the most similar one."""

    def __init__(self, drafts: list[Draft]) -> None:
        self._drafts = drafts
        self._equal: dict[tuple[str, str], list[tuple[int, Draft]]] = {}
        self._left = MOST_COMPARED
        for index, draft in enumerate(drafts):
            self.note(draft, index)

    def note(self, draft: Draft, index: int) -> None:
        self._equal.setdefault((draft.kind, fold_name(draft.fields["name"])), []).append((index, draft))

    def find_equal(self, draft: Draft, *, strictly: bool = False) -> int | None:
        """Find a draft of equal name. `strictly` keeps branches with different addresses or phones apart."""
        there = self._equal.get((draft.kind, fold_name(draft.fields["name"])), ())
        return next(
            (i for i, each in there if _times_agree(each, draft) and not (strictly and _in_conflict(each, draft))), None
        )

    def find(self, draft: Draft) -> int | None:
        index = self.find_equal(draft)
        if index is not None or self._left <= 0:
            return index
        self._left -= len(self._drafts)
        ranked = [(_similarity(each, draft), -i) for i, each in enumerate(self._drafts)]
        best = max(ranked, default=(0.0, 0))
        return -best[1] if best[0] else None


def merge_contacts(contacts: list[ContactDraft], more: list[ContactDraft]) -> list[ContactDraft]:
    """Merge contacts that share e-mail, phone or name and do not contradict each other."""
    result = list(contacts)
    for contact in more:
        index = next((i for i, known in enumerate(result) if _same_contact(known, contact)), None)
        if index is None:
            shared = (i for i, known in enumerate(result[: len(contacts)]) if _same_mailbox(known, contact))
            index = next(shared, None)
        if index is None:
            result.append(contact)
            continue
        # A contact with a role is the person behind the mailbox of an organisation.
        first, second = result[index], contact
        if second.role and not first.role and second.name:
            first, second = second, first
        names = ("name", "role", "email", "phone", "address")
        result[index] = replace(first, **{name: getattr(second, name) for name in names if not getattr(first, name)})
    return result


def name_similarity(one: str, other: str) -> float:
    """Return the similarity of two names: 1 if equal, at least 0.6 if one contains the other, 0 if unrelated.

    Names with different numbers (Session 1, Session 2) are unrelated.
    """
    first, second = fold_name(one).split(), fold_name(other).split()
    if first == second:
        return 1
    words, others = set(first), set(second)
    numbers, other_numbers = ({word for word in each if word.isdigit()} for each in (words, others))
    if numbers and other_numbers and numbers != other_numbers:
        return 0
    shorter, longer = sorted((first, second), key=len)
    share = len(words & others) / max(len(words | others), 1)
    if len(shorter) >= FEWEST_WORDS and f" {' '.join(shorter)} " in f" {' '.join(longer)} ":
        return max(share, LEAST_SIMILARITY)
    return share if share >= LEAST_SIMILARITY else 0


def same_time(one: str, other: str) -> bool:
    """Compare as instants if both have an offset, else as local times, else as days."""
    first, second = _moment(one), _moment(other)
    if first is None or second is None or len(min(one, other, key=len)) <= len("2026-12-05"):
        return one[:10] == other[:10]
    if first.tzinfo and second.tzinfo:
        return first == second
    return first.replace(tzinfo=None) == second.replace(tzinfo=None)


def _similarity(known: Draft, draft: Draft) -> float:
    if known.kind != draft.kind:
        both = {known.kind, draft.kind} <= PREMISES
        return float(both and fold_name(known.fields["name"]) == fold_name(draft.fields["name"]))
    if known.kind == "event" and not _times_agree(known, draft):
        return 0
    if known.external_id == draft.external_id:
        return 1
    return name_similarity(known.fields["name"], draft.fields["name"])


def _times_agree(known: Draft, draft: Draft) -> bool:
    one, other = known.fields.get("start", ""), draft.fields.get("start", "")
    return not one or not other or same_time(one, other)


def _in_conflict(known: Draft, draft: Draft) -> bool:
    both = known.fields.keys() & draft.fields.keys() & DISTINGUISHING
    return any(known.fields[name] != draft.fields[name] for name in both)


def fill_gaps(known: Draft, draft: Draft, fields: frozenset[str] | None) -> Draft:
    """Fill gaps of `known`, but never mix parts of two addresses, points or sums."""
    gaps = draft.fields.keys() - known.fields.keys()
    if fields is not None:
        gaps &= fields
    if (
        "locality" in known.fields
        and "locality" in draft.fields
        and known.fields["locality"] != draft.fields["locality"]
    ):
        gaps -= {"address", "postal_code", "region", "lat", "lon"}
    if "currency" in known.fields and known.fields["currency"] != draft.fields.get(
        "currency", known.fields["currency"]
    ):
        gaps -= {"amount_min", "amount_max"}
    return replace(
        known,
        fields=known.fields | {name: value for name, value in draft.fields.items() if name in gaps},
        evidence=known.evidence | {name: where for name, where in draft.evidence.items() if name in gaps},
    )


def _same_contact(known: ContactDraft, contact: ContactDraft) -> bool:
    agree = [
        fold_name(getattr(known, name)) == fold_name(getattr(contact, name))
        for name in ("email", "phone", "name")
        if getattr(known, name) and getattr(contact, name)
    ]
    if known.name and contact.name:
        return name_similarity(known.name, contact.name) > 0 and all(agree[:-1])
    return bool(agree) and all(agree)


def _same_mailbox(known: ContactDraft, contact: ContactDraft) -> bool:
    """Return True for contacts with one e-mail address, unless both have a role or their phones differ."""
    if not known.email or known.email.lower() != contact.email.lower() or (known.role and contact.role):
        return False
    return not known.phone or not contact.phone or known.phone == contact.phone


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None

"""Makes one draft of what several forms of a page say about the same thing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.extraction.identity import folded

ALIKE = 0.6  # of the words of two names
MOST_COMPARED = 20_000  # pairs of names of one page
FEWEST_WORDS = 2  # of a name that may stand for a longer one
TELLING = frozenset(str.split("url venue_name address locality phone deadline start virtual_url amount_max"))
# The same door may be told of as the house, the body in it or what it does.
BODIES = frozenset({"place", "organization", "service"})


def united(drafts: list[Draft], more: list[Draft], *, add: bool, fields: frozenset[str] | None = None) -> list[Draft]:
    """What `more` says of a known thing fills its gaps; with `add` its other things are taken over too.

    Things that one extractor tells apart stay apart, unless they are the same word for word. With `fields` only gaps
    in these are filled.
    """
    result = list(drafts)
    known = Names(drafts)
    own = Names([])
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
            result[index] = filled(result[index], draft, fields)
        elif add:
            own.note(draft, len(result))
            result.append(draft)
    return result


class Names:
    """Finds a draft among others by what it is called: word for word at once, else the most alike."""

    def __init__(self, drafts: list[Draft]) -> None:
        self._drafts = drafts
        self._equal: dict[tuple[str, str], list[tuple[int, Draft]]] = {}
        self._left = MOST_COMPARED
        for index, draft in enumerate(drafts):
            self.note(draft, index)

    def note(self, draft: Draft, index: int) -> None:
        self._equal.setdefault((draft.kind, folded(draft.fields["name"])), []).append((index, draft))

    def find_equal(self, draft: Draft, *, strictly: bool = False) -> int | None:
        """Strictly: branches that share a name, but not where they are or how to reach them, are several."""
        there = self._equal.get((draft.kind, folded(draft.fields["name"])), ())
        return next(
            (i for i, each in there if _times_agree(each, draft) and not (strictly and _at_odds(each, draft))), None
        )

    def find(self, draft: Draft) -> int | None:
        index = self.find_equal(draft)
        if index is not None or self._left <= 0:
            return index
        self._left -= len(self._drafts)
        ranked = [(_likeness(each, draft), -i) for i, each in enumerate(self._drafts)]
        best = max(ranked, default=(0.0, 0))
        return -best[1] if best[0] else None


def united_contacts(contacts: list[ContactDraft], more: list[ContactDraft]) -> list[ContactDraft]:
    """One person or desk, one contact: known by e-mail, phone or name, if nothing they say is at odds."""
    result = list(contacts)
    for contact in more:
        index = next((i for i, known in enumerate(result) if _same_contact(known, contact)), None)
        if index is None:
            shared = (i for i, known in enumerate(result[: len(contacts)]) if _same_mailbox(known, contact))
            index = next(shared, None)
        if index is None:
            result.append(contact)
            continue
        # Who has a role is the person behind the mailbox of an organisation.
        first, second = result[index], contact
        if second.role and not first.role and second.name:
            first, second = second, first
        names = ("name", "role", "email", "phone", "address")
        result[index] = replace(first, **{name: getattr(second, name) for name in names if not getattr(first, name)})
    return result


def alike(one: str, other: str) -> float:
    """How much two names are of one thing: equal but for marks, one within the other, mostly the same words; else 0.

    Names that count differently (Session 1, Session 2) are of two things.
    """
    first, second = folded(one).split(), folded(other).split()
    if first == second:
        return 1
    words, others = set(first), set(second)
    numbers, other_numbers = ({word for word in each if word.isdigit()} for each in (words, others))
    if numbers and other_numbers and numbers != other_numbers:
        return 0
    shorter, longer = sorted((first, second), key=len)
    share = len(words & others) / max(len(words | others), 1)
    if len(shorter) >= FEWEST_WORDS and f" {' '.join(shorter)} " in f" {' '.join(longer)} ":
        return max(share, ALIKE)
    return share if share >= ALIKE else 0


def same_time(one: str, other: str) -> bool:
    """As moments where both tell one, else as local times, else as days."""
    first, second = _moment(one), _moment(other)
    if first is None or second is None or len(min(one, other, key=len)) <= len("2026-12-05"):
        return one[:10] == other[:10]
    if first.tzinfo and second.tzinfo:
        return first == second
    return first.replace(tzinfo=None) == second.replace(tzinfo=None)


def _likeness(known: Draft, draft: Draft) -> float:
    if known.kind != draft.kind:
        both = {known.kind, draft.kind} <= BODIES
        return float(both and folded(known.fields["name"]) == folded(draft.fields["name"]))
    if known.kind == "event" and not _times_agree(known, draft):
        return 0
    if known.external_id == draft.external_id:
        return 1
    return alike(known.fields["name"], draft.fields["name"])


def _times_agree(known: Draft, draft: Draft) -> bool:
    one, other = known.fields.get("start", ""), draft.fields.get("start", "")
    return not one or not other or same_time(one, other)


def _at_odds(known: Draft, draft: Draft) -> bool:
    both = known.fields.keys() & draft.fields.keys() & TELLING
    return any(known.fields[name] != draft.fields[name] for name in both)


def filled(known: Draft, draft: Draft, fields: frozenset[str] | None) -> Draft:
    """A value is taken only whole: neither half of a point, nor a street to another town."""
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
        folded(getattr(known, name)) == folded(getattr(contact, name))
        for name in ("email", "phone", "name")
        if getattr(known, name) and getattr(contact, name)
    ]
    if known.name and contact.name:
        return alike(known.name, contact.name) > 0 and all(agree[:-1])
    return bool(agree) and all(agree)


def _same_mailbox(known: ContactDraft, contact: ContactDraft) -> bool:
    """Two forms of a page that give one address mean one contact, unless both name somebody with a role."""
    if not known.email or known.email.lower() != contact.email.lower() or (known.role and contact.role):
        return False
    return not known.phone or not contact.phone or known.phone == contact.phone


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None

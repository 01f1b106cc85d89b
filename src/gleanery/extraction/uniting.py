"""Makes one draft of what several forms of a page say about the same thing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.extraction.identity import folded

ALIKE = 0.6  # of the words of two names
FEWEST_WORDS = 2  # of a name that may stand for a longer one
# The same door may be told of as the house, the body in it or what it does.
BODIES = frozenset({"place", "organization", "service"})


def united(drafts: list[Draft], more: list[Draft], *, add: bool) -> list[Draft]:
    """What `more` says of a known thing fills its gaps; with `add` its other things are taken over too."""
    result = list(drafts)
    alone = Counter(each.kind for each in drafts), Counter(each.kind for each in more)
    for draft in more:
        index = next((i for i, known in enumerate(result) if _same(known, draft)), None)
        if index is None and not add and alone[0][draft.kind] == alone[1][draft.kind] == 1:
            index = next(i for i, known in enumerate(result) if known.kind == draft.kind)
            index = index if _times_agree(result[index], draft) else None
        if index is not None:
            result[index] = _filled(result[index], draft)
        elif add:
            result.append(draft)
    return result


def united_contacts(contacts: list[ContactDraft], more: list[ContactDraft]) -> list[ContactDraft]:
    """One person or desk, one contact: known by e-mail, phone or name, if nothing they say is at odds."""
    result = list(contacts)
    for contact in more:
        index = next((i for i, known in enumerate(result) if _same_contact(known, contact)), None)
        if index is None:
            result.append(contact)
        else:
            known = result[index]
            gaps = {
                name: getattr(contact, name)
                for name in ("name", "role", "email", "phone", "address")
                if not getattr(known, name)
            }
            result[index] = replace(known, **gaps)
    return result


def alike(one: str, other: str) -> bool:
    """Whether two names are of one thing: equal but for marks, one within the other, or mostly the same words."""
    first, second = folded(one).split(), folded(other).split()
    if first == second:
        return True
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= FEWEST_WORDS and f" {' '.join(shorter)} " in f" {' '.join(longer)} ":
        return True
    words, others = set(first), set(second)
    return len(words & others) / max(len(words | others), 1) >= ALIKE


def same_time(one: str, other: str) -> bool:
    """As moments where both tell one, else as local times, else as days."""
    first, second = _moment(one), _moment(other)
    if first is None or second is None or len(min(one, other, key=len)) <= len("2026-12-05"):
        return one[:10] == other[:10]
    if first.tzinfo and second.tzinfo:
        return first == second
    return first.replace(tzinfo=None) == second.replace(tzinfo=None)


def _same(known: Draft, draft: Draft) -> bool:
    if known.kind != draft.kind:
        return {known.kind, draft.kind} <= BODIES and folded(known.fields["name"]) == folded(draft.fields["name"])
    if known.kind == "event":
        return _times_agree(known, draft) and (
            known.external_id == draft.external_id or alike(known.fields["name"], draft.fields["name"])
        )
    return known.external_id == draft.external_id or alike(known.fields["name"], draft.fields["name"])


def _times_agree(known: Draft, draft: Draft) -> bool:
    one, other = known.fields.get("start", ""), draft.fields.get("start", "")
    return not one or not other or same_time(one, other)


def _filled(known: Draft, draft: Draft) -> Draft:
    """A value is taken only whole: neither half of a point, nor a street to another town."""
    gaps = draft.fields.keys() - known.fields.keys()
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
        return alike(known.name, contact.name) and all(agree[:-1])
    return bool(agree) and all(agree)


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None

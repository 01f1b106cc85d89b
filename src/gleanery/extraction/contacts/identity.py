"""Which contacts are one and the same: by e-mail, by phone and name, by name. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.identity import folded
from gleanery.text import clean_text

LONGEST = {"name": 200, "role": 200, "email": 254, "phone": 40, "address": 500, "evidence": 500}
MOST = 500  # of one site: a directory of people is no list of contacts


def key_of(contact: ContactDraft) -> str:
    """An e-mail address is somebody's own; a phone may be shared by a house, so there the name counts too."""
    if contact.email:
        return f"mail {contact.email.casefold()}"[:300]
    if contact.phone:
        return f"phone {contact.phone} {folded(contact.name)}".strip()[:300]
    return f"name {folded(contact.name)}"[:300]


def distinct(contacts: Iterable[ContactDraft]) -> dict[str, ContactDraft]:
    """Each once, with what any of them tells; what is neither a person nor a way to reach one is left out."""
    found: dict[str, ContactDraft] = {}
    for given in contacts:
        each = _cut(given)
        if not (each.email or each.phone or folded(each.name)):
            continue
        key = key_of(each)
        found[key] = _united(found[key], each) if key in found else each
    return dict(list(_without_bare_phones(found).items())[:MOST])


def _united(one: ContactDraft, other: ContactDraft) -> ContactDraft:
    return replace(one, **{name: getattr(one, name) or getattr(other, name) for name in LONGEST})


def _without_bare_phones(found: dict[str, ContactDraft]) -> dict[str, ContactDraft]:
    """A phone without a name adds nothing where somebody has that phone."""
    named = {each.phone for each in found.values() if each.phone and (each.name or each.email)}
    return {key: each for key, each in found.items() if each.name or each.email or each.phone not in named}


def _cut(contact: ContactDraft) -> ContactDraft:
    return ContactDraft(**{name: clean_text(getattr(contact, name), limit=most) for name, most in LONGEST.items()})

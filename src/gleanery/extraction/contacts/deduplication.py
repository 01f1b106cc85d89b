"""Deduplicates contacts by e-mail, by phone and name, or by name. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.generated_ids import fold_name
from gleanery.text import clean_text

LONGEST = {"name": 200, "role": 200, "email": 254, "phone": 40, "address": 500, "evidence": 500}
MOST = 500  # per site; longer lists are directories


def key_of(contact: ContactDraft) -> str:
    """Return the key of a contact: its e-mail, else phone and name (phones are shared), else name."""
    if contact.email:
        return f"mail {contact.email.casefold()}"[:300]
    if contact.phone:
        return f"phone {contact.phone} {fold_name(contact.name)}".strip()[:300]
    return f"name {fold_name(contact.name)}"[:300]


def unique_contacts(contacts: Iterable[ContactDraft]) -> dict[str, ContactDraft]:
    """Return contacts by key, duplicates merged. Contacts without name, e-mail and phone are left out."""
    found: dict[str, ContactDraft] = {}
    for given in contacts:
        each = _cut(given)
        if not (each.email or each.phone or fold_name(each.name)):
            continue
        key = key_of(each)
        found[key] = _merged(found[key], each) if key in found else each
    return dict(list(_without_bare_phones(found).items())[:MOST])


def _merged(one: ContactDraft, other: ContactDraft) -> ContactDraft:
    return replace(one, **{name: getattr(one, name) or getattr(other, name) for name in LONGEST})


def _without_bare_phones(found: dict[str, ContactDraft]) -> dict[str, ContactDraft]:
    """Drop nameless phones that another contact has too."""
    named = {each.phone for each in found.values() if each.phone and (each.name or each.email)}
    return {key: each for key, each in found.items() if each.name or each.email or each.phone not in named}


def _cut(contact: ContactDraft) -> ContactDraft:
    return ContactDraft(**{name: clean_text(getattr(contact, name), limit=most) for name, most in LONGEST.items()})

"""Contacts of a domain, for staff eyes only: those of its candidate, else those that its pages name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gleanery.domains.models import Domain
from gleanery.extraction.contacts.standing import authority_of, type_of
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.models import PageContact
from gleanery.judging.models import Contact


@dataclass(frozen=True, slots=True)
class Known:
    """`validated_at`: when the site last said so, or when somebody checked it."""

    name: str
    role: str
    type: str
    authority: str
    email: str
    phone: str
    address: str
    validated_at: datetime | None


def contacts_of(domain: Domain) -> list[Known]:
    """What staff wrote about those of a candidate stands; every contact on its pages was offered to it."""
    written = Contact.objects.filter(candidate__domain=domain).order_by("id")
    if written:
        return [Known(**{name: getattr(each, name) for name in Known.__dataclass_fields__}) for each in written]
    return [_read(each) for each in PageContact.objects.filter(domain=domain).order_by("id")]


def _read(row: PageContact) -> Known:
    said = {name: getattr(row, name) for name in ("name", "role", "email", "phone", "address")}
    draft = ContactDraft(**said)
    return Known(**said, type=type_of(draft), authority=authority_of(draft), validated_at=row.last_seen)

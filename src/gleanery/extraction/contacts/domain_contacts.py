"""Contacts of a domain, for staff only: those of its candidate, else those found on its pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gleanery.domains.models import Domain
from gleanery.extraction.contacts.classification import authority_of, type_of
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.models import PageContact
from gleanery.judging.models import Contact


@dataclass(frozen=True, slots=True)
class DomainContact:
    """A contact as staff see it. `validated_at` is when the site last listed it or a person checked it."""

    name: str
    role: str
    type: str
    authority: str
    email: str
    phone: str
    address: str
    validated_at: datetime | None


def contacts_of(domain: Domain) -> list[DomainContact]:
    """Return the contacts of the candidate, which staff may have edited, else those found on pages."""
    written = Contact.objects.filter(candidate__domain=domain).order_by("id")
    if written:
        return [
            DomainContact(**{name: getattr(each, name) for name in DomainContact.__dataclass_fields__})
            for each in written
        ]
    return [_read(each) for each in PageContact.objects.filter(domain=domain).order_by("id")]


def _read(row: PageContact) -> DomainContact:
    values = {name: getattr(row, name) for name in ("name", "role", "email", "phone", "address")}
    draft = ContactDraft(**values)
    return DomainContact(**values, type=type_of(draft), authority=authority_of(draft), validated_at=row.last_seen)

"""Whom one can call or write to, of the organisations and people that structured data names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.structured.schema_places import email, one_line, phone, read_place
from gleanery.extraction.structured.schema_types import BUSINESSES, PLACES, is_organization
from gleanery.extraction.structured.sheet import Sheet
from gleanery.extraction.structured.things import Node, Things

MOST_PEOPLE = 100
# Who stands behind a thing. Performers, authors and reviewers are named too, but not to be written to.
BEHIND = ("organizer", "provider", "hiringOrganization", "funder", "sponsor", "serviceOperator")
PEOPLE = ("employee", "employees", "member", "members", "founder", "founders")
POINTS = ("contactPoint", "contactPoints", "contact", "applicationContact")

REACHED = frozenset({"email", "telephone", *POINTS, *PEOPLE})


def contacts_of(things: Things, node: Node, form: str) -> Iterator[ContactDraft]:
    """Of the node itself if it is somebody, and of those behind it."""
    types = set(things.types(node))
    if is_organization(types) or types & PLACES:
        yield from _of_body(things, node, form)
    elif "Person" in types and things.text(node, "jobTitle"):
        yield from _of_person(things, node, form)
    else:
        yield from _points(things, node, form)
        for name in BEHIND:
            for body in islice(things.nodes(node, name), MOST_PEOPLE):
                yield from _of_body(things, body, form)


def _of_body(things: Things, node: Node, form: str) -> Iterator[ContactDraft]:
    """An organisation, a place or a person behind something."""
    if REACHED.isdisjoint(node):
        return
    sheet = Sheet(things, node, form)
    read_place(sheet, node, "")
    contact = ContactDraft(
        name=things.text(node, "name", "legalName"),
        role=things.text(node, "jobTitle"),
        email=_email(things, node),
        phone=_phone(things, node, sheet.country),
        address=one_line(sheet.fields),
        evidence=f"{form}: {next(iter(things.types(node)), 'organizer')}",
    )
    if contact.name and (contact.email or contact.phone):
        yield contact
    yield from _points(things, node, form)
    if is_organization(things.types(node)) or not BUSINESSES.isdisjoint(things.types(node)):
        for name in PEOPLE:
            for person in islice(things.nodes(node, name), MOST_PEOPLE):
                yield from _of_person(things, person, form)


def _of_person(things: Things, node: Node, form: str) -> Iterator[ContactDraft]:
    contact = ContactDraft(
        name=things.text(node, "name"),
        role=things.text(node, "jobTitle"),
        email=_email(things, node),
        phone=_phone(things, node, things.page.source.country),
        evidence=f"{form}: Person",
    )
    if contact.name and (contact.role or contact.email or contact.phone):
        yield contact


def _points(things: Things, node: Node, form: str) -> Iterator[ContactDraft]:
    """A number without a name or a purpose is the number of the thing itself."""
    for name in POINTS:
        for point in islice(things.nodes(node, name), MOST_PEOPLE):
            contact = ContactDraft(
                name=things.text(point, "name"),
                role=things.text(point, "contactType", "jobTitle"),
                email=_email(things, point),
                phone=_phone(things, point, things.page.source.country),
                evidence=f"{form}: {name}",
            )
            if (contact.name or contact.role) and (contact.email or contact.phone):
                yield contact


def _email(things: Things, node: Node) -> str:
    return next(filter(None, (email(things.said(value)) for value in things.values(node, "email"))), "")


def _phone(things: Things, node: Node, country: str) -> str:
    return next(filter(None, (phone(things.said(value), country) for value in things.values(node, "telephone"))), "")
